import { describe, expect, test } from 'vitest';
import { allMutants, type MutantRow, startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { gradeOf, killOne } from './kill.ts';

const row = allMutants().find(({ name, of }) => name === 'no-key-403' && of === 'mock') as MutantRow;

describe('judging a mutant', () => {
  test('whose clause is another than the finding’s says so', async () => {
    const kill = await killOne({ ...row, breaks: '4.calls.limit' });
    expect(gradeOf(kill)).toBe('other');
  });

  test('on a server without a fault finds no killer', async () => {
    const kill = await killOne({ ...row, start: () => startMockTarget() });
    expect(gradeOf(kill)).toBe('survivor');
  });

  test('that does not start is reported as an error', async () => {
    const start = () => Promise.reject(new Error('no port is free'));
    const kill = await killOne({ ...row, start });
    expect(kill.errors).toEqual(['the run broke: no port is free']);
    expect(gradeOf(kill)).toBe('survivor');
  });
});
