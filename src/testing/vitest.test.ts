import { describe, expect, it } from 'vitest';
import { createMock } from './create-mock.ts';
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
