import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorExampleName, errorExamples } from '../../src/contract/generated/errors.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import type { OrganizationData, WorldData } from '../../src/domain/world-data.ts';
import { listen, type NodeServer } from '../../src/doors/node.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { goodKey, home, neighbour, neighbourKey, samples, shop } from './cast.ts';
import { type Prism, startPrism } from './prism.ts';

// The neighbour's site breaks the contract, so that Prism can show that it looks.
const brokenSites = neighbour.sites.map(
  (site) => ({ ...site, cms: null }) as unknown as (typeof neighbour.sites)[number],
);
const broken: OrganizationData = { ...neighbour, sites: brokenSites };
const data: WorldData = { ...defaultWorld, organizations: [home, broken] };

const account = `/connect/accounts/${shop.accountId}`;
const json = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** Valid requests: one of each operation, and what else it can be asked. Prism wants the required copies in a body. */
const requests: readonly (readonly [target: string, init?: RequestInit])[] = [
  ['/articles'],
  ['/articles?limit=1'],
  ['/articles?limit=100'],
  [`/articles?siteId=${home.sites[0]?.id}`],
  [`/articles?limit=5&cursor=${home.articles[20]?.createdAt}`],
  ['/articles?cursor=1999-01-01T00:00:00Z'],
  ...home.articles.slice(0, 12).map(({ id }) => [`/articles/${id}`] as const),
  ['/articles/11111111-1111-4111-8111-111111111111'],
  ['/sites'],
  [`/sites/${home.sites[1]?.id}`],
  ['/sites/11111111-1111-4111-8111-111111111111'],
  ...home.sites.map(({ id }) => [`/keywords?siteId=${id}`] as const),
  ['/keywords?siteId=11111111-1111-4111-8111-111111111111'],
  ['/connect/accounts'],
  ['/connect/accounts', json({ provider: 'tiktok', label: 'Clips' })],
  ['/connect/accounts', json({ provider: 'google_ads', label: '🥐'.repeat(80), maxAccounts: 20 })],
  ...home.accounts.flatMap(({ accountId }) => [
    [`/connect/accounts/${accountId}/posts`, json({ accountId, text: 'Fresh rye.' })] as const,
    [`/connect/accounts/${accountId}/reviews`] as const,
    [`/connect/accounts/${accountId}/insights`] as const,
  ]),
  [`${account}/posts`, json({ accountId: shop.accountId, text: 'x'.repeat(5000), link: 'https://x.example/' })],
  [`${account}/posts`, json({ accountId: shop.accountId, text: 'x', media: { imageUrl: 'https://x.example/a.png' } })],
  ...['7d', '28d', '90d'].map((range) => [`${account}/insights?range=${range}`] as const),
  [`${account}/reviews?cursor=after.${shop.reviews[9]?.reviewId}`],
  [`${account}/reviews?cursor=nonsense`],
  ...shop.reviews
    .slice(0, 3)
    .map(
      ({ reviewId }) =>
        [
          `${account}/reviews/${encodeURIComponent(reviewId)}/reply`,
          json({ accountId: shop.accountId, reviewId, text: 'Thank you.' }),
        ] as const,
    ),
  [`${account}/reviews/nobody/reply`, json({ accountId: shop.accountId, reviewId: 'nobody', text: 'Thank you.' })],
  ['/connect/calls/log'],
  ['/connect/calls/log?limit=200'],
  ['/connect/calls/log?since=2000-01-01T00:00:00Z&limit=200'],
  ['/connect/calls/log?since=2999-01-01T00:00:00Z'],
];

const variations = requests.map(([target, init]) => ({ method: init?.method ?? 'GET', target, init }));

const operationIds = Object.keys(operations) as OperationId[];
const examples = Object.entries(errorExamples) as [ErrorExampleName, { status: number }][];
/** Errors on demand, where the spec lists their status for the operation. */
const demands = operationIds.flatMap((id) =>
  examples
    .filter(([, { status }]) => operations[id].statuses.includes(status))
    .filter(
      ([name]) =>
        operations[id].envelope === 'tool' || !['not_supported', 'provider_auth', 'rate_limited'].includes(name),
    )
    .map(([name]) => [id, name] as const),
);

describe.each([
  ['as it is', null],
  ['greased with the seed 1', 1],
  ['greased with the seed 2', 2],
] as const)('Prism, in front of the mock %s', (_what, grease) => {
  let server: NodeServer;
  let prism: Prism;

  beforeAll(async () => {
    const clock = createClock(() => 0, { startMs: Date.parse(data.anchor), frozen: true });
    const limits = {
      ...contractLimits,
      key: { limit: 100_000, windowMs: 60_000 },
      address: { limit: 100_000, windowMs: 10_000 },
    };
    const engine = createEngine({ data, clock, limits, ...(grease === null ? {} : { grease }) });
    server = await listen(engine, { host: '127.0.0.1', port: 0 });
    prism = await startPrism(server.baseUrl);
  }, 60_000);
  afterAll(async () => {
    await prism?.close();
    await server?.close();
  });

  const ask = async (target: string, init: RequestInit = {}, key = goodKey) => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${key}` };
    const response = await fetch(`${prism.url}${target}`, { ...init, headers });
    const text = await response.text();
    return { status: response.status, type: response.headers.get('content-type') ?? '', text };
  };

  it('finds a fault where there is one', async () => {
    const answer = await ask('/sites', {}, neighbourKey);
    expect([answer.status, answer.type]).toEqual([500, 'application/problem+json']);
    expect(answer.text).toMatch(/cms/);
  });

  it.each(variations)('finds none in the answer to $method $target', async ({ target, init }) => {
    const answer = await ask(target, init);
    expect(answer.type, answer.text).toMatch(/^application\/json/);
    expect(answer.status).not.toBe(500);
  });

  it.each(demands)('finds none when %s is asked for %s', async (id, name) => {
    const { method, target, body } = samples[id];
    const separator = target.includes('?') ? '&' : '?';
    const [, accountId, , reviewId] = /accounts\/([^/]+)(\/reviews\/([^/]+))?/.exec(target) ?? [];
    const copies = { ...body, accountId, reviewId };
    const answer = await ask(`${target}${separator}__example=${name}`, method === 'POST' ? json(copies) : {});
    expect(answer.type, answer.text).toMatch(/^application\/json/);
    expect(answer.status).toBe(errorExamples[name].status);
  });
});
