import { expect, it } from 'vitest';
import { clauses } from '../../src/contract/generated/clauses.ts';
import { interval } from '../results.ts';
import { defects, sourceWith } from './repair.ts';

it('writes each defect into one file of the second implementation', () => {
  const [clean] = defects.map((defect) => sourceWith({ ...defect, edits: [] }));
  for (const defect of defects) {
    const changed = [...sourceWith(defect)].filter(([name, text]) => text !== clean?.get(name));
    expect(changed.map(([name]) => name)).toEqual([defect.file]);
    expect(Object.keys(clauses)).toContain(defect.breaks);
  }
  expect(defects.length).toBeGreaterThanOrEqual(30);
});

it('rejects an edit whose text occurs twice', () => {
  const edits = [['const', 'let']] as const;
  expect(() => sourceWith({ file: 'lists.ts', breaks: '4.sites.list', edits })).toThrow('must have this text once');
});

it('gives the interval of a share', () => {
  expect(interval(27, 30)).toBe('74-97 %');
  expect(interval(0, 0)).toBe('-');
});
