// `npm run runtimes`: the packed package in users' projects on every runtime that the README names, as a table.
// `npm run package:smoke` is the short part: an empty project, on the Node that is running, without a network.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeResult, table } from '../../results.ts';
import { installOnce, makeProject, packPackage } from './projects.ts';

interface Runtime {
  readonly name: string;
  readonly command: string;
  /** The words before the script. */
  readonly prefix: readonly string[];
}

interface Part {
  readonly part: string;
  readonly ok: boolean;
  readonly note?: string;
}

const entries = ['startMock', 'createMock', 'conformance', 'json', 'api', 'panel', 'worlds', 'playwrightEntry'];
const commands = ['casaMock', 'casaSeed', 'casaUsage', 'conformanceSelf', 'conformanceUsage'];
const allBareParts = [...entries, ...commands];
const nodeVersions = ['20.19.5', '22.23.3', '24.21.0', '26.10.0'];
const isShort = process.argv.includes('--short');
const folder = mkdtempSync(join(tmpdir(), 'casa-runtimes-'));
const tarball = packPackage(folder);
const project = (name: string, ...others: string[]) =>
  makeProject({ folder: join(folder, name), tarball, with: others });
const bare = project('bare');
const installed = globSync('node_modules/*', { cwd: bare }).map((path) => path.split(/[\\/]/).at(-1));
if (installed.join() !== 'casa-kit') throw new Error(`The package brings others with it: ${installed.join(', ')}.`);

// Runtimes that the tool itself does not support: msw 3 and vitest 5 by their engines field; msw 3 on Bun and Deno
// intercepts nothing, not even for its own handlers.
const outOfRange = 'not on this runtime';
const failures: string[] = [];
if (isShort) {
  const node = { name: 'node', command: process.execPath, prefix: [] };
  // This repository has the zod of a user at hand, so no network is needed.
  const withZod = project('zod', join(process.cwd(), 'node_modules/zod'));
  const results = [...smoke(node, bare, allBareParts), ...smoke(node, withZod, ['apiZod'])];
  process.stdout.write(`package: ${results.map((one) => `${one.part} ${mark(one)}`).join(', ')}\n`);
} else playAll();
for (const failure of failures) process.stdout.write(`${failure}\n`);
rmSync(folder, { recursive: true });
process.exitCode = failures.length > 0 ? 1 : 0;

function playAll(): void {
  // Next to each of these npm has to install the package without a word.
  const msw2 = project('msw2', 'msw@2.3.0', 'vitest@3.2.0', 'typescript@5.9.3', '@types/node@20', 'zod@3.25.1');
  const vitest4 = project('vitest4', 'msw@3.0.5', 'vitest@4.1.12', 'typescript@5.9.3', '@types/node@22');
  const tools = ['msw@3.0.5', 'vitest@5.1.1', '@playwright/test@1.65.1', 'typescript@7.0.2', '@types/node@24'];
  const newest = project('newest', ...tools, 'zod@4.6.7');
  const trials: readonly (readonly [project: string, part: string, label?: string])[] = [
    ...[[msw2, 'msw', 'msw 2'] as const, [newest, 'msw', 'msw 3'] as const],
    ...[[msw2, 3] as const, [vitest4, 4] as const, [newest, 5] as const].flatMap(([project, version]) =>
      ['vitest', 'types'].map((part) => [project, part, `${part}, vitest ${version}`] as const),
    ),
    ...[[msw2, 'apiZod', 'api/zod, zod 3.25'] as const, [newest, 'apiZod', 'api/zod, zod 4'] as const],
    [newest, 'playwright'],
  ];
  const columns = provideRuntimes().map((runtime) => {
    process.stderr.write(`${runtime.name}\n`);
    const named = trials.flatMap(([project, part, label = part]) =>
      smoke(runtime, project, [part]).map((one) => ({ ...one, part: label })),
    );
    return { name: runtime.name, parts: [...smoke(runtime, bare, allBareParts), ...named] };
  });
  const tried = columns.map(({ name, parts }) => {
    return { runtime: name, parts: parts.map((one) => ({ part: one.part, result: mark(one) })) };
  });
  storeResult('runtimes', tried, true);
  const rows = columns[0]?.parts.map(({ part }, i) => [part, ...columns.map(({ parts }) => mark(parts[i]))]) ?? [];
  process.stdout.write(table(['', ...columns.map(({ name }) => name)], rows));
}

function mark(part: Part | undefined): string {
  if (part?.note === outOfRange) return '-';
  return part?.ok ? 'ok' : 'FAILS';
}

/** A runtime that the tool itself does not support is shown as a dash, not as our failure. */
function isSupported({ name }: Runtime, project: string, part: string): boolean {
  const isMsw3 = part === 'msw' && project.endsWith('newest');
  const isVitest5 = part === 'vitest' && project.endsWith('newest');
  // The compiler has the same result on every runtime.
  if (part === 'types') return name.startsWith('Node 2');
  if (name.startsWith('Node 20')) return !isMsw3 && !isVitest5;
  return name.startsWith('Node') || !isMsw3;
}

/** A part without a line has failed: the process exited before it. */
function smoke(runtime: Runtime, project: string, parts: readonly string[]): Part[] {
  const { name, command, prefix } = runtime;
  const wanted = parts.filter((part) => isSupported(runtime, project, part));
  const { stdout, stderr } = spawnSync(command, [...prefix, 'smoke.mjs', ...wanted], {
    cwd: project,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, SMOKE_PREFIX: JSON.stringify(prefix), NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"part"'));
  const seen = new Map(lines.map((line) => JSON.parse(line) as Part).map((part) => [part.part, part]));
  return parts.map((part) => {
    if (!wanted.includes(part)) return { part, ok: false, note: outOfRange };
    const result = seen.get(part) ?? { part, ok: false, note: `no response: ${stderr.slice(-1500)}` };
    if (!result.ok) failures.push(`${name}, ${part}: ${result.note}`);
    return result;
  });
}

/** All runtimes come as registry packages, and stay in the temporary folder for the next time. */
function provideRuntimes(): Runtime[] {
  const home = join(tmpdir(), 'casa-kit-engines');
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const nodes = nodeVersions.map((version) => `node-${version}@npm:node-${platform}@${version}`);
  installOnce(home, [...nodes, 'bun@1.4.5', 'deno@2.9.6']);
  const find = (pattern: string): string => {
    const [path] = globSync(pattern, { cwd: home }).filter((found) => !found.includes('musl'));
    if (path === undefined || !existsSync(join(home, path))) throw new Error(`${pattern} is not in ${home}.`);
    return join(home, path);
  };
  return [
    ...nodeVersions.map((version) => ({
      name: `Node ${version}`,
      command: find(`node_modules/node-${version}/bin/node{,.exe}`),
      prefix: [],
    })),
    { name: 'Bun 1.4.5', command: find('node_modules/@oven/bun-*/bin/bun{,.exe}'), prefix: ['--bun'] },
    { name: 'Deno 2.9.6', command: find('node_modules/@deno/*/deno{,.exe}'), prefix: ['run', '-A'] },
  ];
}
