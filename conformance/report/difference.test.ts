import { describe, expect, test } from 'vitest';
import { renderDiffTerminal } from '../reporters/diff-terminal.ts';
import { comparableBehaviors, concludeDiff, type Difference, type Dimension } from './difference.ts';

const side = (name: 'A' | 'B') => ({
  name,
  label: name,
  target: 'http://x',
  requests: 1,
  seconds: 1,
  isMockTime: false,
  rounds: 1,
});
const dimension = (given: Partial<Dimension>): Dimension => ({
  layer: 'result',
  id: '2.site.id',
  about: 'a fact',
  clauses: [],
  outcome: 'same',
  a: 'verified',
  b: 'verified',
  fault: null,
  why: null,
  times: 1,
  responses: null,
  exchanges: [],
  ...given,
});
const same = [...comparableBehaviors].map((id) => dimension({ layer: 'behavior', id }));
const of = (...dimensions: Dimension[]): Difference => ({
  tool: 'diff',
  toolVersion: '0',
  contractVersion: '1',
  runId: 'r',
  startedAt: '2026-01-01T00:00:00.000Z',
  seconds: 1,
  a: side('A'),
  b: side('B'),
  dimensions: [...same, ...dimensions],
  exchanges: [],
  abort: null,
  keepsBodies: true,
});
const once = {
  outcome: 'not comparable',
  fault: 'B',
  b: 'is broken: expected string, got null',
  why: 'a second run of A did not show it',
} as const;

describe('concludeDiff', () => {
  test.each([
    ['the same', [], 0],
    ['a clause that neither side shows', [dimension({ outcome: 'not comparable', a: null, b: null })], 0],
    ['a clause that both break', [dimension({ fault: 'both' })], 0],
    ['a breach that was shown once', [dimension(once)], 3],
    [
      'a breach that was shown once, next to a legal difference',
      [dimension(once), dimension({ outcome: 'differs legally' })],
      1,
    ],
  ] as const)('ends %s with its code', (_name, dimensions, code) => {
    expect(concludeDiff(of(...dimensions)).exitCode).toBe(code);
  });

  test('lists a violation that was shown once first', () => {
    const difference = of(dimension(once), dimension({ id: '2.site.name', outcome: 'differs legally' }));
    const text = renderDiffTerminal(difference, concludeDiff(difference));
    expect(text).toContain('B violated it once  2.site.id (result)');
    expect(text).toContain('a second run of A did not show it');
    expect(text.indexOf('violated it once')).toBeLessThan(text.indexOf('differs legally'));
  });
});
