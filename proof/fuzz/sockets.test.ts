import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { listen, type NodeServer } from '../../src/doors/node.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { findErrorFlaw } from './judgement.ts';
import { vocabularyOf } from './words.ts';

const { key, good } = vocabularyOf(defaultWorld);
const bugs: unknown[] = [];
let server: NodeServer;

beforeAll(async () => {
  const clock = createClock(() => 0, {
    startMs: Date.parse(defaultWorld.anchor),
    frozen: true,
  });
  const engine = createEngine({
    data: defaultWorld,
    clock,
    limits: { ...contractLimits, enforced: false },
  });
  server = await listen(engine, {
    host: '127.0.0.1',
    port: 0,
    onBug: (error) => bugs.push(error),
  });
});
afterAll(() => server.close());

/** Puts bytes on a connection, closes this side, and gives back all that comes until the other side closes. */
function exchange(pieces: readonly Uint8Array[]): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    for (const piece of pieces) socket.write(piece);
    socket.end();
  });
}

const authorization = `Authorization: Bearer ${key}`;
const account = good.accountId?.[0] ?? '';
const body = '{"text":"Hello"}';
const seeds = [
  `GET /api/v1/articles?limit=2 HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`,
  `GET /api/v1/connect/calls/log HTTP/1.1\r\nHost: a\r\n${authorization}\r\nConnection: close\r\n\r\n`,
  `OPTIONS /api/v1/sites HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nAccess-Control-Request-Method: GET\r\n\r\n`,
  `POST /api/v1/connect/accounts/${account}/posts HTTP/1.1\r\nHost: a\r\n${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  `POST /api/v1/connect/accounts HTTP/1.1\r\nHost: a\r\n${authorization}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n3\r\n1}\n\r\n0\r\n\r\n`,
  `POST /api/v1/connect/accounts HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `GET /connect/none HTTP/1.0\r\n\r\n`,
].map((text) => Buffer.from(text));

const splice = fc.record({
  at: fc.nat(400),
  remove: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(100)),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc
      .constantFrom(
        '\r\n',
        '\r\n\r\n',
        '\0',
        ' ',
        ':',
        'Content-Length: 1\r\n',
        '0\r\n\r\n',
        '/../',
        'a'.repeat(20_000),
      )
      .map((text) => Buffer.from(text)),
  ),
});

/** Requests one after the other, with some bytes taken out and others put in, cut into pieces anywhere. */
const traffic = fc
  .record({
    requests: fc.array(fc.constantFrom(...seeds), {
      minLength: 1,
      maxLength: 4,
    }),
    splices: fc.array(splice, { maxLength: 3 }),
    cuts: fc.array(fc.nat(1500), { maxLength: 3 }),
  })
  .map(({ requests, splices, cuts }) => {
    let bytes: Buffer = Buffer.concat(requests);
    for (const { at, remove, insert } of splices) {
      bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
    }
    const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
    return edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
  });

/** Null when what came back is whole answers and nothing else, each of the contract. */
function findWireFlaw(received: string): string | null {
  let rest = received;
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/.exec(rest);
    if (!head) return `no answer: ${rest.slice(0, 100)}`;
    const [whole, status = '', headers = ''] = head;
    if (status === '500') return 'a 500';
    const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
    const text = Buffer.from(rest.slice(whole.length, whole.length + length), 'latin1').toString();
    rest = rest.slice(whole.length + length);
    if (Number(status) < 400 || !/application\/json/.test(headers)) continue;
    const flaw = isLateOrLong(status) ? null : findErrorFlaw(Number(status), JSON.parse(text));
    if (flaw) return flaw;
  }
  return null;
}

// HTTP's own refusals carry the envelope, but belong to no row of the contract's table (choice C73).
const isLateOrLong = (status: string) => status === '408' || status === '431';

it('whatever comes over the wire, whole answers go back and the server lives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(traffic, { minLength: 20, maxLength: 20 }), async (batch) => {
      const received = await Promise.all(batch.map(exchange));
      for (const text of received) expect(findWireFlaw(text)).toBeNull();
    }),
    { numRuns: 150, seed: Number(process.env.FUZZ_SEED ?? 1) },
  );
  expect(bugs).toEqual([]);
  const after = await exchange([seeds[1] as Buffer]);
  expect(after.startsWith('HTTP/1.1 200 OK')).toBe(true);
}, 120_000);
