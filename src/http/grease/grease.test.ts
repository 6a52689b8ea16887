import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { home, samples, shop } from '../../../fixtures/test-kit/actors.ts';
import { openScenario, type Scenario, type ScenarioResponse } from '../../../fixtures/test-kit/scenario.ts';
import { defaultBehaviors } from '../../contract/generated/behaviors.ts';
import { errorExamples } from '../../contract/generated/errors.ts';
import { parseTimestamp } from '../../contract/timestamps.ts';
import { settleBehavior } from '../../domain/world-behavior.ts';
import type { Writer } from '../calibrated/writer.ts';
import { renderRejection } from '../render.ts';
import { route } from '../route.ts';
import { drawDeployment } from './draws.ts';
import { createGrease, readReviewId, writeReviewId } from './grease.ts';

const seeds = Array.from({ length: 20 }, (_, i) => i * 7919);

const rejected = renderRejection({ code: 'not_found', message: 'There is no such site.' });

/** One request of each kind, good and bad. */
function tour(scenario: Scenario): ScenarioResponse[] {
  const responses: ScenarioResponse[] = [];
  for (const { method, target, body } of Object.values(samples)) {
    const wish = body ? { body } : {};
    responses.push(scenario.ask(method, target, wish));
    for (const name of Object.keys(errorExamples)) {
      responses.push(scenario.ask(method, target, { ...wish, headers: { prefer: `example=${name}` } }));
    }
  }
  const rejections = [scenario.ask('POST', '/connect/accounts', { body: { label: '' } })];
  rejections.push(scenario.ask('GET', '/nowhere'), scenario.ask('DELETE', '/sites'));
  return [...responses, ...rejections, scenario.ask('GET', '/sites', { key: null })];
}

function walkReviews(scenario: Scenario): string[] {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const query = typeof cursor === 'string' ? `?cursor=${encodeURIComponent(cursor)}` : '';
    const { data } = scenario.ask('GET', `/connect/accounts/${shop.accountId}/reviews${query}`).success('listReviews');
    ids.push(...data.reviews.map(({ reviewId }) => reviewId));
    expect(ids.length).toBeLessThanOrEqual(shop.reviews.length);
    cursor = data.nextCursor;
  } while (typeof cursor === 'string');
  return ids;
}

function walkArticles(scenario: Scenario): string[] {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = scenario.ask('GET', `/articles?limit=10${query}`).success('listArticles');
    expect(page.data.length).toBeLessThanOrEqual(10);
    if (page.cursor !== null) expect(page.cursor).toBe(page.data.at(-1)?.createdAt);
    ids.push(...page.data.map(({ id }) => id));
    expect(ids.length).toBeLessThanOrEqual(home.articles.length);
    cursor = page.cursor;
  } while (cursor !== null);
  return ids;
}

function walkCalls(scenario: Scenario, limit: number): unknown[] {
  const calls: unknown[] = [];
  let since = '2000-01-01T00:00:00Z';
  for (;;) {
    const target = `/connect/calls/log?limit=${limit}&since=${encodeURIComponent(since)}`;
    const { data } = scenario.ask('GET', target).success('listCalls');
    calls.push(...data.calls);
    expect(calls.length).toBeLessThanOrEqual(home.calls.length);
    if (data.nextCursor === null) return calls;
    expect(parseTimestamp(data.nextCursor)).not.toBeNull();
    since = data.nextCursor;
  }
}

describe('a greased mock', () => {
  it.each(seeds)('with the seed %i gives only responses within the contract', (seed) => {
    const scenario = openScenario({ grease: seed, limits: true });
    for (const response of tour(scenario)) {
      expect(response.text).not.toBe('');
      scenario.clock.advance(10_000);
    }
  });

  it.each(seeds)('with the seed %i loses and repeats nothing along its chains', (seed) => {
    const plain = openScenario();
    const scenario = openScenario({ grease: seed });
    expect(walkArticles(scenario).map((id) => id.toLowerCase())).toEqual(walkArticles(plain));
    const reviewIds = walkReviews(scenario);
    expect([new Set(reviewIds).size, reviewIds.length]).toEqual([shop.reviews.length, shop.reviews.length]);
    const calls = walkCalls(scenario, 50);
    expect(calls).toEqual(walkCalls(scenario, 7));
    expect(calls.length).toBe(walkCalls(plain, 50).length);
  });

  it.each(seeds)('with the seed %i takes a reply under the id that it shows', (seed) => {
    const scenario = openScenario({ grease: seed });
    for (const reviewId of walkReviews(scenario).slice(0, 12)) {
      const target = `/connect/accounts/${shop.accountId}/reviews/${encodeURIComponent(reviewId)}/reply`;
      scenario.ask('POST', target, { body: { text: `To ${reviewId}` } }).success('replyToReview');
    }
    const { data } = scenario.ask('GET', `/connect/accounts/${shop.accountId}/reviews`).success('listReviews');
    // Interpretation R12: a review need not show its reply.
    const isShown = !/none|without-text/.test(String(drawDeployment(seed).reviewReplied));
    expect(data.reviews.map(({ replyText }) => replyText)).toEqual(
      data.reviews.map(({ reviewId }) => (isShown ? `To ${reviewId}` : undefined)),
    );
  });

  it('gives the same bytes for the same seed and requests, and others for another seed', () => {
    const play = (seed: number) => tour(openScenario({ grease: seed })).map(({ text, headers }) => [text, headers]);
    expect(play(5)).toEqual(play(5));
    expect(play(5)).not.toEqual(play(6));
  });

  it('continues from its position', () => {
    const settled = { behaviors: settleBehavior(drawDeployment(3)), chosen: {} };
    const [first, copy] = [createGrease(3, settled), createGrease(3, settled)];
    const speak = (grease: Writer) => [1, 2, 3, 4].map(() => grease.write(rejected, route('GET', '/api/v1/sites')));
    speak(first);
    copy.restore(first.position());
    expect(speak(first)).toEqual(speak(copy));
  });

  it('keeps status, code and the body of the limiter', () => {
    const plain = tour(openScenario());
    const greased = tour(openScenario({ grease: 11 }));
    // Interpretation R22: the code of an invalid request to a list is a separate behavior.
    const told = ({ status, code, trace: { routing } }: ScenarioResponse) =>
      status === 400 && typeof routing !== 'string' && routing.operation.envelope === 'simple'
        ? status
        : [status, code];
    expect(greased.map(told)).toEqual(plain.map(told));
    for (const { json, trace } of greased) if (trace.blockedBy) expect(json).toEqual({ error: 'rate_limit_exceeded' });
  });

  it('adds fields to errors in the tool envelope only', () => {
    for (const seed of seeds) {
      for (const { json, trace, status } of tour(openScenario({ grease: seed }))) {
        const tool = typeof trace.routing !== 'string' && trace.routing.operation.envelope === 'tool';
        if (status === 200 || trace.blockedBy || tool) continue;
        const { error } = json as { error: object };
        const others = Object.keys(error).filter((name) => !['code', 'message', 'issues', 'reason'].includes(name));
        expect(others).toEqual([]);
      }
    }
  });
});

describe('a greased mock whose behaviors are all chosen by hand', () => {
  const chosen = { behavior: defaultBehaviors, grease: 7 };

  it('responds as a plain one does where no chance is left', () => {
    const [greased, plain] = [openScenario(chosen), openScenario()];
    const site = home.sites[0]?.id;
    for (const target of [
      '/sites',
      `/sites/${site}`,
      `/articles/${home.articles[0]?.id}`,
      `/keywords?siteId=${site}`,
    ]) {
      const [one, other] = [greased.ask('GET', target), plain.ask('GET', target)];
      expect([one.text, one.headers]).toEqual([other.text, other.headers]);
    }
  });

  it('differs elsewhere only in what spec/behaviors.yaml calls chance', () => {
    const strip = ({ status, json }: ScenarioResponse) => {
      const { summary: _, error, data, ...rest } = json as Record<string, never>;
      const { message: __, ...told } = (error ?? {}) as { message?: string };
      const { reviews, ...others } = (data ?? {}) as { reviews?: { reviewId: string }[] };
      const shown = reviews?.map(({ reviewId: ___, ...review }) => review);
      return { status, ...rest, error: told, data: Array.isArray(data) ? null : { ...others, shown } };
    };
    const tours = [openScenario(chosen), openScenario()].map((scenario) => tour(scenario).map(strip));
    // A short page has its own cursor.
    const isPage = (response: object) => 'cursor' in response;
    expect(tours[0]?.filter((response) => !isPage(response))).toEqual(
      tours[1]?.filter((response) => !isPage(response)),
    );
  });
});

const decorated = fc.constantFrom('a/b:', '100% ', '%2F', '+1 ', '');
const ids = fc.tuple(decorated, fc.string({ unit: 'grapheme', minLength: 1 })).map((parts) => parts.join(''));

describe('a greased review id', () => {
  it('is read back as the original id, in any form', () => {
    fc.assert(
      fc.property(ids, fc.nat(), (id, seed) => {
        const shown = writeReviewId(id, seed);
        expect([readReviewId(shown, seed), writeReviewId(id, seed)]).toEqual([id, shown]);
        expect(encodeURIComponent(shown)).not.toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  it('that was never greased means itself', () => {
    expect(readReviewId('rev_1', 3)).toBe('rev_1');
    const seed = [1, 2, 3, 4, 5].find((other) => !writeReviewId('x', other).startsWith('+1 ')) as number;
    expect(readReviewId('+1 x', seed)).toBe('+1 x');
  });
});
