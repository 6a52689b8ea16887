// A value that returns was never gone: a record can change while it is read, but then it keeps the change
// (interpretation R59).
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { canonical } from '../exchange/canonical.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfResponse } from '../exchange/exchange.ts';
import { type History, precedes, responsesTo } from '../exchange/history.ts';
import { valueAt } from '../exchange/pointer.ts';
import { addTo } from '../exchange/shown.ts';
import { about } from './expect.ts';
import type { Judgment } from './judge.ts';

interface Read {
  readonly operation: OperationId;
  readonly clause: ClauseId;
  /** The part that stays equal between reads. */
  sign(exchange: Exchange): unknown;
  /** The cursor of a list that comes in pages. */
  readonly cursor?: string;
}

/** Sorted: the order of most lists is not specified, and can vary. */
const idsOf = (pointer: string, name: string) => (exchange: Exchange) =>
  listOf(valueAt(exchange.json, pointer))
    .map((row) => canonical(isObject(row) ? row[name] : null))
    .sort();

/** A score can be computed for each read. */
function fixedOf(exchange: Exchange): unknown {
  const { seoScore: _seoScore, updatedAt: _updatedAt, ...fixed } = dataOf(exchange);
  const isPlain = (value: unknown) => !Array.isArray(value) && !isObject(value);
  return Object.fromEntries(Object.entries(fixed).filter(([, value]) => isPlain(value)));
}

/** Calls are left out: they come and go by the minute. */
const reads: readonly Read[] = [
  { operation: 'getSite', clause: '4.sites.get.same-id', sign: fixedOf },
  { operation: 'listArticles', clause: '4.articles.list.walk', sign: idsOf('/data', 'id'), cursor: '/cursor' },
  { operation: 'getArticle', clause: '4.articles.get.same-id', sign: fixedOf },
  {
    ...{ operation: 'listReviews', clause: '4.connect.list-reviews.endpoint', cursor: '/data/nextCursor' },
    sign: idsOf('/data/reviews', 'reviewId'),
  },
  { operation: 'getInsights', clause: '4.connect.insights.endpoint', sign: idsOf('/data/metrics', 'key') },
];

export const valueClauses = reads.map(({ clause }) => clause);

/** Rows of one timestamp may take turns at the edge of a page, and a row may come and go again; the others stay. */
function areAlike(one: unknown, first: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(first)) return canonical(one) === canonical(first);
  const shared = one.filter((id) => first.includes(id)).length;
  return one.length >= first.length && shared >= first.length / 2;
}

/** Equal requests of which one shows what neither the one before it nor the one after it shows. */
export function* judgeValues(history: History): Iterable<Judgment> {
  for (const read of reads) {
    const groups = new Map<string, Exchange[]>();
    for (const one of responsesTo(history, read.operation)) {
      // A session as a cursor of reviews advances with each request.
      const isSession = read.operation === 'listReviews' && one.target.includes('?');
      if ([200, 404].includes(one.status) && !isSession) addTo(groups, one.target, one);
    }
    for (const group of groups.values()) yield* judgeEqual(group, read);
  }
}

function* judgeEqual(group: readonly Exchange[], { clause, sign, cursor }: Read): Iterable<Judgment> {
  const [first, ...later] = group.filter((one) => one.status === 200 && Object.keys(Object(sign(one))).length > 0);
  const last = later.at(-1);
  if (first === undefined || last === undefined) return;
  const between = group.filter((one) => precedes(first, one) && precedes(one, last));
  const isSame = (one: Exchange) => one.status === 200 && canonical(sign(one)) === canonical(sign(first));
  // Pages can have any number of records: only a last one without a cursor must not be shorter.
  const isShorterPage = (one: Exchange) =>
    cursor !== undefined &&
    typeof valueAt(one.json, cursor) === 'string' &&
    listOf(sign(one)).every((id) => listOf(sign(first)).includes(id));
  const isAlike = (one: Exchange) => one.status === 200 && (areAlike(sign(one), sign(first)) || isShorterPage(one));
  const changed = between.find((one) => !isAlike(one) && later.some((after) => precedes(one, after) && isSame(after)));
  // A change that stays says nothing.
  if (between.length === 0 || (changed === undefined && ![...between, last].every(isAlike))) return;
  yield {
    ...about(changed ?? last, clause),
    isTrue: changed === undefined,
    expected: `the same as ${first.id}`,
    actual: changed === undefined ? 'the same' : nameOfResponse(changed),
  };
}
