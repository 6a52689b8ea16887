import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captured } from '../../fixtures/test-kit/command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { words } from '../contract/words.ts';
import { formatWorld } from '../worlds/format.ts';
import { defaultWorld, readWorld } from '../worlds/load.ts';
import { seed } from './seed.ts';

const run = (...argv: string[]) => captured((io) => seed(argv, io));

describe('casa seed', () => {
  it('writes the default world without flags', async () => {
    expect(await run()).toEqual({ code: 0, out: formatWorld(defaultWorld), err: '' });
  });

  it('gives the same bytes for the same flags, and a world that loads', async () => {
    const flags = ['--seed', '7', '--articles=200', '--organizations', '3'];
    const { out } = await run(...flags);
    expect((await run(...flags)).out).toBe(out);
    const violation = await readWorld(out);
    expect(violation.ok && violation.data.organizations.map(({ articles }) => articles.length)).toEqual([200, 7, 7]);
  });

  it('indents everything when asked to', async () => {
    const { out } = await run('--pretty');
    expect(JSON.parse(out)).toEqual(defaultWorld);
    expect(out).toContain('\n        {\n          "id": ');
  });

  it.each(['-o', '--output'])('writes to a file with %s', async (flag) => {
    const file = join(newFolder(), 'world.json');
    expect(await run(flag, file, '--calls', '3')).toEqual({ code: 0, out: '', err: '' });
    expect(JSON.parse(readFileSync(file, 'utf8')).casaWorld).toBe(1);
  });

  it('says in one sentence why a file cannot be written', async () => {
    const { code, err } = await run('--output', '/nowhere/world.json');
    const sentence = 'casa seed: --output: /nowhere/world.json cannot be written: its folder does not exist.\n';
    expect([code, err]).toEqual([1, sentence]);
  });

  it.each(['-h', '--help'])('lists its flags with %s', async (flag) => {
    const { code, out, err } = await run(flag);
    expect([code, err]).toEqual([0, '']);
    for (const name of words('seed organizations sites articles keywords calls reviews pretty output')) {
      expect(out).toContain(`--${name}`);
    }
  });

  it.each([
    [['--articles', 'many'], '--articles takes a whole number from 0 to 1000000, not "many".'],
    [['--sites', '0'], '--sites takes a whole number from 1 to 10000, not "0".'],
    [['--seed', '1.5'], '--seed takes a whole number from 0 to 4294967295, not "1.5".'],
    [['--artikles', '3'], 'Unknown flag --artikles. Did you mean --articles?'],
  ])('rejects %j in one sentence', async (argv, sentence) => {
    expect(await run(...argv)).toEqual({ code: 2, out: '', err: `casa seed: ${sentence} See casa seed --help.\n` });
  });
});
