import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../../proof/independent/index.ts';
import { bench } from '../../../proof/rigs/check-bench.ts';
import { articleEdges } from './edges.ts';
import { articles } from './list.ts';
import { articlePages } from './pages.ts';

const checks = [...articles, ...articlePages, ...articleEdges];
const run = { watch: true } as const;

describe('the checks of article edges', () => {
  test.each(VARIANT_NAMES)('fail on no legal variant such as %s', async (variant) => {
    const { alarms } = await bench({ checks, variant, run });
    expect(alarms.filter((alarm) => alarm !== 'articles/page-walk warn' || !/tied/.test(variant))).toEqual([]);
  });
});
