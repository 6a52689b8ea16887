import { describe, expect, test } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { boundsOf, defaultOf, readInputs } from './inputs.ts';

const read = (inputSchema: Record<string, unknown>) => readInputs({ name: 'x', inputSchema, exchange: {} as Exchange });
const max = { type: 'integer', minimum: 1, maximum: 100, default: 25 };

describe('the inputs of a tool', () => {
  test.each<[string, Record<string, unknown>]>([
    ['as they stand', { properties: { max } }],
    ['beside null', { properties: { max: { anyOf: [max, { type: 'null' }] } } }],
    ['behind a reference', { $defs: { a: max }, properties: { max: { $ref: '#/$defs/a' } } }],
    ['behind an escaped reference', { $defs: { 'a/b~': max }, properties: { max: { $ref: '#/$defs/a~1b~0' } } }],
    ['in a part of the whole', { allOf: [{ properties: { max } }] }],
    ['with bounds that exclude', { properties: { max: { exclusiveMinimum: 0, exclusiveMaximum: 101, default: 25 } } }],
  ])('are read %s', (_, schema) => {
    const inputs = read(schema);
    expect(inputs.names).toEqual(['max']);
    expect(boundsOf(inputs.of('max'), 'value')).toEqual({ lower: 1, upper: 100 });
    expect(defaultOf(inputs.of('max'))).toBe(25);
  });

  test('have no bound where a generator writes the largest safe number', () => {
    const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    expect(boundsOf(read({ properties: { max: safe } }).of('max'), 'value')).toEqual({ lower: null, upper: null });
  });

  test('that lead in a circle, or nowhere, are none', () => {
    expect(read({ $ref: '#', allOf: [{ $ref: '#' }, 7, null], properties: 'x' }).names).toEqual([]);
    expect(boundsOf(read({ properties: { max: { $ref: 'https://elsewhere' } } }).of('max'), 'value').upper).toBeNull();
  });

  test('say whether more is taken, and what must be given', () => {
    expect(read({ properties: { a: {} }, required: ['a'], additionalProperties: false })).toMatchObject({
      required: ['a'],
      isClosed: true,
    });
    expect(read({})).toMatchObject({ names: [], required: [], isClosed: false });
  });
});
