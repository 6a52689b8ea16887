import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { rulings, rulingsOf } from './rulings.ts';

const clauses: { id: ClauseId; rulings?: string[] }[] = parse(
  readFileSync(new URL('../../spec/clauses.yaml', import.meta.url), 'utf8'),
);

describe('rulings', () => {
  test('concern the clauses that spec/clauses.yaml names', () => {
    const written = Object.fromEntries(
      clauses.map(({ id, rulings: numbers = [] }) => [id, numbers.map((name) => Number(name.slice(1)))]),
    );
    const ours = Object.fromEntries(clauses.map(({ id }) => [id, rulingsOf(id)]));
    const sorted = (table: Record<string, number[]>) =>
      Object.entries(table).map(([id, numbers]) => `${id} ${numbers.toSorted((a, b) => a - b).join()}`);
    expect(sorted(ours)).toEqual(sorted(written));
  });

  test('have a sentence each', () => {
    expect(Object.keys(rulings).map(Number)).toEqual(Array.from({ length: 55 }, (_, index) => index + 1));
    for (const sentence of Object.values(rulings)) expect(sentence).toMatch(/^\S.*\.$/);
  });
});
