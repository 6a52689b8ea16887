import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, type Spoil, withData } from '../../../fixtures/test-kit/check-tests.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { causesOf, sequenceOf } from '../../diagnosis/causes.ts';
import { checks } from '../index.ts';

const isolation = ['1.organization-scope', '5.key-organization', '1.foreign-record'];
const uuid = (mark: string) => `${mark.repeat(8)}-1111-4111-8111-111111111111`;

/** A whole list, requested without parameters. */
const isList = (path: string) => (one: Exchanged) =>
  one.method === 'GET' && one.path === path && one.status === 200 && one.query.size === 0;

/** The whole response to the other key instead of some of the responses. */
const mixed = (path: string, nth: number) => () => {
  const bodies: string[] = [];
  return counted(isList(path), (one, read) => {
    const body = JSON.stringify(one.body);
    if (!bodies.includes(body)) bodies.push(body);
    const other = bodies.find((known) => known !== body);
    return read % nth === 0 && other !== undefined ? { body: JSON.parse(other) } : undefined;
  })();
};

/** An id that a list has shown, in rejections after it. */
const named = (say: (id: string) => string): (() => Spoil) => {
  const ids: string[] = [];
  return () => (one) => {
    if (isList('/sites')(one)) ids.push(...one.body.data.map(({ id }: { id: string }) => id));
    if (one.status !== 404 || ids.length === 0) return undefined;
    return { status: 404, body: { error: { code: 'not_found', message: say(ids.at(-1) ?? '') } } };
  };
};

const run = { requests: 120 };

describe('isolation/all-responses', () => {
  test.each<[string, () => Spoil]>([
    ['accounts in each third response', mixed('/connect/accounts', 3)],
    ['accounts in each fourth response', mixed('/connect/accounts', 4)],
    ['sites in each fifth response', mixed('/sites', 5)],
    ['an id in a text', named((id) => `last seen: ${id}`)],
  ])('finds %s, verifies no clause of isolation, and names both responses', async (_, spoil) => {
    const { report, results } = await bench({ checks, spoil, run });
    expect(results['isolation/all-responses'] === 'fail' || results['isolation/lists'] === 'fail').toBe(true);
    const covered = report.coverage.filter(({ clause }) => isolation.includes(clause));
    expect(covered.map(({ result }) => result).filter((result) => result === 'pass')).toEqual([]);
    const causes = causesOf(report);
    expect(causes.filter(({ finding: { unsteady } }) => unsteady !== undefined)).toEqual([]);
    const [cause] = causes;
    expect(cause?.checks[0]).toMatch(/^isolation/);
    const keys = sequenceOf(cause as NonNullable<typeof cause>, report.exchanges).requests.map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set(['good', 'second']));
  });

  test.each<[string, () => Spoil]>([
    ['nothing', () => () => undefined],
    [
      'ids of requests in texts',
      () =>
        ({ path, status }) =>
          status === 404
            ? { status, body: { error: { code: 'not_found', message: `nothing at ${path}` } } }
            : undefined,
    ],
    [
      'lists that change',
      counted(isList('/connect/accounts'), (one, read) =>
        withData(one, {
          accounts: [...one.body.data.accounts, { ...one.body.data.accounts[0], accountId: uuid(String(read % 10)) }],
        }),
      ),
    ],
  ])('finds nothing on a server with %s', async (_, spoil) => {
    const { results } = await bench({ checks, spoil, run });
    expect(results['isolation/all-responses']).toBe('pass');
  });
});
