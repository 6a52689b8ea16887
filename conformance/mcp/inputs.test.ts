import { describe, expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { defaultOf, readInputs } from './inputs.ts';

const read = (inputSchema: Record<string, unknown>) => readInputs({ name: 'x', inputSchema, exchange: {} as Exchange });
const max = { type: 'integer', minimum: 1, maximum: 100, default: 25 };

describe('the inputs of a tool', () => {
  test.each<[string, Record<string, unknown>]>([
    ['directly', { properties: { max } }],
    ['next to null', { properties: { max: { anyOf: [max, { type: 'null' }] } } }],
    ['in a reference', { $defs: { a: max }, properties: { max: { $ref: '#/$defs/a' } } }],
    ['in an escaped reference', { $defs: { 'a/b~': max }, properties: { max: { $ref: '#/$defs/a~1b~0' } } }],
    ['in a part of the whole', { allOf: [{ properties: { max } }] }],
    [
      'with bounds that exclude, in the words of draft 4',
      {
        properties: { max: { minimum: 0, exclusiveMinimum: true, maximum: 101, exclusiveMaximum: true, default: 25 } },
      },
    ],
    [
      'with bounds between whole numbers',
      { properties: { max: { exclusiveMinimum: 0.5, exclusiveMaximum: 100.5, default: 25 } } },
    ],
    [
      'in alternatives, of which the widest counts',
      {
        properties: {
          max: {
            default: 25,
            anyOf: [
              { minimum: 1, maximum: 40 },
              { minimum: 41, maximum: 100 },
            ],
          },
        },
      },
    ],
    [
      'next to an alternative of another type',
      { properties: { max: { oneOf: [max, { type: 'string', pattern: '^1?[0-9]$' }] } } },
    ],
    ['in one alternative of the whole', { anyOf: [{ properties: { max } }, { required: [] }] }],
    ['with bounds that exclude', { properties: { max: { exclusiveMinimum: 0, exclusiveMaximum: 101, default: 25 } } }],
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
