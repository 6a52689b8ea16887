// Two sides on clocks that are moved: deployments that are the same, that differ legally, that break the contract, that
// differ from themselves, and that show too little.

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Exchanged, type Spoiled, startRewriting } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { startMockTarget, type Target } from '../../../fixtures/test-kit/targets.ts';
import { concludeDiff, type Difference, isDifferent } from '../../report/difference.ts';
import { type ReportKind, reportKinds } from '../../report/outcome.ts';
import { renderDiff, renderDiffTerminal, toDiffJson } from '../../reporters/diff-terminal.ts';
import { diff, type Side } from './diff.ts';

const schema = JSON.parse(readFileSync(new URL('../../../spec/diff.schema.json', import.meta.url), 'utf8'));
const isDifference = new Ajv2020({ strictTypes: false }).compile(schema);

async function side(starting: Promise<Target>, spoil?: (exchanged: Exchanged) => Spoiled | undefined): Promise<Side> {
  const target = await starting;
  onTestFinished(target.close);
  const { baseUrl, keys, clock } = target.options;
  const proxy = spoil === undefined ? null : await startRewriting(baseUrl, spoil);
  if (proxy !== null) onTestFinished(proxy.close);
  const options = { baseUrl: proxy?.baseUrl ?? baseUrl, keys: { good: keys.good }, gentle: true };
  return { label: 'a mock', options: { ...options, ...(clock ? { clock } : {}) } };
}

const differing = ({ dimensions }: Difference) =>
  dimensions
    .filter(isDifferent)
    .map(({ id, outcome, fault }) => `${id} ${outcome}${fault === null ? '' : ` by ${fault}`}`);

const startCounted =
  (...only: string[]) =>
  ({ label, options }: Side) => ({ label, options: { ...options, only } });

describe('conformance diff', () => {
  test('finds two mocks the same, once, and follows its schema', async () => {
    const difference = await diff({ a: await side(startMockTarget()), b: await side(startMockTarget()) });
    expect(differing(difference)).toEqual([]);
    expect(concludeDiff(difference)).toMatchObject({ exitCode: 0 });
    expect([difference.a.rounds, difference.b.rounds]).toEqual([1, 1]);
    // One audit with a second key, whose lists are read twice and whose accounts alternately, and each class of input.
    expect(difference.a.requests).toBeLessThanOrEqual(119);
    expect(isDifference(toDiffJson(difference, concludeDiff(difference))) || isDifference.errors).toBe(true);
  }, 60_000);

  test('prints legal differences, each shown three times', async () => {
    const behavior = {
      articleOrder: 'oldest',
      articleLimitBelow: 'clamp',
      reviewEnd: 'absent',
      pendingCode: 'served',
    } as const;
    const difference = await diff({ a: await side(startMockTarget()), b: await side(startMockTarget({ behavior })) });
    expect(differing(difference).sort()).toEqual([
      'articleLimitBelow differs legally',
      'articleLimitNegative differs legally',
      'articleOrder differs legally',
      'pendingCode differs legally',
      'reviewEnd differs legally',
    ]);
    expect(difference.dimensions.filter(isDifferent).every(({ times }) => times >= 3)).toBe(true);
    expect([difference.a.rounds, difference.b.rounds]).toEqual([4, 3]);
    expect(concludeDiff(difference)).toMatchObject({ exitCode: 1 });
    const ending = concludeDiff(difference, { isLegalFine: true });
    expect(ending).toMatchObject({ exitCode: 0 });
    expect(isDifference(toDiffJson(difference, ending)) || isDifference.errors).toBe(true);
  }, 60_000);

  test.each(['second-key', 'none'])(
    'shows records of another organization with a key of it: %s',
    async (given) => {
      const sideWith = async (mutant?: string): Promise<Side> => {
        const target = await startMockTarget(mutant === undefined ? {} : { mutant });
        onTestFinished(target.close);
        const { baseUrl, keys, clock } = target.options;
        const { good, second = '' } = keys;
        const options = { baseUrl, keys: given === 'none' ? { good } : { good, second }, only: ['isolation/*'] };
        return { label: 'a mock', options: { ...options, ...(clock ? { clock } : {}) } };
      };
      const difference = await diff({ a: await sideWith(), b: await sideWith('foreign-article-by-id') });
      // A record of the other organization contradicts every clause of isolation.
      const clauses = ['1.organization-scope', '1.foreign-record', '5.key-organization'];
      expect(differing(difference)).toEqual(
        given === 'none' ? [] : clauses.map((clause) => `${clause} differs illegally by B`),
      );
    },
    60_000,
  );

  test('says which side breaks which clause, in every kind of report', async () => {
    const narrow = startCounted('auth/*');
    const a = narrow(await side(startMockTarget({ mutant: 'no-key-403' })));
    const difference = await diff({ a, b: narrow(await side(startMockTarget())) });
    expect(differing(difference)).toContain('5.missing-key differs illegally by A');
    const ending = concludeDiff(difference, { isLegalFine: true });
    expect(ending.exitCode).toBe(1);
    expect(renderDiffTerminal(difference, ending)).toContain('A violates the contract  5.missing-key');
    for (const kind of reportKinds.filter((each): each is ReportKind => each !== 'har'))
      expect(renderDiff(kind, difference, ending)).toContain('5.missing-key');
    expect(renderDiff('har', difference, ending)).toContain('"status": 403');
  }, 60_000);

  test('repeats the requests that showed a violation, and those that verified the clause on A', async () => {
    // Replies are on one page only: on the second that a run of B reads, on the third of A.
    const repliesOn = (page: number, replyText: string | null) => {
      const pages = new Set<string>();
      return ({ path, query, status, body }: Exchanged): Spoiled | undefined => {
        if (!path.endsWith('/reviews') || status !== 200 || !Array.isArray(body.data?.reviews)) return undefined;
        pages.add(`${path}?${query}`);
        const isShown = [...pages].indexOf(`${path}?${query}`) === page - 1;
        const reviews = body.data.reviews.map(({ replyText: _, replied: __, ...review }: Record<string, unknown>) =>
          isShown ? { ...review, replied: true, replyText } : review,
        );
        return { body: { ...body, data: { ...body.data, reviews } } };
      };
    };
    const narrow = startCounted('reviews/*', 'rule/*');
    const a = narrow(await side(startMockTarget(), repliesOn(3, 'Thanks')));
    const b = narrow(await side(startMockTarget(), repliesOn(2, null)));
    expect(differing(await diff({ a, b }))).toContain('2.review-item.reply-text differs illegally by B');
  }, 60_000);

  test('asks a burst again where only the limiter shows it', async () => {
    const sides = [startMockTarget(), startMockTarget({ behavior: { retryAfter: 'never' } })].map(async (starting) => {
      const { label, options } = await side(starting);
      return { label, options: { ...options, gentle: false, only: ['limits/address-burst'] } };
    });
    const [a, b] = await Promise.all(sides);
    expect(differing(await diff({ a: a as Side, b: b as Side }))).toEqual(['retryAfter differs legally']);
  }, 60_000);

  test('takes noise for no difference, on either side', async () => {
    let sent = 0;
    const flips = ({ path, query }: Exchanged): Spoiled | undefined => {
      if (path !== '/sites/no-such-thing' && !/^\/(sites|articles)\/[^/]*$/.test(path)) return undefined;
      if (/^[0-9a-f-]{36}$/i.test(path.split('/')[2] ?? '') || query.size > 0) return undefined;
      sent += 1;
      // Without a period that the number of requests of a round could follow.
      return (sent * 7) % 11 < 6
        ? undefined
        : { status: 400, body: { error: { code: 'invalid_input', message: 'no', issues: ['id'] } } };
    };
    const narrow = startCounted('sites/*');
    const sides = [narrow(await side(startMockTarget(), flips)), narrow(await side(startMockTarget()))] as const;
    for (const [a, b] of [sides, [sides[1], sides[0]] as const]) {
      sent = 0;
      const difference = await diff({ a, b });
      expect(sent).toBeGreaterThan(1);
      expect(difference.dimensions.find(({ id }) => id === 'malformedId')?.outcome).toBe('not comparable');
      expect(differing(difference)).toEqual([]);
    }
  }, 60_000);

  test('calls a run that compared too little no success', async () => {
    const difference = await diff({
      a: await side(startMockTarget({ world: 'empty' })),
      b: await side(startMockTarget({ world: 'empty' })),
    });
    expect(differing(difference)).toEqual([]);
    expect(concludeDiff(difference)).toMatchObject({ exitCode: 3 });
  }, 60_000);

  test('requests two sides of one host alternately, and below the limits of both', async () => {
    const { label, options } = await side(startMockTarget());
    const own = { label, options: { ...options, only: ['sites/*', 'articles/*'] } };
    const statuses: number[] = [];
    const difference = await diff({
      a: own,
      b: own,
      onEvent: (told) => {
        if (told.kind === 'run' && told.event.kind === 'exchange') statuses.push(told.event.exchange.status);
      },
    });
    expect(statuses.length).toBe(difference.a.requests + difference.b.requests);
    expect(statuses).not.toContain(429);
    expect(differing(difference)).toEqual([]);
  }, 60_000);

  test('names the side that cannot be reached', async () => {
    const options = { baseUrl: 'http://127.0.0.1:9/api/v1', keys: { good: `casa_${'0'.repeat(32)}` }, timeoutMs: 500 };
    const difference = await diff({ a: await side(startMockTarget()), b: { label: 'nobody', options } });
    const ending = concludeDiff(difference);
    expect(ending).toMatchObject({ exitCode: 4, sentence: expect.stringMatching(/^B: 127\.0\.0\.1:9 /) });
  }, 60_000);
});
