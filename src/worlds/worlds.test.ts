import { describe, expect, it } from 'vitest';
import { makeFixtures, tiedRuns, worldsFolder } from '../../fixtures/test-kit/make-worlds.ts';
import { findDrift } from '../../spec/source-files.ts';
import { providerActions } from '../domain/actions.ts';
import { createClock } from '../domain/clock.ts';
import { createWorld } from '../domain/world.ts';
import type { OrganizationData } from '../domain/world-data.ts';
import { checkWorld } from './check.ts';
import { builtInWorld, defaultWorld, worldNames } from './load.ts';

const [first] = defaultWorld.organizations as readonly [OrganizationData];

describe('stored worlds', () => {
  it('match the output of the generator', async () => {
    expect(findDrift(worldsFolder, await makeFixtures())).toEqual([]);
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
      'There is no world "tiny". Worlds: default, empty, tied-articles, unpaid.',
    );
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

  it('has a pending account, without a name and the time of a connection', () => {
    const pending = first.accounts.find(({ status }) => status === 'pending');
    expect(pending).toMatchObject({ name: null, connectedAt: null });
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
});
