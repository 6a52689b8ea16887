import { describe, expect, it } from 'vitest';
import { VARIANT_NAMES } from '../independent/index.ts';
import { columns, identifyColumn, identifyVariant, plainProfile, type ValueRow } from './identify.ts';

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
      const row = await identifyVariant(variant, await plainProfile());
      expect(row.differs).toEqual([]);
      expect(row.alarms).toEqual([]);
      expect(row.comparable).toBeGreaterThan(row.agreeBefore);
      expect(row.requests).toBeLessThanOrEqual(150);
    },
  );
});
