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
const listWith = (name: string) => ({ type: 'array', items: { type: 'object', fields: { [name]: text } } });
const listOf = (field: string) => shareName(listWith(field));
const shapeOf = (field: string) => known('issues', listWith(field));
const form = (value: string) => known('timestampForm', value);
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
  expect(showState(two)).toBe('[{ path: text }], and 1 more');
  expect(showState(known('extraFields', null))).toBe('null');
});

describe('two behaviors', () => {
  test.each([
    ['the same word', known('articleOrder', 'newest'), known('articleOrder', 'newest'), 'same'],
    ['another word', known('articleOrder', 'newest'), known('articleOrder', 'oldest'), 'differs'],
    ['nothing seen on one side', known('articleOrder', 'newest'), unknown('articleOrder'), 'open'],
    ['nothing seen on both sides', unknown('articleOrder'), unknown('articleOrder'), 'open'],
    ['two ways on A', mixed('malformedId', 'not_found', 'invalid_input'), known('malformedId', 'not_found'), 'open'],
    ['both in the same two ways', mixed('idVersion', '4', '7'), mixed('idVersion', '7', '4'), 'same'],
    ['both in two separate ways', mixed('idVersion', '4', '7'), mixed('idVersion', '1', '5'), 'differs'],
    ['two ways with one in common', mixed('idVersion', '4', '7'), mixed('idVersion', '4', '5'), 'open'],
    ['two shapes with one in common', mixed('issues', listOf('path'), listOf('field')), shapeOf('field'), 'open'],
    ['a shape that the other never showed', mixed('issues', listOf('path'), listOf('field')), shapeOf('at'), 'differs'],
    ['forms in another order', known('timestampForm', 'a | b'), known('timestampForm', 'b | a'), 'same'],
    ['a form that the other has among others', known('timestampForm', 'a | b'), known('timestampForm', 'b'), 'open'],
    ['other trimmed lengths', form('YYYYMMDDThhmmss[.fff]Z'), form('YYYYMMDDThhmmss[.ff]Z'), 'same'],
    ['a trimmed fraction and none', form('YYYYMMDDThhmmss[.fff]Z'), form('YYYYMMDDThhmmssZ'), 'open'],
    ['trimmed fractions in other zones', form('YYYYMMDDThhmmss[.fff]Z'), form('YYYYMMDDThhmmss+0530'), 'differs'],
    ['forms that have nothing in common', known('timestampForm', 'a | b'), known('timestampForm', 'c'), 'differs'],
    ['a value that is open from outside', known('retryAfter', 'always'), known('retryAfter', 'usually'), 'open'],
    ['no reply on one side', known('reviewReplied', 'when-replied'), known('reviewReplied', 'none'), 'open'],
    ['a page size', known('reviewPageSize', 10), known('reviewPageSize', 25), 'differs'],
    ['times', known('latency', { p50: 1, p90: 2, p99: 3 }), known('latency', { p50: 1, p90: 2, p99: 3 }), 'open'],
  ] as const)('%s', (_name, a, b, kind) => {
    expect(relateBehaviors(a, b).kind).toBe(kind);
    expect(relateBehaviors(b, a).kind).toBe(kind);
  });
});

const listOfShape = (fields: Record<string, Shape>): Shape => ({ type: 'array', items: object(fields) });
const object = (fields: Record<string, Shape>): Shape => ({ type: 'object', fields });
const text: Shape = { type: 'string', form: 'text' };

describe('two shapes', () => {
  test.each([
    ['fields in another order', object({ a: text, b: text }), object({ b: text, a: text }), 'same'],
    ['a field that one side never has', object({ a: text, b: text }), object({ a: text }), 'differs'],
    ['a field that some lack', object({ a: text, b: { ...text, optional: true } }), object({ a: text }), 'same'],
    ['another type', object({ a: text }), object({ a: { type: 'integer' } }), 'differs'],
    ['a number that is whole', object({ a: { type: 'number' } }), object({ a: { type: 'integer' } }), 'same'],
    ['only nulls on one side', object({ a: text }), object({ a: { type: 'null' } }), 'same'],
    ['other words', object({ a: { ...text, values: ['x'] } }), object({ a: { ...text, values: ['y'] } }), 'same'],
    ['another form', object({ a: { ...text, form: 'uuid' } }), object({ a: { ...text, form: 'digits' } }), 'differs'],
    [
      'seconds and milliseconds',
      object({ a: { type: 'integer', form: 'epoch seconds' } }),
      object({ a: { type: 'integer', form: 'epoch milliseconds' } }),
      'differs',
    ],
    ['text, which may look like anything', object({ a: text }), object({ a: { ...text, form: 'digits' } }), 'same'],
    ['entries of a list', listOfShape({ a: text }), listOfShape({ b: text }), 'differs'],
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
