import { describe, expect, test } from 'vitest';
import type { ReadingId } from '../../src/contract/generated/readings.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { type ReadingState, shareName } from '../observe/observe.ts';
import type { ClauseCoverage } from '../report/coverage.ts';
import { relateClauses, relateReadings, relateShapes, showState } from './relation.ts';

const known = (id: ReadingId, value: unknown): ReadingState => ({ id, state: 'known', value, seen: 3, exchanges: [] });
const mixed = (id: ReadingId, ...values: string[]): ReadingState => ({
  id,
  state: 'mixed',
  value: values[0],
  shares: Object.fromEntries(values.map((value) => [value, 0.5])),
  seen: 4,
  exchanges: [],
});
const listWith = (member: string) => ({
  type: 'array',
  items: { type: 'object', members: { [member]: { type: 'string' } } },
});
const listOf = (member: string) => shareName(listWith(member));
const shapeOf = (member: string) => known('issues', listWith(member));
const unknown = (id: ReadingId): ReadingState => ({ id, state: 'unknown', why: 'nothing showed it' });

test('a shape is told as a person writes it', () => {
  const members = {
    id: { type: 'string', form: 'uuid' },
    agent: { type: 'string', nullable: true, optional: true },
    tags: { type: 'array', items: { type: 'string' } },
  };
  expect(showState(known('callRecord', { type: 'object', members }))).toBe(
    '{ id: uuid, agent?: string or null, tags: [string] }',
  );
  const two = { ...mixed('issues', listOf('path'), listOf('field')), value: listWith('path') } as ReadingState;
  expect(showState(two)).toBe('[{ path: string }], and 1 more');
  expect(showState(known('extraMembers', null))).toBe('null');
});

describe('two readings', () => {
  test.each([
    ['the same word', known('articleOrder', 'newest'), known('articleOrder', 'newest'), 'same'],
    ['another word', known('articleOrder', 'newest'), known('articleOrder', 'oldest'), 'differs'],
    ['nothing seen on one side', known('articleOrder', 'newest'), unknown('articleOrder'), 'open'],
    ['nothing seen on both sides', unknown('articleOrder'), unknown('articleOrder'), 'open'],
    [
      'one side in two ways',
      mixed('malformedId', 'not_found', 'invalid_input'),
      known('malformedId', 'not_found'),
      'open',
    ],
    ['both in the same two ways', mixed('idVersion', '4', '7'), mixed('idVersion', '7', '4'), 'same'],
    ['both in two ways of their own', mixed('idVersion', '4', '7'), mixed('idVersion', '1', '5'), 'differs'],
    ['two ways with one in common', mixed('idVersion', '4', '7'), mixed('idVersion', '4', '5'), 'open'],
    ['two shapes with one in common', mixed('issues', listOf('path'), listOf('field')), shapeOf('field'), 'open'],
    ['a shape that the other never showed', mixed('issues', listOf('path'), listOf('field')), shapeOf('at'), 'differs'],
    ['forms in another order', known('instantForm', 'a | b'), known('instantForm', 'b | a'), 'same'],
    ['a form that the other has among others', known('instantForm', 'a | b'), known('instantForm', 'b'), 'open'],
    [
      'fractions trimmed to other lengths',
      known('instantForm', 'YYYYMMDDThhmmss[.fff]Z'),
      known('instantForm', 'YYYYMMDDThhmmss[.ff]Z'),
      'same',
    ],
    [
      'a trimmed fraction and none',
      known('instantForm', 'YYYYMMDDThhmmss[.fff]Z'),
      known('instantForm', 'YYYYMMDDThhmmssZ'),
      'open',
    ],
    [
      'trimmed fractions in other zones',
      known('instantForm', 'YYYYMMDDThhmmss[.fff]Z'),
      known('instantForm', 'YYYYMMDDThhmmss+0530'),
      'differs',
    ],
    ['forms that have nothing in common', known('instantForm', 'a | b'), known('instantForm', 'c'), 'differs'],
    ['a value that cannot be told from outside', known('retryAfter', 'always'), known('retryAfter', 'usually'), 'open'],
    [
      'no reply in the data of one side',
      known('reviewReplied', 'when-replied'),
      known('reviewReplied', 'none'),
      'open',
    ],
    ['a page size', known('reviewPageSize', 10), known('reviewPageSize', 25), 'differs'],
    ['times', known('latency', { p50: 1, p90: 2, p99: 3 }), known('latency', { p50: 1, p90: 2, p99: 3 }), 'open'],
  ] as const)('%s', (_name, a, b, kind) => {
    expect(relateReadings(a, b).kind).toBe(kind);
    expect(relateReadings(b, a).kind).toBe(kind);
  });
});

const object = (members: Record<string, Shape>): Shape => ({ type: 'object', members });
const text: Shape = { type: 'string', form: 'text' };

describe('two shapes', () => {
  test.each([
    ['members in another order', object({ a: text, b: text }), object({ b: text, a: text }), 'same'],
    ['a member that one side never has', object({ a: text, b: text }), object({ a: text }), 'differs'],
    [
      'a member that some records lack',
      object({ a: text, b: { ...text, optional: true } }),
      object({ a: text }),
      'same',
    ],
    ['another type', object({ a: text }), object({ a: { type: 'integer' } }), 'differs'],
    [
      'a number that happens to be whole',
      object({ a: { type: 'number' } }),
      object({ a: { type: 'integer' } }),
      'same',
    ],
    ['nothing but nulls on one side', object({ a: text }), object({ a: { type: 'null' } }), 'same'],
    [
      'another vocabulary',
      object({ a: { type: 'string', values: ['x'] } }),
      object({ a: { type: 'string', values: ['y'] } }),
      'same',
    ],
    [
      'another form',
      object({ a: { type: 'string', form: 'uuid' } }),
      object({ a: { type: 'string', form: 'digits' } }),
      'differs',
    ],
    [
      'seconds and milliseconds',
      object({ a: { type: 'integer', form: 'epoch seconds' } }),
      object({ a: { type: 'integer', form: 'epoch milliseconds' } }),
      'differs',
    ],
    [
      'text, which may look like anything',
      object({ a: text }),
      object({ a: { type: 'string', form: 'digits' } }),
      'same',
    ],
    [
      'entries of a list',
      { type: 'array', items: object({ a: text }) },
      { type: 'array', items: object({ b: text }) },
      'differs',
    ],
    ['nothing at all on one side', null, object({ a: text }), 'differs'],
    ['nothing at all', null, null, 'same'],
  ] as readonly (readonly [string, Shape | null, Shape | null, string])[])('%s', (_name, a, b, kind) => {
    expect(relateShapes(a, b).kind).toBe(kind);
    expect(relateShapes(b, a).kind).toBe(kind);
  });

  test('says where they differ', () => {
    const relation = relateShapes(object({ call: object({ id: text }) }), object({ call: object({ sid: text }) }));
    expect(relation).toEqual({ kind: 'differs', why: 'call.id stands on A only; call.sid stands on B only' });
  });
});

const row = (more: Partial<ClauseCoverage>) =>
  ({ clause: '5.revoked-key', verdict: null, why: null, ...more }) as ClauseCoverage;

test.each([
  ['--mcp-url URL', 'needs --mcp-url-a URL and --mcp-url-b URL'],
  ['CONFORMANCE_SECOND_KEY', 'needs CONFORMANCE_SECOND_KEY_A and CONFORMANCE_SECOND_KEY_B'],
  ['CONFORMANCE_REVOKED_KEY', 'needs CONFORMANCE_REVOKED_KEY_A and CONFORMANCE_REVOKED_KEY_B'],
  ['--allow-writes=links', 'a comparison writes nothing: an audit needs --allow-writes=links'],
  ['--watch', 'no plain run shows it: an audit needs --watch'],
])('a clause that needs %s says how a comparison opens it', (needs, why) => {
  const open = row({ why: `needs ${needs}` });
  expect(relateClauses(open, open)).toEqual({ kind: 'open', why });
});

test('a clause that one side alone shows names the other', () => {
  const relation = relateClauses(row({ verdict: 'pass' }), row({ why: 'nothing showed it' }));
  expect(relation).toEqual({ kind: 'open', why: 'B: nothing showed it' });
});
