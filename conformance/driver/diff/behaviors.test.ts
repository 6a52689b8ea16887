import { describe, expect, test } from 'vitest';
import type { BehaviorId } from '../../../src/contract/generated/behaviors.ts';
import type { Shape } from '../../../src/contract/shape.ts';
import { type BehaviorState, shareName } from '../../behaviors/observe.ts';
import type { ClauseCoverage } from '../../report/coverage.ts';
import { relateBehaviors, relateClauses, relateShapes, showState } from './relation.ts';

const known = (id: BehaviorId, value: unknown): BehaviorState => ({
  id,
  state: 'known',
  value,
  seen: 3,
  exchanges: [],
});
const mixed = (id: BehaviorId, ...values: string[]): BehaviorState => ({
  id,
  state: 'mixed',
  value: values[0],
  shares: Object.fromEntries(values.map((value) => [value, 0.5])),
  seen: 4,
  exchanges: [],
});
const listWith = (field: string) => ({
  type: 'array',
  items: { type: 'object', fields: { [field]: { type: 'string' } } },
});
const listOf = (field: string) => shareName(listWith(field));
const shapeOf = (field: string) => known('issues', listWith(field));
const unknown = (id: BehaviorId): BehaviorState => ({ id, state: 'unknown', why: 'not observed' });

test('a shape is printed as a person writes it', () => {
  const fields = {
    id: { type: 'string', form: 'uuid' },
    agent: { type: 'string', nullable: true, optional: true },
    tags: { type: 'array', items: { type: 'string' } },
  };
  expect(showState(known('callRecord', { type: 'object', fields }))).toBe(
    '{ id: uuid, agent?: string or null, tags: [string] }',
  );
  const two = { ...mixed('issues', listOf('path'), listOf('field')), value: listWith('path') } as BehaviorState;
  expect(showState(two)).toBe('[{ path: string }], and 1 more');
  expect(showState(known('extraFields', null))).toBe('null');
});

describe('two behaviors', () => {
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
    ['both in two separate ways', mixed('idVersion', '4', '7'), mixed('idVersion', '1', '5'), 'differs'],
    ['two ways with one in common', mixed('idVersion', '4', '7'), mixed('idVersion', '4', '5'), 'open'],
    ['two shapes with one in common', mixed('issues', listOf('path'), listOf('field')), shapeOf('field'), 'open'],
    ['a shape that the other never showed', mixed('issues', listOf('path'), listOf('field')), shapeOf('at'), 'differs'],
    ['forms in another order', known('timestampForm', 'a | b'), known('timestampForm', 'b | a'), 'same'],
    ['a form that the other has among others', known('timestampForm', 'a | b'), known('timestampForm', 'b'), 'open'],
    [
      'fractions trimmed to other lengths',
      known('timestampForm', 'YYYYMMDDThhmmss[.fff]Z'),
      known('timestampForm', 'YYYYMMDDThhmmss[.ff]Z'),
      'same',
    ],
    [
      'a trimmed fraction and none',
      known('timestampForm', 'YYYYMMDDThhmmss[.fff]Z'),
      known('timestampForm', 'YYYYMMDDThhmmssZ'),
      'open',
    ],
    [
      'trimmed fractions in other zones',
      known('timestampForm', 'YYYYMMDDThhmmss[.fff]Z'),
      known('timestampForm', 'YYYYMMDDThhmmss+0530'),
      'differs',
    ],
    ['forms that have nothing in common', known('timestampForm', 'a | b'), known('timestampForm', 'c'), 'differs'],
    [
      'a value that is inconclusive from outside',
      known('retryAfter', 'always'),
      known('retryAfter', 'usually'),
      'open',
    ],
    [
      'no reply in the data of one side',
      known('reviewReplied', 'when-replied'),
      known('reviewReplied', 'none'),
      'open',
    ],
    ['a page size', known('reviewPageSize', 10), known('reviewPageSize', 25), 'differs'],
    ['times', known('latency', { p50: 1, p90: 2, p99: 3 }), known('latency', { p50: 1, p90: 2, p99: 3 }), 'open'],
  ] as const)('%s', (_name, a, b, kind) => {
    expect(relateBehaviors(a, b).kind).toBe(kind);
    expect(relateBehaviors(b, a).kind).toBe(kind);
  });
});

const object = (fields: Record<string, Shape>): Shape => ({ type: 'object', fields });
const text: Shape = { type: 'string', form: 'text' };

describe('two shapes', () => {
  test.each([
    ['fields in another order', object({ a: text, b: text }), object({ b: text, a: text }), 'same'],
    ['a field that one side never has', object({ a: text, b: text }), object({ a: text }), 'differs'],
    [
      'a field that some records lack',
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
    ['only nulls on one side', object({ a: text }), object({ a: { type: 'null' } }), 'same'],
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
    expect(relation).toEqual({ kind: 'differs', why: 'call.id is on A only; call.sid is on B only' });
  });
});

const row = (more: Partial<ClauseCoverage>) =>
  ({ clause: '5.revoked-key', result: null, why: null, ...more }) as ClauseCoverage;

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
  const relation = relateClauses(row({ result: 'pass' }), row({ why: 'not observed' }));
  expect(relation).toEqual({ kind: 'open', why: 'B: not observed' });
});
