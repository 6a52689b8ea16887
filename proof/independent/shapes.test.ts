import { describe, expect, it } from 'vitest';
import { get, post } from './client.ts';
import { type Independent, startIndependent, VARIANT_NAMES } from './index.ts';
import { readInstant } from './time.ts';
import { PROVIDERS } from './types.ts';

/** Section 2 of the contract as predicates: what every variant must keep to, whatever freedom it uses. */
type Test = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Test>>;

const text: Test = (value) => typeof value === 'string';
const number: Test = (value) => typeof value === 'number';
const integer: Test = (value) => Number.isInteger(value);
const flag: Test = (value) => typeof value === 'boolean';
const uuid: Test = (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value));
const instant: Test = (value) => typeof value === 'string' && readInstant(value) !== undefined;
const oneOf =
  (...values: readonly string[]): Test =>
  (value) =>
    values.includes(String(value));
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const orAbsent =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const provider = oneOf(...PROVIDERS);

const ARTICLE: Shape = {
  id: uuid,
  siteId: uuid,
  title: text,
  slug: text,
  status: oneOf('planned', 'generating', 'draft', 'scheduled', 'published', 'failed'),
  targetKeyword: orAbsent(orNull(text)),
  wordCount: integer,
  seoScore: orAbsent(orNull(integer)),
  publishedAt: orAbsent(orNull(instant)),
  createdAt: instant,
  updatedAt: instant,
};
const SITE: Shape = { id: uuid, name: text, domain: text, cms: text, language: text, createdAt: instant };
const KEYWORD: Shape = {
  id: uuid,
  siteId: uuid,
  keyword: text,
  searchVolume: orAbsent(orNull(integer)),
  difficulty: orAbsent(orNull(integer)),
  intent: orAbsent(orNull(text)),
  createdAt: instant,
};
const ACCOUNT: Shape = {
  accountId: text,
  provider,
  label: text,
  name: orNull(text),
  status: oneOf('pending', 'connected', 'expired', 'revoked', 'pending_api_access'),
  locked: flag,
  connectedAt: orNull(text),
};
const INVITE: Shape = { id: text, label: text, provider, maxAccounts: integer, expiresAt: text };
const BILLING: Shape = { connected: number, free: number, billable: number, needsPayment: flag };
const REVIEW: Shape = {
  reviewId: text,
  author: text,
  rating: orNull(number),
  text,
  date: text,
  replied: orAbsent(flag),
  replyText: orAbsent(text),
};
const STATUS: Readonly<Record<string, number>> = {
  unauthorized: 401,
  invalid_input: 400,
  not_found: 404,
  not_supported: 400,
  payment_required: 402,
  provider_auth: 401,
  provider_permission: 403,
  rate_limited: 429,
  provider_error: 502,
  transient: 503,
};

function check(value: Record<string, unknown>, shape: Shape, closed = false): void {
  for (const [name, test] of Object.entries(shape))
    expect([name, value[name], test(value[name])]).toEqual([name, value[name], true]);
  if (closed) expect(Object.keys(value).filter((name) => !Object.hasOwn(shape, name))).toEqual([]);
}

function checkAll(values: Record<string, unknown>[], shape: Shape, closed = false): void {
  for (const value of values) check(value, shape, closed);
}

async function withServer(
  variant: (typeof VARIANT_NAMES)[number],
  work: (server: Independent) => Promise<void>,
): Promise<void> {
  const server = await startIndependent({ variant, limits: false, now: () => Date.UTC(2029, 11, 31, 23, 59, 59, 999) });
  try {
    await work(server);
    expect(server.faults).toEqual([]);
  } finally {
    await server.close();
  }
}

describe.each(VARIANT_NAMES)('shapes of %s', (variant) => {
  it('keeps articles, sites and keywords as the contract lists them', async () => {
    await withServer(variant, async (server) => {
      const { body } = await get(server, '/articles?limit=100');
      checkAll(body.data, ARTICLE);
      expect(body.cursor === null || instant(body.cursor)).toBe(true);
      for (const article of body.data.slice(0, 3)) {
        check((await get(server, `/articles/${article.id}`)).body.data, ARTICLE);
      }
      const sites = (await get(server, '/sites')).body.data;
      checkAll(sites, SITE);
      let keywords = 0;
      for (const site of sites) {
        check((await get(server, `/sites/${site.id.toLowerCase()}`)).body.data, SITE);
        const found = (await get(server, `/keywords?siteId=${site.id}`)).body.data;
        checkAll(found, KEYWORD);
        keywords += found.length;
      }
      expect(keywords).toBe(server.owns.keywords);
    });
  });

  it('keeps the outputs of the connect operations closed', async () => {
    await withServer(variant, async (server) => {
      const { data, summary } = (await get(server, '/connect/accounts')).body;
      check(
        { ...data, summary },
        { accounts: Array.isArray, pendingInvites: Array.isArray, billing: Boolean, summary: text },
        true,
      );
      checkAll(data.accounts, ACCOUNT);
      checkAll(data.pendingInvites, INVITE);
      check(data.billing, BILLING);
      const link = await post(server, '/connect/accounts', { provider: 'instagram', label: '🙂', maxAccounts: 20 });
      if (link.status === 200)
        check(link.body.data, { connectUrl: text, expiresAt: text, provider, label: (value) => value === '🙂' }, true);
      for (const id of Object.values(server.accounts)) await checkAccount(server, id);
    });
  });
});

async function checkAccount(server: Independent, id: string): Promise<void> {
  const base = `/connect/accounts/${id}`;
  const list = await get(server, `${base}/reviews`);
  if (checkOutcome(list)) {
    const shape = {
      reviews: Array.isArray,
      nextCursor: orAbsent(orNull(text)),
      aggregate: orAbsent((value) => typeof value === 'object'),
    };
    check(list.body.data, shape, true);
    checkAll(list.body.data.reviews, REVIEW, true);
    if (list.body.data.aggregate !== undefined)
      check(list.body.data.aggregate, { ratingValue: number, reviewCount: number });
    for (const review of list.body.data.reviews) {
      const path = `${base}/reviews/${encodeURIComponent(review.reviewId)}/reply`;
      const reply = await post(server, path, { accountId: id, reviewId: review.reviewId, text: 'ß'.repeat(4096) });
      if (checkOutcome(reply)) check(reply.body.data, { repliedAt: orNull(text) }, true);
    }
  }
  const insights = await get(server, `${base}/insights?range=90d`);
  if (checkOutcome(insights)) {
    check(insights.body.data, { range: (value) => typeof value === 'object', metrics: Array.isArray }, true);
    check(insights.body.data.range, { startDate: text, endDate: text });
    for (const metric of insights.body.data.metrics) {
      check(metric, { key: text, label: text, total: number, points: Array.isArray });
      checkAll(metric.points, { date: text, value: number });
    }
  }
  const made = await post(server, `${base}/posts`, {
    accountId: id,
    text: 'ß'.repeat(5000),
    media: { imageUrl: 'https://x.example/ä.png' },
    link: 'mailto:a@b.example',
  });
  if (checkOutcome(made)) check(made.body.data, { postId: text, permalink: orNull(text) }, true);
}

/** True for a success with a summary; a refusal must pair its code with its status. */
function checkOutcome(got: Awaited<ReturnType<typeof get>>): boolean {
  if (got.status === 200) {
    expect(typeof got.body.summary).toBe('string');
    return true;
  }
  expect([got.body.error.code, STATUS[got.body.error.code]]).toEqual([got.body.error.code, got.status]);
  expect(typeof got.body.error.message).toBe('string');
  if (got.status === 402) expect(JSON.stringify(got.body)).toContain('"reason":"');
  return false;
}
