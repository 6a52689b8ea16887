import { describe, expect, test } from 'vitest';
import { allMutants, type MutantRow, startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { gradeOf, killOne } from './kill.ts';
import { killAll } from './kill-workers.ts';

function rowOf(name: string, of: MutantRow['of'] = 'mock'): MutantRow {
  const row = allMutants().find((each) => each.name === name && each.of === of);
  if (!row) throw new Error(`There is no mutant ${name}.`);
  return row;
}

describe('judging a mutant', () => {
  test('whose clause is another than the finding’s says so', async () => {
    const kill = await killOne({ ...rowOf('no-key-403'), breaks: '4.calls.limit' });
    expect(gradeOf(kill)).toBe('other');
  });

  test('on a server without a fault finds no killer', async () => {
    const kill = await killOne({ ...rowOf('no-key-403'), start: () => startMockTarget() });
    expect(gradeOf(kill)).toBe('survivor');
  });

  test('that does not start is reported as an error', async () => {
    const start = () => Promise.reject(new Error('no port is free'));
    const kill = await killOne({ ...rowOf('no-key-403'), start });
    expect(kill.errors).toEqual(['the run broke: no port is free']);
    expect(gradeOf(kill)).toBe('survivor');
  });

  test('in separate processes gives the same, in the requested order', async () => {
    const rows = [
      rowOf('no-key-403'),
      rowOf('reply-text-empty-accepted', 'independent'),
      rowOf('sites-with-guard-prefix'),
    ];
    let reported = 0;
    const kills = await killAll(rows, { jobs: 2, onKill: () => (reported += 1) });
    expect(kills.map(({ mutant }) => mutant.name)).toEqual(rows.map(({ name }) => name));
    expect(kills.map(gradeOf)).toEqual(['right', 'right', 'right']);
    expect(reported).toBe(3);
  });
});
