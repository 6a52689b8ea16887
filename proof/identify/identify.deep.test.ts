import { describe, expect, it } from 'vitest';
import { tellable } from '../../conformance/report/difference.ts';
import { VARIANT_NAMES } from '../independent/index.ts';
import { columns, identifyColumn, identifyVariant, plainReport, type ValueRow } from './identify.ts';

/** The same for all variants. */
const plain = plainReport();

describe('the identifiability matrix', () => {
  it('calibrates every value of every reading back, or says why it cannot be told', { timeout: 600_000 }, async () => {
    const rows: ValueRow[] = [];
    for (const column of columns()) rows.push(...(await identifyColumn(column)));
    const name = ({ id, value }: ValueRow) => `${id} ${JSON.stringify(value)}`;
    const told = new Set(rows.filter(({ verdict }) => verdict === 'identified').map(name));
    const missed = rows.filter((row) => row.verdict === 'missed' && !told.has(name(row)));
    expect(missed.map((row) => `${name(row)}: ${row.why}`)).toEqual([]);
    expect(told.size).toBeGreaterThan(150);
  });

  it.each(VARIANT_NAMES)(
    'makes a twin of the variant %s that cannot be told from it',
    { timeout: 120_000 },
    async (variant) => {
      const row = await identifyVariant(variant, await plain);
      expect(row.differs).toEqual([]);
      expect(row.alarms).toEqual([]);
      expect(row.before.readings.same).toBeLessThan(row.before.readings.compared);
      expect(row.after.readings.same).toBe(row.after.readings.compared);
      // An organization that has nothing shows little of anybody's habits.
      if (variant !== 'empty') expect(row.after.readings.compared).toBeGreaterThan(tellable.size / 2);
      expect(row.requests + row.requestsAgain).toBeLessThanOrEqual(150);
    },
  );
});
