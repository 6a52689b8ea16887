import { expect, it } from 'vitest';
import { createMock } from '../testing/create-mock.ts';

const ask = async (behavior: object, path: string) => {
  const casa = await createMock({ behavior });
  const response = await casa.fetch(path, { headers: { authorization: `Bearer ${casa.keys.good}` } });
  return { status: response.status, basis: response.headers.get('x-casa-basis'), json: await response.json() };
};

it('treats an input that a profile lacks like the nearest one, and marks the response', async () => {
  const behavior = { articleLimitText: 'ignore', badSince: 'ignore' };
  const empty = await ask(behavior, '/articles?limit=');
  expect([empty.status, empty.basis]).toEqual([200, 'articleLimitEmpty=assumed as articleLimitText']);
  const fraction = await ask(behavior, '/articles?limit=1.5');
  expect([fraction.status, fraction.basis]).toEqual([200, 'articleLimitFraction=assumed as articleLimitText']);
  expect((await ask(behavior, '/connect/calls/log?since=')).basis).toBe('emptySince=assumed as badSince');
});

it('leaves inputs unmarked that are known, usual or without a known neighbor', async () => {
  const behavior = { articleLimitText: 'ignore', articleLimitEmpty: 'reject' };
  for (const path of ['/articles?limit=abc', '/articles?limit=', '/articles?limit=5', '/articles?limit=0'])
    expect((await ask(behavior, path)).basis).toBeNull();
});

it.each([
  [{ articleLimitFraction: 'truncate' }, '/articles?limit=2.5', 2],
  [{ articleLimitEmpty: 'clamp' }, '/articles?limit=', 1],
  [{ articleLimitNegative: 'ignore', articleLimitBelow: 'clamp' }, '/articles?limit=-5', 20],
  [{ emptyArticleSite: 'ignore' }, '/articles?siteId=&limit=3', 3],
  [{ emptyArticleCursor: 'ignore' }, '/articles?cursor=&limit=3', 3],
] as const)('follows %j at %s', async (behavior, path, rows) => {
  expect((await ask(behavior, path)).json.data).toHaveLength(rows);
});

it('rejects a since in the future where the behavior says so', async () => {
  const path = '/connect/calls/log?since=2096-01-01T00:00:00Z';
  expect((await ask({ futureSince: 'reject' }, path)).status).toBe(400);
  expect((await ask({}, path)).json.data).toEqual({ calls: [], nextCursor: null });
});
