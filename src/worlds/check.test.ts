import { describe, expect, it, vi } from 'vitest';
import { checkWorld, fieldsOf } from './check.ts';
import { defaultWorld, readWorld } from './load.ts';

/** A copy of the default world with one field set (or taken away, when the value is undefined). */
function broken(path: string, value: unknown): unknown {
  const world: unknown = structuredClone(defaultWorld);
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  const last = names.pop() as string;
  const place = names.reduce((at, name) => (at as Record<string, unknown>)[name], world) as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return world;
}

function problemsOf(value: unknown): readonly string[] {
  const violation = checkWorld(value);
  return violation.ok ? [] : violation.problems;
}

const [organization] = defaultWorld.organizations;
const o = 'organizations[0]';

describe('checkWorld', () => {
  it('returns a valid world unchanged', () => {
    expect(checkWorld(defaultWorld)).toEqual({ ok: true, data: defaultWorld });
  });

  it.each([
    ['casaWorld', 2, 'not 1'],
    ['anchor', 'yesterday', 'not an ISO 8601 date-time'],
    ['anchor', undefined, 'missing'],
    ['seed', -1, 'below 0'],
    ['seed', 1.5, 'not an integer'],
    ['extra', 1, 'unknown field (fields: casaWorld, anchor, fixedTimes, seed, organizations)'],
    ['organizations', [], 'empty'],
    ['organizations', {}, 'not a list'],
    [`${o}.payment`, 'later', 'not one of ok, payment_method_required, renewal_pending'],
    [`${o}.sites`, undefined, 'missing'],
    [`${o}.keys[0].key`, 'secret', 'not a key: a short prefix, an underscore and 32 hexadecimal characters'],
    [`${o}.keys[0].revoked`, 'no', 'not a boolean'],
    [`${o}.sites[0].id`, 'site-1', 'not a UUID'],
    [`${o}.sites[0].url`, 'x', `unknown field (fields: ${[...fieldsOf('site')].join(', ')})`],
    [`${o}.articles[3].createdAt`, '12 May', 'not an ISO 8601 date-time'],
    [`${o}.articles[3].status`, 'live', 'not one of planned, generating, draft, scheduled, published, failed'],
    [`${o}.articles[3].wordCount`, '12', 'not an integer'],
    [`${o}.articles[3].seoScore`, 1.5, 'not an integer or null'],
    [`${o}.articles[3].slug`, undefined, 'missing'],
    [`${o}.articles[3]`, 'text', 'not an object'],
    [`${o}.keywords[0].intent`, 3, 'not a string or null'],
    [`${o}.accounts[0].accountId`, 'abc', 'not a UUID of version 1 to 8 with variant 8, 9, a or b'],
    [`${o}.accounts[0].status`, 'on', 'not one of pending, connected, expired, revoked, pending_api_access'],
    [`${o}.accounts[0].connectedAt`, 'now', 'not an ISO 8601 date-time'],
    [`${o}.accounts[0].trouble`, 'timeout', 'not one of provider_error, transient, rate_limited'],
    [`${o}.inbox[0].accountId`, 'x', 'no account of this organization has this id'],
    [`${o}.inbox[0].receivedAt`, 'now', 'not an ISO 8601 date-time'],
    [`${o}.customers[0].vip`, true, 'unknown field (fields: customerId, name, phone, email, createdAt)'],
    [`${o}.contacts`, {}, 'not a list'],
    [
      `${o}.accounts[0].nickname`,
      'x',
      'unknown field (fields: accountId, provider, label, name, status, locked, connectedAt, posts, reviews, metrics, trouble, isReplied)',
    ],
    [`${o}.accounts[0].reviews[1].date`, 'May', 'not an ISO 8601 date-time'],
    [`${o}.accounts[0].reviews[1].rating`, '5', 'not a number or null'],
    [`${o}.accounts[0].reviews[1].reviewId`, '', 'empty'],
    [
      `${o}.accounts[0].reviews[1].stars`,
      5,
      'unknown field (fields: reviewId, author, rating, text, date, replied, replyText)',
    ],
    [`${o}.accounts[0].metrics[0].dailyMean`, -1, 'below 0'],
    [`${o}.accounts[0].posts[0].postedAt`, '', 'not an ISO 8601 date-time'],
    [`${o}.links[0].label`, 'x'.repeat(81), 'not 1 to 80 characters long'],
    [`${o}.links[0].maxAccounts`, 21, 'above 20'],
    [`${o}.links[0].token`, 'a/b', 'holds characters other than letters, digits, - and _'],
    [`${o}.calls[0].direction`, 'up', 'not one of inbound, outbound'],
    [`${o}.calls[0].reportedAt`, null, 'not a string'],
  ])('rejects %s = %j', (path, value, problem) => {
    expect(problemsOf(broken(path, value))).toEqual([`${path}: ${problem}`]);
  });

  it.each([
    ['organizations[1].id', organization?.id, 'the same as organizations[0].id'],
    [`${o}.keys[1].key`, organization?.keys[0]?.key, `the same as ${o}.keys[0].key`],
    ['organizations[1].keys[0].key', organization?.keys[0]?.key, 'the same as organizations[0].keys[0].key'],
    [`${o}.articles[9].id`, organization?.articles[2]?.id.toUpperCase(), `the same as ${o}.articles[2].id`],
    [`${o}.calls[9].id`, organization?.calls[2]?.id, `the same as ${o}.calls[2].id`],
    [`${o}.links[1].token`, organization?.links[0]?.token, `the same as ${o}.links[0].token`],
    [
      `${o}.accounts[0].reviews[9].reviewId`,
      organization?.accounts[0]?.reviews[2]?.reviewId,
      `the same as ${o}.accounts[0].reviews[2].reviewId`,
    ],
    [
      `${o}.keywords[0].siteId`,
      defaultWorld.organizations[1]?.sites[0]?.id,
      'no site of this organization has this id',
    ],
    [`${o}.articles[0].siteId`, '00000000-0000-4000-8000-000000000000', 'no site of this organization has this id'],
    [`${o}.links[3].accountIds[0]`, 'x', 'no account of this organization has this id'],
    [`${o}.calls[0].endedAt`, '2020-01-01T00:00:00.000Z', 'before startedAt'],
    [`${o}.calls[0].reportedAt`, '2020-01-01T00:00:00.000Z', 'before endedAt'],
    [`${o}.calls[0].visibleAt`, '2020-01-01T00:00:00.000000042Z', 'before endedAt'],
  ])('rejects %s that does not fit the rest', (path, value, problem) => {
    expect(problemsOf(broken(path, value))).toEqual([`${path}: ${problem}`]);
  });

  it('rejects accounts of a link that was not used', () => {
    const problem = `${o}.links[3].accountIds: not empty although the link was not used`;
    expect(problemsOf(broken(`${o}.links[3].usedAt`, null))).toEqual([problem]);
  });

  it.each([
    [null, 'the world: not an object'],
    [[], 'the world: not an object'],
    ['{}', 'the world: not an object'],
    [undefined, 'the world: missing'],
  ])('rejects %j', (value, sentence) => {
    expect(problemsOf(value)).toEqual([sentence]);
  });

  it('reports all problems at once, and counts them when there are too many', () => {
    const articles = Array.from({ length: 50 }, () => 'no article');
    const problems = problemsOf(broken(`${o}.articles`, articles));
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('… and 30 more problems');
  });

  it('accepts other forms of ISO 8601, ids in upper case and an own key prefix', () => {
    const world = broken(`${o}.articles[0].createdAt`, '2026-01-12T18:00+02:00') as typeof defaultWorld;
    const copy = JSON.parse(JSON.stringify(world).replaceAll('casa_', 'acme-test_'));
    copy.organizations[0].articles[0].siteId = copy.organizations[0].articles[0].siteId.toUpperCase();
    expect(problemsOf(copy)).toEqual([]);
  });

  it('evaluates no text, neither when it is loaded nor when it checks', async () => {
    let evaluations = 0;
    const original = globalThis.Function;
    globalThis.Function = new Proxy(original, {
      construct(target, texts) {
        evaluations += 1;
        return Reflect.construct(target, texts);
      },
    });
    try {
      vi.resetModules();
      const fresh = await import('./check.ts');
      expect(fresh.checkWorld(defaultWorld).ok).toBe(true);
    } finally {
      globalThis.Function = original;
    }
    expect(evaluations).toBe(0);
  });
});

describe('readWorld', () => {
  it('reads text, with or without a byte order mark', async () => {
    expect(await readWorld(`\uFEFF${JSON.stringify(defaultWorld)}`)).toEqual({ ok: true, data: defaultWorld });
  });

  it('says so when the text is not JSON', async () => {
    const violation = await readWorld('{"casaWorld": 1,}');
    expect(violation).toMatchObject({ ok: false, problems: [expect.stringMatching(/^it is not valid JSON \(.+\)$/)] });
  });
});
