// One round of load, in a process of its own: keep-alive connections, one request at a time on each, exact bytes from a
// file. Prints one line of JSON. Besides what the client saw it tells the processor time that the server took for a
// request, which does not depend on how fast this client is.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** A round; sent as JSON on the command line. */
export interface LoadOptions {
  readonly port: number;
  /** A file with a JSON array of whole requests, sent in turn. */
  readonly requestsFile: string;
  readonly connections: number;
  readonly warmMs: number;
  readonly ms: number;
  /** Ends after this many requests instead, when given. */
  readonly requests?: number;
  readonly serverPid: number;
}

/** What a round gave; `serverUs` is processor time of the server for a request. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverUs: number;
  readonly bytes: number;
  readonly failures: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
const requests = (JSON.parse(readFileSync(options.requestsFile, 'utf8')) as string[]).map((text) => Buffer.from(text));
const latencies: number[] = [];
let next = 0;
let failures = 0;
let bytes = 0;
let enough = () => {};

/** The next request is written as soon as the answer is whole, so that each connection is always waiting. */
function open(): void {
  const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
  let missing = -1;
  let startMs = 0;
  const ask = () => {
    missing = -1;
    startMs = performance.now();
    socket.write(requests[next++ % requests.length] as Buffer);
  };
  socket.on('connect', ask);
  socket.on('data', (chunk) => {
    if (missing === -1) missing = readLength(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    latencies.push(performance.now() - startMs);
    if (latencies.length === options.requests) enough();
    ask();
  });
  socket.on('error', () => {
    failures += 1;
  });
}

// The head of an answer comes in one piece on the loopback.
function readLength(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n');
  const head = chunk.toString('latin1', 0, end).toLowerCase();
  if (head[9] !== '2') failures += 1;
  const length = Number.parseInt(head.slice(head.indexOf('content-length:') + 15), 10);
  bytes = length;
  return end + 4 + length;
}

/** Processor time of the server so far; the kernel counts it in hundredths of a second. */
function serverMs(): number {
  const fields = readFileSync(`/proc/${options.serverPid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

for (let i = 0; i < options.connections; i += 1) open();
await after(options.warmMs);
latencies.length = 0;
const startServerMs = serverMs();
const startMs = performance.now();
if (options.requests === undefined) await after(options.ms);
else {
  await new Promise<void>((resolve) => {
    enough = resolve;
  });
}
const seconds = (performance.now() - startMs) / 1000;
const count = latencies.length;
const usedMs = serverMs() - startServerMs;
latencies.sort((a, b) => a - b);
const result: LoadResult = {
  perSecond: count / seconds,
  p50Ms: latencies[Math.floor(count * 0.5)] ?? Number.NaN,
  p99Ms: latencies[Math.floor(count * 0.99)] ?? Number.NaN,
  serverUs: (usedMs * 1000) / count,
  bytes,
  failures,
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
