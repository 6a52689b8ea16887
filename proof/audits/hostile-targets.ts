// `npx tsx proof/audits/hostile-targets.ts [WORD]`: the kit against targets that are made to hurt it. Prints a table of
// seconds, peak memory and exit code; with a word, only the targets that have it in their names.
import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { type HostileBody, hostileBodies } from './hostile-bodies.ts';

// Bundled as the package is: reading it from source takes forty megabytes of its own. One level below the root.
const childFile = '.tmp-hostile/child.js';
await build({
  entryPoints: ['proof/audits/hostile-child.ts'],
  outfile: childFile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  alias: { '@modelcontextprotocol/client/_shims': './src/mcp/sdk-shims.ts' },
  logLevel: 'warning',
});

const INSIDE = /^\/api\/v1\/(connect|calls)/;

/** `count` is the number of the request, from 1 on. */
type Answer = (path: string, response: ServerResponse, count: number) => void;

function answerWith({ data, inside }: HostileBody): Answer {
  return (path, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(INSIDE.test(path) ? inside : data);
  };
}

const drip: Answer = (_path, response) => {
  response.setHeader('content-type', 'application/json');
  response.write('{"data":[');
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};

const plain = answerWith({ data: '{"data":[],"cursor":null}', inside: '{"data":{}}' });
const refuse =
  (seconds: string): Answer =>
  (_path, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': seconds });
    response.end('{"error":"rate_limit_exceeded"}');
  };
const alternate =
  (one: Answer, other: Answer): Answer =>
  (path, response, count) =>
    (count % 2 === 1 ? one : other)(path, response, count);
const later =
  (answer: Answer): Answer =>
  (path, response, count) =>
    (count === 1 ? plain : answer)(path, response, count);

const slow: Readonly<Record<string, Answer>> = {
  'a slow drip': drip,
  'a slow drip every second time': alternate(plain, drip),
  'a 429 of 65 s every second time': alternate(plain, refuse('65')),
  'a 429 of 65 s after the first answer': later(refuse('65')),
};

/** A run of the kit as the child measured it. */
interface Measured {
  readonly code: number;
  readonly seconds: number;
  readonly cpu: number;
  readonly megabytes: number;
}

/** All figures are NaN for a child that did not end with 0; 134 stands for one that a signal ended. */
async function measure(answer: Answer, flags: readonly string[]): Promise<Measured & { readonly requests: number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    answer(request.url ?? '', response, requests);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const args = [childFile, '--base-url', url, ...flags];
  const env = { ...process.env, CONFORMANCE_API_KEY: 'casa_0123456789abcdef0123456789abcdef' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (piece) => {
    printed += piece;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  server.closeAllConnections();
  server.close();
  const nothing = { code: code ?? 134, seconds: Number.NaN, cpu: Number.NaN, megabytes: Number.NaN };
  return { ...(code === 0 ? (JSON.parse(printed) as Measured) : nothing), requests };
}

const row = (cells: readonly (string | number)[]) =>
  console.log(cells.map((cell, index) => (index === 0 ? String(cell).padEnd(44) : String(cell).padStart(9))).join(' '));

row(['target', 'requests', 'seconds', 'CPU s', 'MB', 'exit']);
const word = process.argv[2] ?? '';
const targets: [name: string, answer: () => Answer, flags: string[]][] = [
  ...Object.entries(hostileBodies).map(([name, body]): [string, () => Answer, string[]] => [
    name,
    () => answerWith(body()),
    ['--pace', 'off'],
  ]),
  ...Object.entries(slow).map(([name, answer]): [string, () => Answer, string[]] => [
    name,
    () => answer,
    ['--max-time', '20'],
  ]),
];
for (const [name, answer, flags] of targets.filter(([name]) => name.includes(word))) {
  const { requests, seconds, cpu, megabytes, code } = await measure(answer(), flags);
  row([name, requests, seconds.toFixed(1), cpu.toFixed(1), megabytes.toFixed(0), code]);
}
