// Started by pipelining.ts as a separate process: sends one request many times over one connection, as fast as it can,
// and ends with the last response.
import { connect } from 'node:net';

/** As JSON on the command line. */
export interface Pipelined {
  readonly port: number;
  readonly bytes: string;
  readonly count: number;
}

const { port, bytes, count } = JSON.parse(process.argv[2] ?? '{}') as Pipelined;
const mark = 'HTTP/1.1 ';
const patienceMs = 60_000;

const socket = connect({ port, host: '127.0.0.1', noDelay: true });
let left = count;
let tail = '';
socket.on('data', (chunk) => {
  const text = tail + chunk.toString('latin1');
  left -= text.split(mark).length - 1;
  tail = text.slice(1 - mark.length);
  if (left <= 0) process.exit(0);
});
socket.on('error', () => {});
socket.on('close', () => process.exit(left > 0 ? 1 : 0));
socket.on('connect', () => process.send?.('ready'));
process.on('message', () => {
  socket.write(bytes.repeat(count));
  setTimeout(() => process.exit(1), patienceMs);
});
