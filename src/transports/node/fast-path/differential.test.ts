import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, serveFake } from '../../../../fixtures/test-kit/client.ts';
import type { CoreRequest } from '../../../http/message.ts';
import type { NodeServer } from '../../node.ts';
import { readPlain } from './plain-request.ts';

/** A request as a server reads it. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let seen: Seen[] = [];
let mocks: NodeServer[] = [];
const bare = createServer((incoming, outgoing) => {
  const parts: Buffer[] = [];
  incoming.on('data', (part) => parts.push(part));
  incoming.on('end', () => {
    const { method = '', url = '', headers } = incoming;
    seen.push({ method, url, headers, body: Buffer.concat(parts).toString('latin1') });
    outgoing.end('{}');
  });
});

beforeAll(async () => {
  Object.assign(bare, { httpAllowHalfOpen: true });
  const response = ({ method, path, query, headers, body }: CoreRequest) => {
    const url = query === '' ? path : `${path}?${query}`;
    seen.push({ method, url, headers: { ...headers }, body: Buffer.from(body ?? []).toString('latin1') });
    return {};
  };
  mocks = await Promise.all([true, false].map((fastPath) => serveFake(response, { fastPath })));
});
afterAll(() => Promise.all(mocks.map((mock) => mock.close())));

/** The server's end of a connection without a network: each part is one read, and nothing depends on time. */
class Connection extends Duplex {
  readonly #parts: Buffer[];
  received = '';

  constructor(parts: readonly string[]) {
    super({ allowHalfOpen: true });
    this.#parts = parts.filter((part) => part !== '').map((part) => Buffer.from(part, 'latin1'));
  }

  override _read(): void {
    setImmediate(() => this.push(this.#parts.shift() ?? null));
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.received += bytes.toString('latin1');
    done();
  }

  /** As a socket has it. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }
}

/** The requests that a server saw, and the statuses of its responses. */
async function readBy(server: Server, parts: readonly string[]) {
  seen = [];
  const connection = new Connection(parts);
  const isOver = new Promise((resolve) => connection.on('finish', resolve).on('close', resolve));
  server.emit('connection', connection);
  await isOver;
  connection.destroy();
  const statuses = [...connection.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  return { seen, statuses };
}

const lengths = [
  ...['2', '2\t', '\t2', '2 ', ' 2', '  2', '02', '+2', '2,2', '2, 2', '0x2', '2\u000b', '', '1', '3'],
  ...['2\r\n '],
];
const headers = [
  ...['Connection: keep-alive', 'Connection: Keep-Alive\t', 'Connection: close\t'],
  ...['connection: keep-alive, close', 'Transfer-Encoding: chunked', 'Transfer-Encoding:\tchunked'],
  ...['Transfer_Encoding: chunked', 'Content-Length: 2', 'Host: b', 'Content-Length : 2', 'X-Tab: a\tb'],
  ...['X-Blank:  a ', 'X-Empty:', 'X-Name_: a', 'X@Name: a'],
];
const signs = [...'\r\n\t\0 :;,/?#%"<>[]{}|\\^`~aZ09-_.\u007f\u0080\u00ff', '\r\n', '\r\n ', 'Host: b\r\n', '1', ''];

const change = fc.record({ at: fc.nat(90), drops: fc.nat(2), put: fc.constantFrom(...signs) });
const request = fc
  .record({
    length: fc.oneof({ weight: 3, arbitrary: fc.constant('2') }, fc.constantFrom(...lengths)),
    header: fc.oneof({ weight: 2, arbitrary: fc.constant('Accept: */*') }, fc.constantFrom(...headers)),
    next: fc.constantFrom('', '', get('/next'), 'POST /next HTTP/1.1\r\n', 'garbage\r\n\r\n'),
    changes: fc.array(change, { maxLength: 1 }),
  })
  .map(({ length, header, next, changes }) => {
    const text = `POST /a/b?c=d HTTP/1.1\r\nHost: a\r\n${header}\r\nContent-Length: ${length}\r\n\r\n{}`;
    return changes.reduce((all, { at, drops, put }) => all.slice(0, at) + put + all.slice(at + drops), text) + next;
  });

describe('any input', () => {
  it('is read as by a bare node:http, however its bytes are split', async () => {
    let plain = 0;
    const property = fc.asyncProperty(request, async (text) => {
      if (readPlain(Buffer.from(text, 'latin1'))) plain += 1;
      // Byte by byte, so each response is out before the next request begins.
      const expected = await readBy(bare, [...text]);
      for (let at = 0; at < text.length; at += 1) {
        for (const { server } of mocks) {
          expect(await readBy(server, [text.slice(0, at), text.slice(at)]), `split at ${at}`).toEqual(expected);
        }
      }
    });
    await fc.assert(property, { seed: 11, numRuns: 60, examples: lengths.map(text) });
    expect(plain).toBeGreaterThan(5);
  });
});

function text(length: string): [string] {
  return [`POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n{}`];
}
