// The commands of the documentation, without a shell: `casa mock` on a free port as its own process, everything else in
// this process. Addresses of the documentation are replaced by those of the servers, and back in the output.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { health } from '../../src/cli/health.ts';
import { mutants } from '../../src/cli/mutants.ts';
import { seed } from '../../src/cli/seed.ts';
import { type Casa, startMock } from '../../src/index.ts';
import { type CliProcess, startCli } from './command.ts';
import { conformance } from './kit-command.ts';

/** Runs one command after the other, in one folder. */
export interface DocShell {
  /** Returns the output of both streams. */
  run(command: string): Promise<string>;
  writeFile(name: string, text: string): void;
  /** Ends all servers. */
  close(): Promise<void>;
}

interface State {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Address in the documentation -> address of the server. */
  readonly hosts: Map<string, string>;
  readonly mocks: CliProcess[];
  staging: Casa | null;
}

const stagingHost = 'https://staging.example.com';
const words = (command: string) =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"|>]+(?:="[^"]*")?|[|>]/g)].map(
    ([all, one, two]) => one ?? two ?? all,
  );

export function openShell(folder: string): DocShell {
  const state: State = { folder, env: {}, hosts: new Map(), mocks: [], staging: null };
  return {
    run: (command) => runLine(state, command),
    writeFile: (name, text) => writeFileSync(join(folder, name), text),
    close: async () => {
      for (const { child } of state.mocks) child.kill('SIGKILL');
      await Promise.all([state.staging?.close(), ...state.mocks.map(({ ended }) => ended)]);
    },
  };
}

async function runLine(state: State, line: string): Promise<string> {
  if (line.includes(stagingHost) && !line.includes('--plan')) await stage(state);
  const expanded = line.replace(/\$(\w+)/g, (whole, name: string) => state.env[name] ?? whole);
  const given = words(outward(state, expanded));
  const pipe = given.findIndex((word) => word === '|' || word === '>');
  const command = pipe === -1 ? given : given.slice(0, pipe);
  const output = backward(state, await runCommand(state, command));
  if (pipe === -1) return output;
  const [sign, tool = '', option = ''] = given.slice(pipe);
  if (sign === '|') return filtered(output, tool, option);
  writeFileSync(join(state.folder, tool), output);
  return '';
}

async function stage(state: State): Promise<void> {
  state.staging ??= await startMock({ clock: 'running' });
  state.hosts.set(stagingHost, state.staging.origin);
}

function outward({ hosts }: State, text: string): string {
  return [...hosts].reduce((line, [shown, real]) => line.replaceAll(shown, real), text);
}

function backward({ hosts, folder }: State, text: string): string {
  const renamed = [...hosts].reduce((line, [shown, real]) => line.replaceAll(real, shown), text);
  return renamed.replaceAll(`${folder}/`, '');
}

function filtered(output: string, tool: string, option: string): string {
  const lines = output.trim().split('\n');
  const count = Number(option.replace('-', ''));
  if (tool === 'head') return lines.slice(0, count).join('\n');
  if (tool === 'tail') return lines.slice(-count).join('\n');
  if (tool === 'grep') return lines.filter((text) => text.includes(option)).join('\n');
  throw new Error(`The documentation uses ${tool}, which proof/test-kit/doc-shell.ts does not have.`);
}

async function runCommand(state: State, given: readonly string[]): Promise<string> {
  const [command = '', ...rest] = given;
  if (command === 'export') return setVariable(state, rest[0] ?? '');
  if (command === 'curl') return curl(rest);
  if (command === 'cat') return readFileSync(join(state.folder, rest[0] ?? ''), 'utf8');
  if (command === 'node') return runNode(state, rest[0] ?? '');
  const [tool, ...args] = rest.map((word) => ownFile(state, word));
  if (command === 'npx' && tool === 'conformance') {
    // The seed of the minute would change the requests of a run.
    const seeded = args.some((word) => /^(--explain|--list|trend|har)$/.test(word)) ? [] : ['--seed', '1'];
    const env = { XDG_CACHE_HOME: join(state.folder, 'cache'), ...state.env };
    const { out, err } = await conformance([...args, ...seeded], env);
    return `${err}${out}`;
  }
  if (command === 'npx' && tool === 'casa') return casa(state, args);
  throw new Error(`The documentation uses ${given.join(' ')}, which proof/test-kit/doc-shell.ts cannot run.`);
}

/** `...` is a key: the servers of the documentation have that of the default world. */
function setVariable(state: State, text: string): string {
  const [name = '', ...value] = text.split('=');
  const isKey = value.join('=') === '...';
  state.env[name] = isKey ? 'casa_0123456789abcdef0123456789abcdef' : value.join('=');
  return '';
}

/** Files of the documentation are in its folder: `world.json`, `html=report.html`, `history`. */
function ownFile({ folder }: State, word: string): string {
  return word.replace(
    /^((?:json|html|junit|md|sarif|har)=)?([\w.-]+\.(?:json|html|xml|md|har|state|sarif)|history)$/,
    (_, kind = '', name) => `${kind}${join(folder, basename(name))}`,
  );
}

async function casa(state: State, [name = '', ...args]: readonly string[]): Promise<string> {
  let output = '';
  const keep = (text: string) => {
    output += text;
  };
  if (name === 'mock') return startDocMock(state, args);
  const command = { seed, mutants, health }[name];
  if (command === undefined) throw new Error(`The documentation runs casa ${name}.`);
  await command(args, { write: keep, error: keep });
  return output;
}

/** The newest mock of a page replaces an older one with the same port. */
async function startDocMock(state: State, args: readonly string[]): Promise<string> {
  const at = args.indexOf('--port');
  const port = at === -1 ? '4010' : (args[at + 1] ?? '');
  const others = at === -1 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
  const mock = await startCli(others, { cwd: state.folder, env: state.env });
  await mock.waitFor(/Try\n.*\n/);
  state.mocks.push(mock);
  state.hosts.set(`http://127.0.0.1:${port}`, new URL(mock.baseUrl).origin);
  return mock.stdout();
}

/** As curl prints it: header lines in the order of the server with `-i`. */
function curl(given: readonly string[]): Promise<string> {
  const takes = { '-H': 'header', '-X': 'method', '-d': 'body' } as const;
  const found = { header: [] as string[], method: [] as string[], body: [] as string[] };
  let [url, showsHead] = ['', false];
  for (let i = 0; i < given.length; i += 1) {
    const word = given[i] ?? '';
    const kind = takes[word as keyof typeof takes];
    if (kind !== undefined) found[kind].push(given[++i] ?? '');
    else if (/^-[is]+$/.test(word)) showsHead ||= word.includes('i');
    else url = word;
  }
  const headers = Object.fromEntries(found.header.map((line) => line.split(/: ?(.*)/s)));
  const [body] = found.body;
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method: found.method[0] ?? (body === undefined ? 'GET' : 'POST'), headers },
      (response) => {
        const head = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`];
        for (let i = 0; i < response.rawHeaders.length; i += 2) {
          const name = response.rawHeaders[i] ?? '';
          if (!/^(connection|keep-alive)$/i.test(name)) head.push(`${name}: ${response.rawHeaders[i + 1]}`);
        }
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(showsHead ? `${head.join('\n')}\n\n${text}` : text));
      },
    );
    sent.on('error', () => resolve('curl: (56) Recv failure: Connection reset by peer'));
    sent.end(body);
  });
}

/** `casa-kit` is found as in a project that installed it. */
async function runNode(state: State, name: string): Promise<string> {
  const home = join(state.folder, 'node_modules/casa-kit');
  mkdirSync(home, { recursive: true });
  await build({ entryPoints: ['src/api/index.ts'], outfile: join(home, 'api.js'), bundle: true, format: 'esm' });
  const manifest = { name: 'casa-kit', type: 'module', exports: { './api': './api.js' } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  const file = join(state.folder, name);
  writeFileSync(file, outward(state, readFileSync(file, 'utf8')));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: state.folder });
  return `${stdout}${stderr}`;
}
