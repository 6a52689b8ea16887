import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../independent/index.ts';
import { alarmsOn } from '../rigs/judge.ts';
import { startIndependentTarget, startMockTarget } from '../rigs/targets.ts';
import { doorAlone, mutantsOfDoor } from './door-alone.ts';
import { gradeOf, killOne } from './kill.ts';

/** One of each clause, of whichever implementation comes first; the others are of the same kinds. */
const rows = [...new Map(mutantsOfDoor().map((row) => [row.breaks, row])).values()];

/** Not without the other door: both have to be asked, or a key that opens one of them. */
const beyond = ['8.key-window-shared', '8.address-window', '1.mcp-door', '1.organization-scope'];

describe('the MCP door as the whole target', () => {
  test.each(rows.filter(({ breaks }) => !beyond.includes(breaks)))('shows $name of $breaks', async (row) => {
    const kill = await killOne(row);
    expect([gradeOf(kill), kill.errors, kill.abort]).toEqual(['right', [], null]);
  });

  test.each([1, 2, 3])('raises no alarm on the mock, greased with seed %d', async (grease) => {
    expect(await alarmsOn(await doorAlone(() => startMockTarget({ grease })))).toEqual([]);
  });

  test.each(VARIANT_NAMES)('raises no alarm on the legal variant %s', async (variant) => {
    expect(await alarmsOn(await doorAlone(() => startIndependentTarget({ variant })))).toEqual([]);
  });
});
