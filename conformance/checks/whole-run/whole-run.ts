// Checks the exchanges of the complete run, without requests.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import { words } from '../../../src/contract/words.ts';
import { about } from '../../assertions/claims.ts';
import { canonical } from '../../exchange/canonical.ts';
import { dataOf, type Exchange, errorCode, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { findField } from '../../rules/envelope.ts';

/** The operations that section 1 counts. */
const six = words(
  'createConnectLink listAccounts createPost listReviews replyToReview getInsights',
) satisfies readonly OperationId[];

const sixOperations: CheckRow = {
  id: 'accounts/six-operations',
  title: 'All six connect endpoints exist',
  cites: ['1.connect-operations'],
  cost: { requests: 0 },
  async run(probe) {
    // A path that does not exist returns neither 200 nor a rejection of the input.
    const isThere = (exchange: Exchange) => exchange.status === 200 || errorCode(exchange) === 'invalid_input';
    const done = probe.history().filter((exchange) => exchange.key === 'good' && isThere(exchange));
    const open = six.filter((id) => !done.some(({ operation }) => operation === id));
    const names = open.map((id) => `${operations[id].method} ${operations[id].path}`).join(', ');
    if (open.length > 0) return probe.stop('precondition', `no 200 and no invalid_input in this run of ${names}`);
    probe.holds(true, { clause: '1.connect-operations', expected: 'all six', actual: 'as expected' });
  },
};

/** Larger than any body but the one at the cap, which names neither a provider nor a label. */
const padded = 1_000_000;

/**
 * Bodies of the suite in which both provider and label are wrong: identified by the label of
 * links/rejects-wrong-bodies, or by the size of the padded ones.
 */
function lacksBoth({ requestBody: { bytes, text } }: Exchange): boolean {
  return bytes > padded || text?.includes('"label":"","maxAccounts":99') === true;
}

/** A list with one entry can still name both, in any format (R26). */
function namesBoth(found: unknown): boolean {
  const text = JSON.stringify(found) ?? '';
  const isSingle = typeof found === 'object' && found !== null && Object.keys(found).length === 1;
  return !isSingle || (/provider/i.test(text) && /label/i.test(text));
}

const eachProblem: CheckRow = {
  id: 'links/each-problem',
  title: 'A request with two errors returns two issues',
  cites: ['7.code.invalid-input-issues'],
  // R26: two independent problems listed as one are worth a warning.
  level: 'should',
  cost: { requests: 0 },
  async run(probe) {
    const rejected = probe.history().filter((exchange) => {
      const isLink = exchange.operation === 'createConnectLink' && exchange.key === 'good';
      return isLink && errorCode(exchange) === 'invalid_input' && lacksBoth(exchange);
    });
    // Whether there are issues at all is rule/issues.
    const lists = rejected.map((exchange) => ({ exchange, found: findField(exchange.json, 'issues') }));
    for (const { exchange, found } of lists.filter(({ found }) => found !== undefined)) {
      probe.holds(namesBoth(found), {
        ...about(exchange, '7.code.invalid-input-issues', '/error/issues'),
        expected: 'an issue for provider and one for label',
        actual: show(found),
      });
    }
  },
};

export const wholeRun = defineChecks({ phase: 'after bursts' }, [sixOperations, eachProblem]);

// Rows that disappear and return within a run (interpretation R59): a deletion explains the first, but only a response
// from a stale replica or cache explains the return. Sends no requests.

interface List {
  readonly clause: ClauseId;
  /** The place of the rows, and the field with their id. */
  readonly path: readonly string[];
  readonly id: string;
}

/** Lists that come whole: from a page of a longer one a row may be pushed away and come back. */
const accounts = '4.connect.list-accounts.content';
const lists: Partial<Record<OperationId, readonly List[]>> = {
  listSites: [{ clause: '4.sites.list', path: ['data'], id: 'id' }],
  listKeywords: [{ clause: '4.keywords.list.of-site', path: ['data'], id: 'id' }],
  listAccounts: [
    { clause: accounts, path: ['data', 'accounts'], id: 'accountId' },
    { clause: accounts, path: ['data', 'pendingInvites'], id: 'id' },
  ],
};

/** Longer lists are skipped: comparing each with each is slow. */
const rowsMax = 500;
const readsMax = 100;

/** One of several responses to the same request, its place in the run, and its ids. */
interface ListRead {
  readonly exchange: Exchange;
  readonly place: number;
  readonly list: List;
  readonly ids: ReadonlySet<string>;
}

/** None for anything but whole lists that the valid key was shown. */
function readsOf(exchange: Exchange, place: number): ListRead[] {
  const { operation, status, key } = exchange;
  if (operation === null || status !== 200 || key !== 'good') return [];
  return (lists[operation] ?? []).flatMap((list) => readOf(exchange, list, place) ?? []);
}

function readOf(exchange: Exchange, list: List, place: number): ListRead | null {
  let node: unknown = exchange.json;
  for (const name of list.path) node = isObject(node) ? node[name] : undefined;
  const rows = listOf(node);
  const ids = rows.flatMap((row) => (isObject(row) ? [String(row[list.id]).toLowerCase()] : []));
  return Array.isArray(node) && rows.length <= rowsMax ? { exchange, place, list, ids: new Set(ids) } : null;
}

const returning: CheckRow = {
  id: 'lists/no-return',
  title: 'Records do not disappear and reappear',
  cites: ['4.sites.list', '4.connect.list-accounts.content', '4.keywords.list.of-site'],
  cost: { requests: 0 },
  async run(probe) {
    const reads = probe.history().flatMap(readsOf);
    const often = groupByTarget(reads).filter(({ length }) => length > 2);
    if (often.length === 0) return probe.stop('vacuous', 'needs a list that was read three times');
    for (const same of often) {
      const back = returned(same);
      const [{ exchange, list }] = same as [ListRead, ...ListRead[]];
      probe.holds(back === null, {
        ...about(back?.read.exchange ?? exchange, list.clause, `/${list.path.join('/')}`),
        expected: 'every row that is listed before and after',
        actual: back === null ? 'every one' : `a list without ${back.id}, which is listed again later`,
      });
    }
  },
};

/** By path, query and list: only responses to one question can be compared. */
function groupByTarget(reads: readonly ListRead[]): ListRead[][] {
  const groups = new Map<string, ListRead[]>();
  for (const read of reads) {
    const name = `${read.exchange.target} ${read.list.path.join('/')}`;
    const group = groups.get(name) ?? [];
    if (group.length < readsMax) group.push(read);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** Concurrent requests have no known order. The order of others is more precise than a clock of milliseconds. */
function isEarlier(one: ListRead, other: ListRead): boolean {
  const gapMs = other.exchange.sentAt - one.exchange.receivedAt;
  const areTogether = one.exchange.burst && other.exchange.burst;
  return gapMs > 0 || (gapMs === 0 && !areTogether && one.place < other.place);
}

/** The first response that lacks a row which an earlier one and a later one show. */
function returned(reads: readonly ListRead[]): { readonly read: ListRead; readonly id: string } | null {
  for (const read of reads) {
    const before = reads.filter((other) => isEarlier(other, read));
    const after = reads.filter((other) => isEarlier(read, other));
    const later = new Set(after.flatMap(({ ids }) => [...ids]));
    const known = before.flatMap(({ ids }) => [...ids]);
    const id = known.find((one) => !read.ids.has(one) && later.has(one));
    if (id !== undefined) return { read, id };
  }
  return null;
}

export const returningRows = defineChecks({ phase: 'after bursts' }, [returning]);

// Reads a third time, to find effects of the first two reads. A record can change meanwhile, but then it keeps the
// change: a value that returns was never gone (interpretation R59).

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

const listedIds = ({ json }: Exchange) => idsOf(isObject(json) ? json.data : null, 'id');

/** Calls are left out: they come and go by the minute. */
const reads: readonly Read[] = [
  { operation: 'listSites', clause: '4.sites.list', sign: listedIds },
  { operation: 'getSite', clause: '4.sites.get.same-id', sign: fixedOf },
  { operation: 'listArticles', clause: '4.articles.list.walk', sign: listedIds },
  { operation: 'getArticle', clause: '4.articles.get.same-id', sign: fixedOf },
  { operation: 'listKeywords', clause: '4.keywords.list.of-site', sign: listedIds },
  {
    operation: 'listAccounts',
    clause: '4.connect.list-accounts.content',
    sign: (exchange) => idsOf(dataOf(exchange).accounts, 'accountId'),
  },
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

/** Fresh reads in a row, so a balancer sends them to as many instances. */
const times = 3;

const thirdReads: CheckRow = {
  id: 'lists/third-read',
  title: 'Repeated reads return the same data',
  cites: [reads[0]?.clause ?? '4.sites.list', ...reads.slice(1).map(({ clause }) => clause)],
  needs: ['extended'],
  cost: { requests: times * reads.length, confirms: 2 * reads.length },
  async run(probe) {
    for (const read of reads) await checkThird(probe, read);
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

/** A read without a row that reads before and after it show (interpretation R59); not for pages, where rows move. */
function cameAndWent(reads: readonly Exchange[], { operation, sign }: Read): Exchange | undefined {
  if (operation === 'listArticles' || operation === 'listReviews') return undefined;
  const rows = reads.map((one) => listOf(sign(one)));
  return reads.find((_, at) =>
    rows
      .slice(0, at)
      .flat()
      .some(
        (id) =>
          !rows[at]?.includes(id) &&
          rows
            .slice(at + 1)
            .flat()
            .includes(id),
      ),
  );
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
  const changed = reads.find((one) => !isAlike(one)) ?? cameAndWent(reads, read);
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
