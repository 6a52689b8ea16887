import { describe, expect, it } from 'vitest';
import { settledAfterMs } from '../contract/generated/limits.ts';
import { providerActions } from '../domain/actions.ts';
import { createClock } from '../domain/clock.ts';
import { createWorld } from '../domain/world.ts';
import type { CallData, OrganizationData } from '../domain/world-data.ts';
import { checkWorld } from './check.ts';
import { hugeSize } from './huge.ts';
import { builtInWorld, defaultWorld, worldNames } from './load.ts';
import { findDrift, makeFixtures, tiedRuns } from './make-fixtures.ts';

const [first, second] = defaultWorld.organizations as readonly [OrganizationData, OrganizationData];
const anchorMs = Date.parse(defaultWorld.anchor);
const visibleMs = (call: CallData) =>
  Math.max(Date.parse(call.endedAt) + settledAfterMs, call.reportedAt === undefined ? 0 : Date.parse(call.reportedAt));
const visible = first.calls.map(visibleMs).filter((ms) => ms <= anchorMs);
const account = (label: string) => first.accounts.find((candidate) => candidate.label === label);

describe('stored worlds', () => {
  it('match the output of the generator', async () => {
    expect(findDrift(await makeFixtures())).toEqual([]);
  });

  it.each(worldNames)('%s is a sound world', async (name) => {
    const violation = checkWorld(await builtInWorld(name));
    expect(violation.ok ? [] : violation.problems).toEqual([]);
  });

  it.each(worldNames)('%s opens with the same key', async (name) => {
    const data = await builtInWorld(name);
    const clock = createClock(() => 0, { startMs: Date.parse(data.anchor), frozen: true });
    const { keys } = createWorld(data, { clock });
    expect(keys.get('casa_0123456789abcdef0123456789abcdef')).toMatchObject({ revoked: false });
    expect(keys.get('casa_deadbeefdeadbeefdeadbeefdeadbeef')).toMatchObject({ revoked: true });
  });

  it('rejects a name it does not know', async () => {
    await expect(builtInWorld('tiny')).rejects.toThrow(
      'There is no world "tiny". Worlds: default, empty, tied-articles, unpaid, huge.',
    );
  });
});

describe('the default world: content', () => {
  it('has 3 sites, 57 articles, 48 keywords, 18 accounts, 4 links and 260 calls', () => {
    const { sites, articles, keywords, accounts, links, calls } = first;
    expect([sites, articles, keywords, accounts, links, calls].map((list) => list.length)).toEqual([
      ...[3, 57, 48, 18, 4, 260],
    ]);
  });

  it.each(['planned', 'generating', 'draft', 'scheduled', 'published', 'failed'])('has a %s article', (status) => {
    expect(first.articles.some((article) => article.status === status)).toBe(true);
    expect(second.articles.some((article) => article.status === status)).toBe(true);
  });

  it('gives every article its own createdAt, newest first', () => {
    const timestamps = first.articles.map(({ createdAt }) => createdAt);
    expect(timestamps).toEqual([...new Set(timestamps)].sort().reverse());
  });

  it('fills its sites unevenly, each with more than a few articles and the first beyond one page', () => {
    const counts = first.sites.map(({ id }) => first.articles.filter(({ siteId }) => siteId === id).length);
    expect(Math.max(...counts)).toBeGreaterThan(20);
    expect(Math.min(...counts)).toBeLessThan(Math.max(...counts) / 2);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it('leaves each nullable field null somewhere and filled elsewhere', () => {
    for (const list of [
      first.articles.map(({ targetKeyword }) => targetKeyword),
      first.articles.map(({ seoScore }) => seoScore),
      first.articles.map(({ publishedAt }) => publishedAt),
      first.keywords.map(({ searchVolume }) => searchVolume),
      first.keywords.map(({ difficulty }) => difficulty),
      first.keywords.map(({ intent }) => intent),
      first.accounts.map(({ name }) => name),
      first.accounts.map(({ connectedAt }) => connectedAt),
    ]) {
      expect(list).toContain(null);
      expect(list.some((value) => value !== null)).toBe(true);
    }
  });

  it('relates the fields of an article as assumption C89 says', () => {
    for (const { status, publishedAt, createdAt, updatedAt } of first.articles) {
      expect(publishedAt !== null).toBe(status === 'published');
      expect(updatedAt >= (publishedAt ?? createdAt) && updatedAt <= defaultWorld.anchor).toBe(true);
    }
    const slugs = first.articles.map(({ siteId, slug }) => `${siteId} ${slug}`);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('has keywords for two sites and none for the third', () => {
    const counts = first.sites.map(({ id }) => first.keywords.filter(({ siteId }) => siteId === id).length);
    expect(counts.filter((count) => count > 0)).toHaveLength(2);
    expect(counts.filter((count) => count === 0)).toHaveLength(1);
  });
});

describe('the default world: accounts', () => {
  it.each(Object.keys(providerActions))('has a connected %s account without trouble', (provider) => {
    const found = first.accounts.find((candidate) => candidate.provider === provider);
    expect(found).toMatchObject({ status: 'connected', locked: false });
    expect(found).not.toHaveProperty('trouble');
    const hasInsights = providerActions[provider as keyof typeof providerActions].includes('insights');
    expect(found?.metrics.length !== 0).toBe(hasInsights);
  });

  it.each([
    ['Pending', { status: 'pending', name: null, connectedAt: null }],
    ['Expired', { status: 'expired' }],
    ['Revoked', { status: 'revoked' }],
    ['Pending API access', { status: 'pending_api_access' }],
    ['Locked', { status: 'connected', locked: true }],
    ['Trouble: provider error', { status: 'connected', trouble: 'provider_error' }],
    ['Trouble: transient', { status: 'connected', trouble: 'transient' }],
    ['Trouble: rate limited', { status: 'connected', trouble: 'rate_limited' }],
  ])('has an account for %s, which offers every action', (label, state) => {
    expect(account(label)).toMatchObject(state);
    expect(providerActions[account(label)?.provider ?? 'tiktok']).toEqual(['posts', 'reviews', 'insights']);
  });

  it.each([
    ['Main shop', 27],
    ['Fan page', 4],
    ['Page without reviews', 0],
    ['Locked', 2],
  ])('%s has %i reviews', (label, count) => {
    expect(account(label)?.reviews).toHaveLength(count);
  });

  it('has reviews with and without rating, text and reply, newest first', () => {
    const reviews = account('Main shop')?.reviews ?? [];
    const dates = reviews.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    expect(reviews.map(({ rating }) => rating)).toEqual(expect.arrayContaining([null, 1, 5]));
    expect(reviews.map(({ text }) => text)).toContain('');
    for (const { replied, replyText } of reviews) expect(replyText !== undefined).toBe(replied);
    expect(new Set(reviews.map(({ replied }) => replied))).toEqual(new Set([true, false]));
  });

  it('has two open links, an expired and a used one', () => {
    const states = first.links.map(({ usedAt, expiresAt }) =>
      usedAt !== null ? 'used' : expiresAt > defaultWorld.anchor ? 'open' : 'expired',
    );
    expect(states).toEqual(['open', 'open', 'expired', 'used']);
    expect(first.links.at(-1)?.accountIds).toEqual([account('Main shop')?.accountId]);
  });
});

describe('the default world: calls', () => {
  it('has 255 final, 3 settling and 2 running calls at the anchor', () => {
    const running = first.calls.filter(({ endedAt }) => endedAt > defaultWorld.anchor);
    expect(visible).toHaveLength(255);
    expect(running).toHaveLength(2);
    expect(running.every(({ startedAt }) => startedAt < defaultWorld.anchor)).toBe(true);
    expect(first.calls.length - visible.length - running.length).toBe(3);
  });

  it('lists its calls in the order in which they become visible, with ties at the edges', () => {
    expect(visible).toEqual([...visible].sort((a, b) => a - b));
    const tied = visible.flatMap((ms, i) => (ms === visible[i - 1] ? [i + 1] : []));
    expect(tied).toEqual([11, 51, 121, 122, 201]);
  });

  it('has calls reported late, two of them in a tie', () => {
    const late = first.calls.flatMap(({ reportedAt }, i) => (reportedAt === undefined ? [] : [i + 1]));
    expect(late).toEqual([5, 20, 51, 77, 122, 160, 233]);
  });

  it('has outcomes that change while a call settles', () => {
    const changing = first.calls.filter(({ provisional, outcome }) => provisional !== outcome);
    expect(changing.length).toBeGreaterThan(5);
    expect(first.calls[255]).toMatchObject({ provisional: 'answered', outcome: 'voicemail' });
  });
});

describe('the default world: the second organization', () => {
  it('has something of everything', () => {
    for (const list of ['keys', 'sites', 'articles', 'keywords', 'accounts', 'links', 'calls'] as const) {
      expect(second[list].length).toBeGreaterThan(0);
    }
  });

  it('shares no id with the first', () => {
    const ids = (value: unknown) => JSON.stringify(value).match(/[0-9a-f]{8}-[0-9a-f-]{27}|rev_\w+|casa_\w+/g) ?? [];
    const own = new Set(ids(first));
    expect(ids(second).filter((id) => own.has(id))).toEqual([]);
  });
});

describe('the other worlds', () => {
  it('empty has keys and nothing more', async () => {
    const [organization] = (await builtInWorld('empty')).organizations;
    const { keys, sites, articles, keywords, accounts, links, calls } = organization as OrganizationData;
    expect(keys).toHaveLength(2);
    expect([sites, articles, keywords, accounts, links, calls].flat()).toEqual([]);
  });

  it('tied-articles has ties across the edges 20 and 100 and nowhere else', async () => {
    const [organization] = (await builtInWorld('tied-articles')).organizations;
    const timestamps = organization?.articles.map(({ createdAt }) => createdAt) ?? [];
    const tied = timestamps.flatMap((timestamp, i) => (timestamp === timestamps[i - 1] ? [i + 1] : []));
    const expected = tiedRuns.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + 1 + i));
    expect(tied).toEqual(expected);
    expect(timestamps).toHaveLength(130);
  });

  it('unpaid has both reasons, billable accounts and locked ones', async () => {
    const { organizations } = await builtInWorld('unpaid');
    expect(organizations.map(({ payment }) => payment)).toEqual(['payment_method_required', 'renewal_pending']);
    for (const { accounts } of organizations) {
      expect(accounts.length).toBeGreaterThan(1);
      expect(accounts.some(({ locked }) => locked)).toBe(true);
      expect(accounts[0]).toMatchObject({ provider: 'google_business', locked: false });
      expect(accounts[0]?.reviews.length).toBeGreaterThan(0);
    }
  });

  it('huge is made quickly and for the given time', async () => {
    await builtInWorld('huge');
    const before = process.cpuUsage();
    const data = await builtInWorld('huge', 1_800_000_000_123);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
    expect(Date.parse(data.anchor)).toBe(1_800_000_000_123);
    const [organization] = data.organizations;
    expect(organization?.articles).toHaveLength(hugeSize.articles);
    expect(organization?.calls).toHaveLength(hugeSize.calls);
    expect(organization?.articles[41]?.id).toBe('a0000000-0000-4000-8000-00000000002a');
  });
});
