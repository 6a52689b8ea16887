// Reads a third time, to find effects of the first two reads. A record can change meanwhile, but then it keeps the
// change: a value that returns was never gone (interpretation R59).
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { canonical } from '../../exchange/canonical.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

interface Read {
  readonly operation: OperationId;
  readonly clause: ClauseId;
  /** The part that stays equal between reads. */
  sign(exchange: Exchange): unknown;
}

/** Sorted: the order of most lists is not specified, and can vary. */
const idsOf = (rows: unknown, name: string) =>
  listOf(rows)
    .map((row) => canonical(isObject(row) ? row[name] : null))
    .sort();

/** A score can be computed for each read. */
function fixedOf({ json }: Exchange): unknown {
  const record = isObject(json) && isObject(json.data) ? json.data : {};
  const { seoScore: _seoScore, updatedAt: _updatedAt, ...fixed } = record;
  const isPlain = (value: unknown) => !Array.isArray(value) && !isObject(value);
  return Object.fromEntries(Object.entries(fixed).filter(([, value]) => isPlain(value)));
}

/** Calls are left out: they come and go by the minute. */
const reads: readonly Read[] = [
  { operation: 'getSite', clause: '4.sites.get.same-id', sign: fixedOf },
  { operation: 'listArticles', clause: '4.articles.list.walk', sign: ({ json }) => idsOf(Object(json).data, 'id') },
  { operation: 'getArticle', clause: '4.articles.get.same-id', sign: fixedOf },
  {
    operation: 'listReviews',
    clause: '4.connect.list-reviews.endpoint',
    sign: (exchange) => idsOf(dataOf(exchange).reviews, 'reviewId'),
  },
  {
    operation: 'getInsights',
    clause: '4.connect.insights.endpoint',
    sign: (exchange) => idsOf(dataOf(exchange).metrics, 'key'),
  },
];

/** Lists that come whole: lists/no-return compares their records. Of two instances in turn, one is seen twice. */
const wholeLists: readonly OperationId[] = ['listSites', 'listKeywords', 'listAccounts'];
const wholeTimes = 4;

/** Fresh reads in a row, so a balancer sends them to as many instances. */
const times = 3;

const thirdReads: CheckRow = {
  id: 'lists/third-read',
  title: 'Repeated reads return the same data',
  cites: [reads[0]?.clause ?? '4.sites.get.same-id', ...reads.slice(1).map(({ clause }) => clause)],
  needs: ['extended'],
  cost: { requests: times * reads.length + wholeTimes * wholeLists.length, confirms: 2 * reads.length },
  async run(probe) {
    for (const read of reads) await checkThird(probe, read);
    for (const operation of wholeLists) {
      // The one with the most records.
      const [read] = probe.shown(operation).toSorted((one, other) => other.bodyBytes - one.bodyBytes);
      for (let count = 0; read !== undefined && count < wholeTimes; count += 1) await probe.send({ path: read.target });
    }
  },
};

/** Of the reads of one operation that show something, that which the run has sent most often. */
function oftenest(probe: Probe, { operation, sign }: Read): readonly Exchange[] {
  const groups = new Map<string, Exchange[]>();
  for (const exchange of probe.history()) {
    const group = groups.get(exchange.target) ?? [];
    const isRead = exchange.operation === operation && exchange.key === 'good';
    const isFull = exchange.status === 200 && Object.keys(Object(sign(exchange))).length > 0;
    const isDistinctive = isFull || (group.length > 0 && [200, 404].includes(exchange.status));
    if (isRead && isDistinctive) groups.set(exchange.target, [...group, exchange]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length)[0] ?? [];
}

/** Rows of one timestamp may take turns at the edge of a page, and a row may come and go again; the others stay. */
function areAlike(one: unknown, first: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(first)) return canonical(one) === canonical(first);
  const shared = one.filter((id) => first.includes(id)).length;
  return one.length >= first.length && shared >= first.length / 2;
}

/** Pages can have any number of records: only a last one without a cursor must not be shorter. */
function isShorterPage(one: Exchange, first: Exchange, { operation, sign }: Read): boolean {
  const cursor = operation === 'listArticles' ? Object(one.json).cursor : dataOf(one).nextCursor;
  const [ids, others] = [listOf(sign(one)), listOf(sign(first))];
  const isPaged = operation === 'listArticles' || operation === 'listReviews';
  return isPaged && typeof cursor === 'string' && ids.every((id) => others.includes(id));
}

async function checkThird(probe: Probe, read: Read): Promise<void> {
  const reads = [...oftenest(probe, read)];
  const [first] = reads;
  if (first === undefined) return;
  const isAlike = (one: Exchange) =>
    one.status === 200 && (areAlike(read.sign(one), read.sign(first)) || isShorterPage(one, first, read));
  const isSame = (one: Exchange) => one.status === 200 && canonical(read.sign(one)) === canonical(read.sign(first));
  const again = async () => probe.send({ path: first.target });
  for (let count = 0; count < times; count += 1) reads.push(await again());
  // Rows that were added show again, unless only some instances have them.
  if (reads.every(isAlike) && !reads.every(isSame)) reads.push(await again(), await again());
  const changed = reads.find((one) => !isAlike(one));
  // A real change stays, so the first value must not return.
  const isBack = changed !== undefined && (reads.slice(reads.indexOf(changed)).some(isSame) || isSame(await again()));
  if (changed !== undefined && !isBack) return probe.doubt('interference', `${first.target} changed while it was read`);
  probe.holds(changed === undefined, {
    ...about(changed ?? reads.at(-1), read.clause),
    expected: `the same as ${first.id}`,
    actual: changed === undefined ? 'the same' : nameOfResponse(changed),
  });
}

export const thirdReadsOfAll = defineChecks({ phase: 'after bursts' }, [thirdReads]);
