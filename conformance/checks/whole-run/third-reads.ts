// The same read a third time: what a server keeps of the first two, or counts, must not show in it. What is read may
// have changed meanwhile, and then it stays so: only what the next reading shows again was never gone (rulings R59).
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { canonical } from '../../assertions/call-log/record.ts';
import { about } from '../../assertions/claims.ts';
import { thorough } from '../../assertions/thorough.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfAnswer } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

interface Read {
  readonly operation: OperationId;
  readonly clause: ClauseId;
  /** What stays the same from one reading to the next. */
  sign(exchange: Exchange): unknown;
}

/** In an order of their own: that of most lists is not stated, and may be another one each time. */
const idsOf = (rows: unknown, name: string) =>
  listOf(rows)
    .map((row) => canonical(isObject(row) ? row[name] : null))
    .sort();

/** A score may be computed anew on each reading. */
function fixedOf({ json }: Exchange): unknown {
  const record = isObject(json) && isObject(json.data) ? json.data : {};
  const { seoScore: _seoScore, updatedAt: _updatedAt, ...fixed } = record;
  const isPlain = (value: unknown) => !Array.isArray(value) && !isObject(value);
  return Object.fromEntries(Object.entries(fixed).filter(([, value]) => isPlain(value)));
}

const listedIds = ({ json }: Exchange) => idsOf(isObject(json) ? json.data : null, 'id');

/** Calls are left out: they come and go by the minute. */
const READS: readonly Read[] = [
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

const TIMES = 3;

const thirdReads: CheckRow = {
  id: 'lists/third-read',
  title: 'What is read three times is answered the third time as the first',
  cites: [READS[0]?.clause ?? '4.sites.list', ...READS.slice(1).map(({ clause }) => clause)],
  needs: thorough,
  cost: { requests: (TIMES - 1) * READS.length, confirms: READS.length },
  async run(probe) {
    for (const read of READS) await judgeThird(probe, read);
  },
};

/** Of the reads of one operation that show something, that which the run has sent most often. */
function oftenest(probe: Probe, { operation, sign }: Read): readonly Exchange[] {
  const groups = new Map<string, Exchange[]>();
  for (const exchange of probe.history()) {
    const group = groups.get(exchange.target) ?? [];
    const isRead = exchange.operation === operation && exchange.key === 'good';
    const isFull = exchange.status === 200 && Object.keys(Object(sign(exchange))).length > 0;
    const isTelling = isFull || (group.length > 0 && [200, 404].includes(exchange.status));
    if (isRead && isTelling) groups.set(exchange.target, [...group, exchange]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length)[0] ?? [];
}

/** Rows of one instant may take turns at the edge of a page, and a row may come and go again; the others stay. */
function areAlike(one: unknown, first: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(first)) return canonical(one) === canonical(first);
  const shared = one.filter((id) => first.includes(id)).length;
  return one.length >= first.length && shared >= first.length / 2;
}

async function judgeThird(probe: Probe, read: Read): Promise<void> {
  const readings = [...oftenest(probe, read)];
  const [first] = readings;
  if (first === undefined) return;
  const isAlike = (one: Exchange) => one.status === 200 && areAlike(read.sign(one), read.sign(first));
  const isSame = (one: Exchange) => one.status === 200 && canonical(read.sign(one)) === canonical(read.sign(first));
  const again = async () => probe.send({ path: first.target });
  while (readings.length < TIMES) readings.push(await again());
  const odd = readings.find((one) => !isAlike(one));
  // What has changed stays so, and no other change undoes it: all must be there again.
  const isBack = odd !== undefined && (readings.slice(readings.indexOf(odd)).some(isSame) || isSame(await again()));
  if (odd !== undefined && !isBack) return probe.doubt('interference', `${first.target} changed while it was read`);
  probe.holds(odd === undefined, {
    ...about(odd ?? readings.at(-1), read.clause),
    expected: `the answer of ${first.id}, which comes again later`,
    actual: odd === undefined ? 'the same' : nameOfAnswer(odd),
  });
}

export const thirdReadsOfAll = defineChecks({ phase: 'after bursts' }, [thirdReads]);
