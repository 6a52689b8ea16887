import { describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../src/mutants/hooks/rewrite.ts';
import { mutantNamed } from '../../src/mutants/index.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { goodKey, type Probe, rowsIn, startEngine, startProbe } from './probe.ts';

const pagesMax = 60;

interface List {
  readonly target: string;
  /** The query parameter that takes the cursor. */
  readonly cursor: 'cursor' | 'since';
  readonly id: string;
}

interface Walk {
  readonly lost: number;
  readonly repeated: number;
  readonly ends: boolean;
}

const since = '2000-01-01T00:00:00Z';
const lists = {
  articles: { target: '/articles?limit=20', cursor: 'cursor', id: 'id' },
  'articles by tens': { target: '/articles?limit=10', cursor: 'cursor', id: 'id' },
  'articles at once': { target: '/articles?limit=100', cursor: 'cursor', id: 'id' },
  calls: { target: `/connect/calls/log?since=${since}&limit=50`, cursor: 'since', id: 'id' },
  'calls by sevens': { target: `/connect/calls/log?since=${since}&limit=7`, cursor: 'since', id: 'id' },
  'calls by 200': { target: `/connect/calls/log?since=${since}&limit=200`, cursor: 'since', id: 'id' },
  reviews: { target: `/connect/accounts/${accountWithReviews()}/reviews`, cursor: 'cursor', id: 'reviewId' },
} as const satisfies Record<string, List>;

function accountWithReviews(): string {
  const accounts = defaultWorld.organizations[0]?.accounts ?? [];
  return accounts.find(({ reviews }) => reviews.length > 20)?.accountId ?? '';
}

function nextCursor(body: Json | undefined): string | null {
  if (!isObject(body)) return null;
  const cursor = isObject(body.data) ? body.data.nextCursor : body.cursor;
  return typeof cursor === 'string' ? cursor : null;
}

function readAll(probe: Probe, { target, cursor: name, id }: List): { ids: string[]; ends: boolean } {
  const ids: string[] = [];
  const [path, query = ''] = target.split('?');
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
  let next: string | null = target;
  for (let page = 0; next !== null && page < pagesMax; page += 1) {
    const body = probe.ask(next, { key: goodKey(1) });
    ids.push(...rowsIn(body).map((row) => String(row[id])));
    const cursor = nextCursor(body);
    next = cursor === null ? null : `${path}?${[...kept, `${name}=${encodeURIComponent(cursor)}`].join('&')}`;
  }
  return { ids, ends: next === null };
}

function walk(list: List, mutant: string): Walk {
  const whole = new Set(readAll(startProbe(startEngine(defaultWorld, false)), list).ids);
  const { ids, ends } = readAll(startProbe(startEngine(defaultWorld, false, mutantNamed(mutant))), list);
  const seen = new Set(ids);
  const repeated = [...seen].filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id)).length;
  return { lost: [...whole].filter((id) => !seen.has(id)).length, repeated, ends };
}

const whole = { lost: 0, repeated: 0, ends: true };

describe('a walk along the cursors', () => {
  it.each([
    ['articles-row-lost-at-page-edge', 'articles', { ...whole, lost: 2 }],
    ['articles-row-lost-at-page-edge', 'articles at once', whole],
    ['articles-row-lost-on-third-page', 'articles', { ...whole, lost: 1 }],
    ['articles-row-lost-inside-a-page', 'articles by tens', { ...whole, lost: 1 }],
    ['articles-row-lost-inside-a-page', 'articles at once', whole],
    ['articles-row-repeated-at-page-edge', 'articles', { ...whole, repeated: 2 }],
    ['articles-row-repeated-on-last-page', 'articles', { ...whole, repeated: 1 }],
    ['articles-never-end', 'articles', { ...whole, ends: false }],
    ['articles-cursor-opaque', 'articles', whole],
    ['articles-cursor-whole-seconds', 'articles', whole],
    ['articles-cursor-of-next', 'articles', { ...whole, lost: 2 }],
    ['reviews-page-lost', 'reviews', { ...whole, lost: 10 }],
    ['reviews-row-lost-at-page-edge', 'reviews', { ...whole, lost: 2 }],
    ['reviews-row-repeated-at-page-edge', 'reviews', { ...whole, repeated: 2 }],
    ['reviews-first-page-repeated', 'reviews', { lost: 10, repeated: 10, ends: true }],
    ['reviews-cursor-number', 'reviews', { lost: 17, repeated: 0, ends: true }],
    ['calls-tie-lost-between-pages', 'calls', { ...whole, lost: 1 }],
    ['calls-tie-lost-between-pages', 'calls by 200', { ...whole, lost: 1 }],
    ['calls-tie-repeated-between-pages', 'calls', { ...whole, repeated: 1 }],
    ['calls-201st-lost', 'calls', whole],
    ['calls-201st-lost', 'calls by 200', { ...whole, lost: 1 }],
    ['calls-late-report-lost', 'calls by sevens', { ...whole, lost: 5 }],
    ['calls-one-lost-for-polls', 'calls by sevens', { ...whole, lost: 3 }],
    ['calls-one-lost-for-polls', 'calls by 200', whole],
    ['calls-one-delivered-twice', 'calls', { ...whole, repeated: 1 }],
    ['calls-one-delivered-twice', 'calls by 200', { ...whole, repeated: 1 }],
    ['calls-cursor-opaque', 'calls', whole],
    ['calls-cursor-when-nothing-new', 'calls', { ...whole, ends: false }],
    ['calls-page-newest-first', 'calls', whole],
  ] as const)('under %s of %s finds %j', (mutant, list, expected) => {
    expect(walk(lists[list], mutant)).toEqual(expected);
  });
});
