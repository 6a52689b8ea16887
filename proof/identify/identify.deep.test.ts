import { describe, expect, it } from 'vitest';
import { comparableBehaviors } from '../../conformance/report/difference.ts';
import { variantNames } from '../independent/index.ts';
import { columns, identifyColumn, identifyVariant, plainReport, type ValueRow } from './identify.ts';

/** The same for all variants. */
const plain = plainReport();

describe('the identifiability matrix', () => {
  it('calibrates every value of every behavior back, or says why it is inconclusive', {
    timeout: 600_000,
  }, async () => {
    const rows: ValueRow[] = [];
    for (const column of columns()) rows.push(...(await identifyColumn(column)));
    const name = ({ id, value }: ValueRow) => `${id} ${JSON.stringify(value)}`;
    const identified = new Set(rows.filter(({ result }) => result === 'identified').map(name));
    const missed = rows.filter((row) => row.result === 'missed' && !identified.has(name(row)));
    expect(missed.map((row) => `${name(row)}: ${row.why}`)).toEqual([]);
    expect(identified.size).toBeGreaterThan(150);
  });

  it.each(variantNames)(
    'makes a calibrated mock of the variant %s that is inconclusive from it',
    { timeout: 120_000 },
    async (variant) => {
      const row = await identifyVariant(variant, await plain);
      expect(row.differs).toEqual([]);
      expect(row.failures).toEqual([]);
      expect(row.before.behaviors.same).toBeLessThan(row.before.behaviors.compared);
      expect(row.after.behaviors.same).toBe(row.after.behaviors.compared);
      // An organization that has nothing shows little of anybody's habits.
      if (variant !== 'empty') expect(row.after.behaviors.compared).toBeGreaterThan(comparableBehaviors.size / 2);
      expect(row.requests + row.requestsAgain).toBeLessThanOrEqual(150);
    },
  );
});
