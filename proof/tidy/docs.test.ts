import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { reportKinds } from '../../conformance/report/outcome.ts';
import { withSamples } from '../../fixtures/test-kit/report-samples.ts';
import { cliReference } from '../../spec/cli-reference.ts';
import { createClient } from '../../src/api/index.ts';
import { routes } from '../../src/contract/generated/client-routes.ts';
import { pollIntervalMs } from '../../src/contract/generated/limits.ts';
import { windows } from '../../src/engine/violations/violation.ts';
import { createMock } from '../../src/index.ts';
import { fieldsOf } from '../../src/worlds/check.ts';
import { partNames } from '../../src/worlds/fill.ts';
import { fieldsAt } from '../../src/worlds/schema.ts';

const root = new URL('../../', import.meta.url);
const patterns = ['*.md', 'docs/**/*.md', 'skills/**/*.md', 'llms.txt', 'examples/*/*.md'];
const textOf = (name: string) => readFileSync(new URL(name, root), 'utf8');
const documents = globSync(patterns, { cwd: root }).map((name) => ({ name, text: textOf(name) }));
const { files } = JSON.parse(textOf('package.json'));

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);
const isThere = (path: string) => existsSync(new URL(path, root));

/** Paths from the root of the links of a document. */
const linked = (name: string, text: string) =>
  all(text, /\]\((?!https?:|#)([^)#]+)/g).map((link) =>
    new URL(link, new URL(name, root)).pathname.slice(root.pathname.length),
  );

/** As the forge makes them of headings. */
const marksOf = (text: string) =>
  all(text, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('docs/reference/reports.md', () => {
  it('has a heading for each kind of report', () => {
    const text = textOf('docs/reference/reports.md');
    const headings = { html: 'html', json: 'json', junit: 'junit', sarif: 'sarif', md: 'markdown', har: 'har' };
    expect(Object.keys(headings).sort()).toEqual([...reportKinds].sort());
    expect(Object.values(headings).filter((mark) => !marksOf(text).includes(mark))).toEqual([]);
  });
});

describe.each([
  ['docs/frameworks.md and docs/apps.md', 'examples/frameworks'],
  ['docs/time.md', 'examples/runners'],
])('%s', (pages, home) => {
  const text = pages.split(' and ').map(textOf).join('');
  const shown = [...text.matchAll(/^```\w+\n(?:\/\/|<!--) (\S+\/\S+)(?: -->)?\n(.*?)^```$/gms)];

  it.each(shown.map(([, path = '', code = '']) => [path, code]))('shows the tested code of %s', (path, code) => {
    expect(code).toBe(readFileSync(new URL(`${home}/${path}`, root), 'utf8'));
  });

  it('shows code of each app, and of runners with another form', () => {
    const apps = globSync(`${home}/*`, { cwd: root }).map((path) => path.split('/')[2] ?? '');
    const others = ['bun-test', 'node-test', 'ts-jest'];
    const expected = new Set(apps.filter((name) => !others.includes(name)));
    expect(new Set(shown.map(([, path]) => path?.split('/')[0]))).toEqual(expected);
  });
});

describe('docs/apps.md', () => {
  it.each([
    ['android', 'http://10.0.2.2:4010/api/v1/sites'],
    ['ios', 'http://localhost:4010/api/v1/sites'],
  ])('run with React Native on %s, and with a mock in a test', async (OS, url) => {
    const code = /^\/\/ api\.js\n(.*?)^```$/ms.exec(textOf('docs/apps.md'))?.[1]?.replace(/^import .*$|^export /gm, '');
    const createApi = new Function('createClient', 'Platform', `${code}; return createApi;`)(createClient, { OS });
    const fetch = vi.fn(async () => new Response('{"data":[]}', { headers: { 'content-type': 'application/json' } }));
    await createApi({ key: 'x', fetch }).listSites();
    expect(String(fetch.mock.calls.flat()[0])).toBe(url);
    const casa = await createMock();
    const api = createApi({ baseUrl: casa.baseUrl, key: casa.keys.good, fetch: casa.fetch });
    expect((await api.listSites()).data).toHaveLength(3);
  });
});

describe('docs/reference', () => {
  const pages = documents.filter(({ name }) => /^docs\/reference\/(mock|client-rules)\.md$/.test(name));
  const text = pages.map((page) => page.text).join('\n');
  const rows = new Map(
    text
      .split('\n')
      .flatMap((row) => /^\| `([\w-]+)`.*\| (.*) \|$/.exec(row)?.slice(1) ?? [])
      .map((cell, i, all) => [cell, all[i + 1] ?? '']),
  );

  it.each([
    ['unchanged-retry', [windows.rejectionStandsMs]],
    ['early-retry', [windows.earlyToleranceMs]],
    ['no-back-off', [windows.backOffMinMs, windows.shortGapMs, windows.backOffEndsMs]],
    ['key-rotated', [windows.rotationMs]],
    ['hasty-poll', [pollIntervalMs, windows.pollToleranceMs]],
    ['late-poll', [windows.atOnceMs, windows.awayMs]],
    ['lost-since', [windows.awayMs]],
  ])('states the window of %s', (rule, expected) => {
    const stated = all(rows.get(rule) ?? '', /(\d+ m?s)\b/g);
    expect(stated).toEqual(expected.map((ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`)));
  });

  const account = ['organizations', 0, 'accounts', 0];
  it.each([
    ['the world', partNames],
    ['`sites`', fieldsOf('site')],
    ['`articles`', fieldsOf('article')],
    ['`keywords`', fieldsOf('keyword')],
    ['`accounts`', fieldsOf('account')],
    ['`reviews` of an account', fieldsOf('review')],
    ['`posts` of an account', fieldsAt([...account, 'posts', 0])],
    ['`metrics` of an account', fieldsAt([...account, 'metrics', 0])],
    ['`calls`', fieldsAt(['organizations', 0, 'calls', 0])],
  ])('lists the fields of %s', (part, fields) => {
    const [row = ''] = text.split('\n').filter((line) => line.startsWith(`| ${part} |`));
    expect(all(row.slice(part.length + 3), /`(\w+)`/g)).toEqual([...fields]);
  });
});

it('docs/reference/client.md lists the methods of the client with their arguments', () => {
  const page = textOf('docs/reference/client.md');
  const missing = Object.entries(routes).flatMap(([name, { method, path, query }]) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` | \`${method} ${path}\` |`)) ?? '';
    return [...all(path, /\{(\w+)\}/g), ...query].filter((argument) => !row.includes(`\`${argument}\``));
  });
  expect(missing).toEqual([]);
  const methods = all(page.split('\n## ')[1] ?? '', /^\| `(\w+)/gm);
  expect(methods).toEqual(Object.keys(createClient({ baseUrl: 'http://x', key: 'x' })));
});

it('docs/reference/mock.md lists the properties and methods of the casa object', async () => {
  const page = textOf('docs/reference/mock.md');
  const section = page.split('\n## ').find((text) => text.startsWith('The casa object')) ?? '';
  const rows = all(section, /^\| (`casa\..*?) \|/gm).join();
  const names = Object.entries(await createMock()).flatMap(([name, value]) => {
    const own = name !== 'keys' && typeof value === 'object' ? Object.keys(value) : [''];
    return own.map((method) => `${name}.${method}`.replace(/\.$/, ''));
  });
  expect(all(rows, /casa\.([\w.]+)/g).sort()).toEqual(names.sort());
});

it('docs/reference/reports.md has current samples: npm run samples writes them', async () => {
  const page = textOf('docs/reference/reports.md');
  expect(await withSamples(page)).toBe(page);
});

it('docs/reference/cli.md lists the current flags: npm run generate writes it', async () => {
  expect(await cliReference()).toBe(textOf('docs/reference/cli.md'));
});

describe.each(documents)('$name', ({ name, text }) => {
  it('links to files that exist, in the package too', () => {
    const links = linked(name, text);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
    const inside = (files as string[]).map((path) => `${path}/**/*.{md,yaml}`);
    const packed = new Set(globSync([...files, ...inside], { cwd: root }));
    expect(links.filter((link) => !packed.has(link) && !/\/$/.test(link))).toEqual([]);
  });

  it('links to headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const broken = links.filter(([, path = '', mark = '']) => {
      const place = path === '' ? name : new URL(path, new URL(name, root)).pathname.slice(root.pathname.length);
      const target = documents.find((one) => one.name === place);
      return target !== undefined && !marksOf(target.text).includes(mark);
    });
    expect(broken.map(([whole]) => whole)).toEqual([]);
  });

  it('is short', () => {
    // With its code and its samples. Reference pages are as long as what they list.
    const isPage = name.startsWith('docs/') && !name.startsWith('docs/reference/');
    const wordsMax = name === 'README.md' ? 600 : isPage ? 900 : Number.POSITIVE_INFINITY;
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(wordsMax);
  });

  // On the public registry, the names of our commands belong to unrelated packages.
  it('says how to install the package before its first command', () => {
    const installAt = text.search(/npm (?:install|ci)\b/);
    const commandAt = text.search(/npx casa\b|"command": "npx"/);
    const isPage = /^(docs\/|skills\/|README|llms)/.test(name);
    const needsInstall = commandAt !== -1 && name !== 'CHANGELOG.md';
    if (needsInstall) expect(installAt).toBeGreaterThan(-1);
    if (needsInstall) expect(installAt).toBeLessThan(commandAt);
    if (isPage && needsInstall) expect(text).toMatch(/runs?\s+unrelated\s+packages/);
  });

  // Links of an example are relative to it.
  const home = name.startsWith('examples/') ? new URL('./', new URL(name, root)) : root;

  it('names files and folders that exist', () => {
    const paths = all(text, /`((?:src|conformance|proof|spec|fixtures|\.ci|\.github)\/[\w./-]*)`/g);
    const literal = paths.filter((path) => !/NN|[A-Z]{4}/.test(path));
    expect(literal.filter((path) => !existsSync(new URL(path, home)))).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));
    const names = all(text, /npm run (?:-s )?([a-z][\w:]*)/g);
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

it('workflows in docs pass inputs that action.yml has', () => {
  const { inputs } = parse(textOf('action.yml'));
  const texts = documents.flatMap(({ text }) => all(text, /^```yaml\n(.*?)^```$/gms));
  // A list of steps, or a whole workflow with one job.
  const steps = texts
    .map((text) => parse(text))
    .flatMap((one) => one.jobs?.[Object.keys(one.jobs)[0] ?? '']?.steps ?? one);
  const given = steps.flatMap(({ uses, with: own }) => (uses?.includes('/casa-kit@') ? Object.keys(own) : []));
  expect(given).toContain('base-url');
  expect(given.filter((name) => !Object.hasOwn(inputs, name))).toEqual([]);
});
