import { describe, expect, it } from 'vitest';
import { clauses } from '../../src/contract/generated/clauses.ts';
import { mutants } from '../../src/mutants/index.ts';
import { checks } from '../checks/index.ts';
import { rules } from '../rules/index.ts';
import data from './generated/defects.json' with { type: 'json' };
import { type KnownDefects, nearestOf, shapeOf } from './nearest.ts';

const finding = { clause: '4.sites.list', pointer: '/data/3/id', actual: '17' } as const;
const cause = { operation: 'listSites', finding, checks: ['sites/list', 'sites/by-id'], consequences: ['lists/again'] };

/** One shape with the given mutants, each with the indexes of its checks. */
const known = (...rows: KnownDefects['shapes'][string]): KnownDefects => ({
  titles: { one: 'One is wrong.', other: 'Another is wrong.' },
  checks: ['sites/list', 'sites/by-id', 'lists/again', 'calls/limit'],
  shapes: { [shapeOf(cause)]: rows },
});

describe('the nearest known defect', () => {
  it('has the shape of the cause and fails the same checks', () => {
    expect(shapeOf(cause)).toBe('listSites 4.sites.list /data/*/id number');
    const nearest = { id: 'one', title: 'One is wrong.', similarity: 0.67 };
    expect(nearestOf(cause, known([['one'], [0, 1]], [['other'], [3]]))).toEqual(nearest);
  });

  it.each([
    [
      'two mutants fail the same checks',
      known([
        ['one', 'other'],
        [0, 1, 2],
      ]),
    ],
    ['another one is hardly less similar', known([['one'], [0, 1, 2]], [['other'], [0, 1, 2]])],
    ['no mutant is similar enough', known([['one'], [0, 3]])],
    ['no mutant has the shape', { ...known(), shapes: {} }],
  ])('is left out when %s', (_, defects) => {
    expect(nearestOf(cause, defects)).toBeNull();
  });

  it('compares values by their kind and without ids', () => {
    const kindOf = (actual: string) =>
      shapeOf({ operation: null, finding: { ...finding, pointer: '#status', actual } });
    expect(kindOf('404 not_found')).toBe('all 4.sites.list #status 404 not_found');
    expect(kindOf('another status than x17')).toBe(kindOf('another status than x2'));
    expect(
      [kindOf('"a"'), kindOf('1.5'), kindOf('{"a":1}'), kindOf('[]')].map((each) => each.split(' ').at(-1)),
    ).toEqual(['text', 'fraction', 'object', 'list']);
  });
});

// `npm run mutants -- --diagnose --write` writes the data again.
it('knows mutants with their titles, checks and clauses of today', () => {
  const today = new Map(mutants.map(({ name, shows }) => [name, shows]));
  const ids = new Set([...checks, ...rules].map(({ id }) => id));
  const { titles, shapes } = data as unknown as KnownDefects;
  expect(Object.entries(titles).filter(([name, title]) => today.get(name) !== title)).toEqual([]);
  expect(data.checks.filter((id) => !ids.has(id))).toEqual([]);
  expect(Object.keys(shapes).filter((shape) => !((shape.split(' ')[1] ?? '') in clauses))).toEqual([]);
  expect(new Set(Object.values(shapes).flatMap((rows) => rows.flatMap(([names]) => names)))).toEqual(
    new Set(Object.keys(titles)),
  );
});
