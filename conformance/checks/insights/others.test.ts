import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { insights } from './insights.ts';
import { insightsOfOthers } from './ranges.ts';

const checks = [...insights.filter(({ id }) => id === 'insights/listing'), ...insightsOfOthers];
const run = { watch: true } as const;
const id = 'insights/other-accounts';
const rejection = (status: number, code: string): Spoiled => ({ status, body: { error: { code, message: '' } } });

/** Changes insights of each account except the first. */
const onOthers = (spoiled: (one: Exchanged) => Spoiled) => () => {
  let first: string | undefined;
  return (one: Exchanged) => {
    if (!one.path.endsWith('/insights') || one.status !== 200) return undefined;
    first ??= one.path;
    return one.path === first ? undefined : spoiled(one);
  };
};

const tenfold = ({ body }: Exchanged): Spoiled => {
  const metrics = body.data.metrics.map((metric: { points: { value: number }[] }) => ({
    ...metric,
    points: metric.points.map((point) => ({ ...point, value: 10 * point.value + 1 })),
  }));
  return { body: { ...body, data: { ...body.data, metrics } } };
};

describe('insights of other accounts', () => {
  test.each<[string, (one: Exchanged) => Spoiled, string]>([
    ['with separate values', tenfold, 'pass'],
    ['that another account has, too', ({ body }) => ({ body }), 'pass'],
    ['that the platform rejects', () => rejection(403, 'provider_permission'), 'pass'],
    ['that a valid key does not open', () => rejection(401, 'unauthorized'), 'fail'],
    ['that break', () => rejection(418, 'teapot'), 'fail'],
  ])('%s', async (_, spoiled, result) => {
    expect(
      (await bench({ checks, variant: { insightPoints: 'daily' }, run, spoil: onOthers(spoiled) })).results[id],
    ).toBe(result);
  });
});
