import { describe, expect, test } from 'vitest';
import { responseIn, watchForResponse } from '../event-stream.ts';
import type { Exchange } from '../exchange.ts';
import { defaultOf, readInputs } from './inputs.ts';
import { errorShown, isBreakdown, isInvalid, otherReason, readReply, rowsOf } from './reply.ts';

const apiResponse = (json: unknown, status = 200) => ({ json, status, bodyText: JSON.stringify(json) }) as Exchange;
const result = (value: unknown) => readReply(apiResponse({ jsonrpc: '2.0', id: 1, result: value }), {});
const text = (value: unknown) => [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
const envelope = { error: { code: 'invalid_input', message: 'no' } };
const rpcError = (code: number, message: string, rest: { data?: unknown; status?: number } = {}) =>
  readReply(apiResponse({ jsonrpc: '2.0', id: 1, error: { code, message, data: rest.data } }, rest.status), {});

describe('a reply', () => {
  test.each<[string, ReturnType<typeof result>]>([
    ['a result that calls itself an error, with a text', result({ isError: true, content: text(envelope) })],
    ['the envelope as structure', result({ isError: true, content: [], structuredContent: envelope })],
    ['the envelope alone', result({ content: text(envelope) })],
    ['the words of a framework', result({ isError: true, content: text('MCP error -32602: Input validation error') })],
    ['a JSON-RPC error', rpcError(-32602, 'Invalid params')],
    ['a JSON-RPC error with the code as data', rpcError(-32000, '', { data: envelope.error })],
    ['the REST envelope', readReply(apiResponse(envelope, 400), {})],
  ])('rejects an input by %s', (_, reply) => {
    expect(reply.outcome).toBe('rejected');
    expect(isInvalid(reply)).toBe(true);
    expect(otherReason(reply)).toBeNull();
  });

  test.each<[string, ReturnType<typeof result>]>([
    ['a code that names another', result({ isError: true, content: text('payment_required: add a card') })],
    ['an internal error', rpcError(-32603, 'Internal error')],
    ['a tool that is not there', rpcError(-32601, '')],
    ['a breakdown', readReply(apiResponse({}, 500), {})],
    ['a session that has ended', rpcError(-32001, 'no session', { status: 404 })],
    ['no response', readReply(apiResponse({ hello: 1 }), {})],
  ])('has another reason where there is %s', (_, reply) => {
    expect(isInvalid(reply)).toBe(false);
    expect(otherReason(reply)).not.toBeNull();
  });

  test.each<[string, unknown, readonly unknown[] | null]>([
    ['data in an envelope', { content: text({ data: { calls: [1, 2], nextCursor: null }, summary: '' }) }, [1, 2]],
    ['a structure', { content: [], structuredContent: { customers: [1] } }, [1]],
    ['a list', { content: text([1, 2, 3]) }, [1, 2, 3]],
    ['two lists', { content: text({ a: [1], b: [2] }) }, null],
    ['prose', { content: text('Done.') }, null],
    ['nothing', {}, null],
  ])('shows rows in %s', (_, value, rows) => {
    const reply = result(value);
    expect(reply.outcome).toBe('taken');
    expect(rowsOf(reply)).toEqual(rows);
  });
});

test('an error next to rows is a rejection only where the result says so', () => {
  const partial = { customers: [{ id: 1 }], nextCursor: null, error: { code: 'partial_sync', message: 'late' } };
  const reply = result({ content: text(partial) });
  expect([reply.outcome, rowsOf(reply)]).toEqual(['taken', [{ id: 1 }]]);
  expect(result({ isError: true, content: text(partial) }).outcome).toBe('rejected');
  expect(result({ isError: false, content: text(envelope) }).outcome).toBe('taken');
});

describe('a breakdown', () => {
  test.each<[string, number, unknown, boolean]>([
    ['without a body', 500, undefined, true],
    ['with another code', 500, { error: { code: 'internal', message: '' } }, true],
    ['with a code of the contract', 500, { error: { code: 'transient', message: '' } }, false],
    ['of a gateway', 502, {}, false],
    ['that is not a breakdown', 400, {}, false],
  ])('%s has a matching status', (_, status, body, isOne) => {
    expect(isBreakdown(readReply(apiResponse(body, status), {}))).toBe(isOne);
  });
});

describe('an error of a tool', () => {
  test.each<[string, unknown, unknown]>([
    ['an envelope', { isError: true, content: text(envelope) }, { error: envelope.error }],
    ['a string', { isError: true, content: text({ error: 'invalid_input' }) }, { error: 'invalid_input' }],
    ['words', { isError: true, content: text('no') }, undefined],
    ['an envelope without its field', { isError: true, content: text(envelope.error) }, undefined],
    ['nothing', { content: text(envelope) }, undefined],
  ])('is read from %s', (_, value, shown) => {
    expect(errorShown(result(value))).toEqual(shown);
  });
});

describe('a stream of events', () => {
  const response = { jsonrpc: '2.0', id: 1, result: {} };
  const notice = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n';

  test.each(['\n', '\r\n', '\r'])('is read with line ends %j', (end) => {
    const stream = `: ping${end}${end}id: 7${end}data: {"jsonrpc":"2.0",${end}data:"id":1,"result":{}}${end}${end}`;
    expect(responseIn(stream)).toEqual(response);
  });

  test('is watched piece by piece, until the response is whole', () => {
    const isOver = watchForResponse();
    const bytes = Buffer.from(`${notice}data: {"id":1,"result":{"text":"€"}}\n\ndata: more`);
    const at = bytes.indexOf('€') + 1;
    const pieces = [bytes.subarray(0, 10), bytes.subarray(10, at), bytes.subarray(at)];
    expect(pieces.map(isOver)).toEqual([false, false, true]);
  });

  test('without a response is never over', () => {
    expect(watchForResponse()(Buffer.from(notice.repeat(50)))).toBe(false);
    expect(responseIn('data: {"id":1,\n\n')).toBeUndefined();
  });

  test.each([1, 2, 3, 5, 400])('is found if the stream arrives in chunks of %i bytes, for all line endings', (size) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = ['event: message', 'data: {"note":1}', '', 'data: {"id":1,"result":{}}', '', ''];
      const bytes = Buffer.from(lines.join(end));
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      const isOver = watchForResponse();
      expect(starts.map((start) => isOver(bytes.subarray(start, start + size)))).toContain(true);
    }
  });

  test('is sought in time when four megabytes without an end drip in', () => {
    const isOver = watchForResponse();
    const piece = Buffer.from('data: x\n'.repeat(16));
    const startMs = performance.now();
    for (let i = 0; i < 32_000; i += 1) isOver(piece);
    expect(performance.now() - startMs).toBeLessThan(1000);
  });
});

const read = (inputSchema: Record<string, unknown>) => readInputs({ name: 'x', inputSchema, exchange: {} as Exchange });
const max = { type: 'integer', minimum: 1, maximum: 100, default: 25 };
const bounded = (schema: object) => ({ properties: { max: { default: 25, ...schema } } });

describe('the inputs of a tool', () => {
  const outside = { minimum: 0, maximum: 101 };
  const [few, many] = [40, 100].map((maximum) => ({ minimum: maximum === 40 ? 1 : 41, maximum }));
  test.each<[string, Record<string, unknown>]>([
    ['directly', { properties: { max } }],
    ['next to null', { properties: { max: { anyOf: [max, { type: 'null' }] } } }],
    ['in a reference', { $defs: { a: max }, properties: { max: { $ref: '#/$defs/a' } } }],
    ['in an escaped reference', { $defs: { 'a/b~': max }, properties: { max: { $ref: '#/$defs/a~1b~0' } } }],
    ['in a part of the whole', { allOf: [{ properties: { max } }] }],
    ['in the words of draft 4', bounded({ ...outside, exclusiveMinimum: true, exclusiveMaximum: true })],
    ['with bounds between whole numbers', bounded({ exclusiveMinimum: 0.5, exclusiveMaximum: 100.5 })],
    ['in alternatives, of which the widest counts', bounded({ anyOf: [few, many] })],
    ['next to an alternative of another type', bounded({ oneOf: [max, { type: 'string' }] })],
    ['in one alternative of the whole', { anyOf: [{ properties: { max } }, { required: [] }] }],
    ['with bounds that exclude', bounded({ exclusiveMinimum: 0, exclusiveMaximum: 101 })],
  ])('are read %s', (_, schema) => {
    const inputs = read(schema);
    expect(inputs.names).toEqual(['max']);
    expect(inputs.bounds('max', 'value')).toEqual({ lower: 1, upper: 100 });
    expect(defaultOf(inputs.of('max'))).toBe(25);
  });

  test('have no bound where a generator writes the largest safe number', () => {
    const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    expect(read({ properties: { max: safe } }).bounds('max', 'value')).toEqual({ lower: null, upper: null });
  });

  test('that are circular or unresolved are ignored', () => {
    expect(read({ $ref: '#', allOf: [{ $ref: '#' }, 7, null], properties: 'x' }).names).toEqual([]);
    expect(read({ properties: { max: { $ref: 'https://elsewhere' } } }).bounds('max', 'value').upper).toBeNull();
  });

  test('have no bound where an alternative has none', () => {
    const open = { anyOf: [{ maximum: 40 }, {}] };
    expect(read({ properties: { max: open } }).bounds('max', 'value').upper).toBeNull();
  });

  const [csv, rows] = [{ required: ['csv'] }, { required: ['rows'] }];
  test.each<[string, Record<string, unknown>, string[]]>([
    ['one of two', { oneOf: [csv, rows] }, []],
    ['one of two, in references', { $defs: { csv, rows }, anyOf: [{ $ref: '#/$defs/csv' }, rows] }, []],
    ['what all alternatives want', { anyOf: [csv, { required: ['rows', 'csv'] }] }, ['csv']],
    ['all parts', { allOf: [csv, rows] }, ['csv', 'rows']],
  ])('want %s', (_, schema, required) => {
    expect(read(schema).required).toEqual(required);
  });

  test.each<[string, Record<string, unknown>, boolean]>([
    ['by type', { type: ['string', 'null'] }, true],
    ['by alternative', { anyOf: [{ type: 'string' }, { type: 'null' }] }, true],
    ['by flag', { type: 'string', nullable: true }, true],
    ['never', { type: 'string' }, false],
  ])('may be null %s', (_, schema, mayBe) => {
    expect(read({ properties: { a: schema } }).mayBeNull('a')).toBe(mayBe);
  });

  test('show whether more is accepted, and the required inputs', () => {
    expect(read({ properties: { a: {} }, required: ['a'], additionalProperties: false })).toMatchObject({
      required: ['a'],
      isClosed: true,
    });
    expect(read({})).toMatchObject({ names: [], required: [], isClosed: false });
  });
});
