import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { systemClock } from '../driver/pace/clock.ts';
import { noTraces } from '../driver/pace/traffic.ts';
import { trafficFileFor, trafficFolder } from './traffic-file.ts';

const host = 'traffic-file.test:1';
const lane = { address: null, key: null };
let environment: { XDG_CACHE_HOME: string };
let folder: string;
beforeEach(() => {
  environment = { XDG_CACHE_HOME: newFolder() };
  folder = trafficFolder(environment);
});
const fileFor = (name = host, user = process.getuid?.()) => trafficFileFor(name, environment, user);
/** The only one. */
const written = () => join(folder, readdirSync(folder)[0] ?? '');

test('remembers a minute of requests, five hundred at most, and how long responses took', () => {
  const now = systemClock().now();
  const uses = [{ lane, at: now - 70_000 }, ...Array.from({ length: 600 }, (_, i) => ({ lane, at: now - i }))];
  fileFor().write({ uses, latencyMs: 120 });
  expect(fileFor().read().uses).toHaveLength(500);
  expect(fileFor().read().latencyMs).toBe(120);
  expect([statSync(folder).mode & 0o777, statSync(written()).mode & 0o777]).toEqual([0o700, 0o600]);
  fileFor().write({ uses: uses.slice(0, 1), latencyMs: null });
  expect(fileFor().read()).toEqual(noTraces);
});

test.each([
  [{ latencyMs: 1e12 }],
  [{ latencyMs: -1 }],
  [{ latencyMs: '5' }],
  [{ uses: [{ lane, at: 1e15 }] }],
  [{ uses: [{ lane: { address: 5, key: null }, at: 1 }] }],
  [{ uses: [null, 7, {}] }],
  [{ uses: 'many' }],
])('passes over %j, which no run writes', (planted) => {
  fileFor().write({ uses: [], latencyMs: null });
  writeFileSync(written(), JSON.stringify(planted));
  expect(fileFor().read()).toEqual(noTraces);
});

test('does not stretch a plan by a manipulated number', async () => {
  const args = ['--base-url', `http://${host}/api/v1`, '--plan'];
  const plan = async () => (await conformance(args, environment)).out;
  const before = await plan();
  fileFor().write({ uses: [], latencyMs: 1e12 });
  expect(await plan()).toBe(before);
});

describe('a folder of other users too is unchanged', () => {
  const use = (user?: number) => {
    fileFor(host, user).write({ uses: [], latencyMs: 5 });
    return fileFor(host, user).read();
  };
  test('when it is a link', () => {
    const elsewhere = join(environment.XDG_CACHE_HOME, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(dirname(folder));
    symlinkSync(elsewhere, folder);
    expect(use()).toEqual(noTraces);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('when others can write to it', () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    expect(use()).toEqual(noTraces);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('when it belongs to another user', () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    expect(use(statSync(folder).uid + 1)).toEqual(noTraces);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('and a link instead of the file leads nowhere', () => {
    fileFor().write({ uses: [], latencyMs: 5 });
    const [file, precious] = [written(), join(environment.XDG_CACHE_HOME, 'precious')];
    writeFileSync(precious, '{"uses":[]}');
    chmodSync(folder, 0o700);
    symlinkSync(precious, `${file}.link`);
    renameSync(`${file}.link`, file);
    fileFor().write({ uses: [], latencyMs: 7 });
    expect(readFileSync(precious, 'utf8')).toBe('{"uses":[]}');
  });
});

test('keeps the files of twenty hosts for a day, and nothing of another name goes', () => {
  for (let index = 0; index < 25; index += 1) fileFor(`host-${index}`).write({ uses: [], latencyMs: 1 });
  expect(readdirSync(folder)).toHaveLength(20);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  writeFileSync(join(folder, 'notes.json'), '{}');
  utimesSync(join(folder, 'notes.json'), 1, 1);
  fileFor().write({ uses: [], latencyMs: 1 });
  expect(readdirSync(folder)).toHaveLength(2);
});
