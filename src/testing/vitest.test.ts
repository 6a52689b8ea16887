import { describe, expect, it, vi } from 'vitest';
import { googleAccount } from '../../fixtures/test-kit/engine.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Casa } from './casa.ts';
import { connectMock } from './connect-mock.ts';
import { createMock } from './create-mock.ts';
import { startMock } from './start-mock.ts';
import { casaFileTest, casaFileTestWith, casaTest } from './vitest.ts';

const label = { method: 'POST', body: JSON.stringify({ provider: 'tiktok', label: 'x' }) };

describe('casaTest', () => {
  const seen = new Set<string>();

  for (const which of ['one', 'another']) {
    casaTest(`gives ${which} test an unused mock`, async ({ casa }) => {
      const headers = { authorization: `Bearer ${casa.keys.good}` };
      const response = await fetch(`${casa.baseUrl}/connect/accounts`, { ...label, headers });
      expect(response.status).toBe(200);
      expect(casa.requests.count()).toBe(1);
      expect(seen.has(casa.baseUrl)).toBe(false);
      seen.add(casa.baseUrl);
    });
  }

  describe('that sends nothing', () => {
    const warned: string[] = [];

    casaTest('is noticed', ({ casa }) => {
      vi.spyOn(console, 'warn').mockImplementation((text) => void warned.push(text));
      expect(casa.requests.count()).toBe(0);
    });

    it('in the test output', () => {
      expect(warned).toEqual([expect.stringMatching(/log of the mock is empty.*uses casa\.baseUrl/)]);
    });
  });

  it('stops the mock after its test', async () => {
    for (const baseUrl of seen) await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
    expect(seen.size).toBe(2);
  });

  describe('with options', () => {
    casaTest.override({ casaOptions: { world: 'empty' } });

    casaTest('starts the mock with them', ({ casa }) => {
      expect(casa.keys.list).toHaveLength(2);
    });
  });

  casaTest('goes without them elsewhere', ({ casa }) => {
    expect(casa.keys.list).toHaveLength(3);
  });
});

const otherEmptyTest = casaFileTestWith({ world: 'empty' });
const emptyFileTest = casaFileTest.extend('casaOptions', { scope: 'file' }, { world: 'empty' as const });

describe('casaFileTest', () => {
  otherEmptyTest('takes options', ({ casa }) => {
    expect(casa.keys.list).toHaveLength(2);
  });

  emptyFileTest('takes options by an extension too', ({ casa }) => {
    expect(casa.keys.list).toHaveLength(2);
  });

  const seen = new Set<string>();

  for (const which of ['the first', 'the second']) {
    casaFileTest(`gives ${which} test the same mock, as new`, async ({ casa }) => {
      seen.add(casa.baseUrl);
      expect(seen.size).toBe(1);
      expect(casa.requests.count()).toBe(0);
      casa.clock.advance('1h');
      casa.faults.add('*=transient');
      expect((await fetch(`${casa.baseUrl}/sites`)).status).toBe(401);
    });
  }
});

describe('toHaveNoViolations', () => {
  it('passes for a client that keeps the rules', async () => {
    const casa = await createMock();
    await casa.fetch('/sites');
    expect(casa).toHaveNoViolations();
    expect(() => expect(casa).not.toHaveNoViolations()).toThrow('a violation was expected');
  });

  it('fails for one that does not, and says what it did and which clause forbids it', async () => {
    const casa = await createMock();
    for (let i = 0; i < 2; i += 1)
      await casa.fetch('/keywords', { headers: { authorization: `Bearer ${casa.keys.good}` } });
    expect(casa).not.toHaveNoViolations();
    expect(() => expect(casa).toHaveNoViolations()).toThrow(
      /broke rules of the contract:\n {2}unchanged-retry \(7\.retry\.never-unchanged\): .* Requests 1, 2 of the request log\./,
    );
  });

  it('takes only a casa', () => {
    expect(() => expect({}).toHaveNoViolations()).toThrow('takes a casa');
  });
});

describe('toHaveChanged', () => {
  const post = async (casa: Casa) => {
    const headers = { authorization: `Bearer ${casa.keys.good}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'Hello' });
    const response = await casa.fetch(`/connect/accounts/${googleAccount}/posts`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
  };

  it('accepts exactly the listed changes, and lists all others', async () => {
    const casa = await createMock({ clock: 'running' });
    await casa.fetch('/sites');
    expect(casa).toHaveChanged({});
    await post(casa);
    expect(casa).toHaveChanged({ posts: 1 });
    casa.accounts.set(googleAccount, { status: 'expired' });
    expect(() => expect(casa).toHaveChanged({ posts: 1 })).toThrow(
      `other changes than expected (accounts: 1 changed, expected 0):\n  added posts ${casa.diff().added[0]?.id}\n` +
        `  changed accounts ${googleAccount}: status "connected" → "expired"`,
    );
    expect(() => expect(casa).toHaveChanged({ posts: 2, accounts: 1 })).toThrow('posts: 1 changed, expected 2');
    expect(() => expect(casa).toHaveChanged({ post: 1 } as object)).toThrow('Did you mean "posts"?');
    expect(() => expect(casa).toHaveChanged(undefined as never)).toThrow('the record kinds are an object');
    casa.reset();
    expect(casa).toHaveChanged({});
  });

  it('compares with a snapshot, also for a mock in another process', async () => {
    await using server = await startMock();
    const casa = await connectMock(server.origin);
    server.calls.ring({ durationS: 30 });
    const before = await casa.snapshot();
    await post(server);
    server.clock.advance('1h');
    await expect(casa).toHaveChanged({ posts: 1 }, before);
    await expect(casa).toHaveChanged({ posts: 1, calls: 1 });
    await casa.restore(before);
    await expect(casa).toHaveChanged({ calls: 1 });
    const other = await connectMock(server.origin, { organization: (await casa.organizations.add()).id });
    expect((await other.diff()).counts.organizations).toBe(1);
    expect((await other.diff(await casa.snapshot())).counts).toEqual({});
    await expect(casa.diff({} as Snapshot)).rejects.toThrow('casa.diff takes what casa.snapshot() gave back.');
  });
});
