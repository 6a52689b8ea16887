import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench, testKills } from '../../proof/test-kit/check-bench.ts';
import { articleEdges } from './04-article-edges.ts';
import { articlePages } from './04-article-pages.ts';
import { articles } from './04-articles.ts';

const checks = [...articles, ...articlePages, ...articleEdges];
const run = { watch: true } as const;

describe('the checks of article edges', () => {
  test.each(VARIANT_NAMES)('fail on no legal variant such as %s', async (variant) => {
    const { alarms } = await bench({ checks, variant, run });
    expect(alarms.filter((alarm) => alarm !== 'articles/page-walk warn' || !/tied/.test(variant))).toEqual([]);
  });

  testKills(
    { checks, run },
    {
      'articles-cursor-against-updated-at': 'articles/near-neighbours',
      'articles-never-end': 'articles/to-the-end',
      'articles-limit-plus-one': 'articles/later-limit',
      'articles-row-lost-at-page-edge': 'articles/later-limit',
      'articles-500-on-limit-text': 'articles/odd-limits',
      'articles-filter-ignored': 'articles/each-site',
      'articles-500-on-site-text': 'articles/malformed-site-id',
    },
  );
});
