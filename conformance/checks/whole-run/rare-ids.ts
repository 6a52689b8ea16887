// Ids in forms that clients rarely send: the smallest and the largest UUID, an id that is encoded twice, and bytes that
// are not UTF-8. Each takes the place of an id that the run has read.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { count } from '../../../src/terminal/count.ts';
import { expectInvalidAccount } from '../../assertions/accounts.ts';
import { about } from '../../assertions/claims.ts';
import { encodedTwice, maxUuid, nilUuid, sendInvalid } from '../../assertions/invalid-inputs.ts';
import { type Exchange, isObject, listOf } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const uuids = [nilUuid, maxUuid] as const;
const formsOf = (id: string) => [...uuids, encodedTwice(id), '%FF'];

/** Where each operation has its id: in the path or in `siteId`. */
const idPlace = /^(.*?(?:\/articles\/|\/sites\/|\/accounts\/|siteId=))([^/?&]+)(.*)$/;

/** Every read with an id, and the clause that a record for another id violates. */
const reads = {
  getArticle: '4.articles.get.not-found',
  getSite: '4.sites.get.not-found',
  listKeywords: '4.keywords.list.of-site',
  listArticles: '4.articles.list.site-id',
  listReviews: '4.connect.account-id',
  getInsights: '4.connect.account-id',
} as const satisfies Partial<Record<OperationId, ClauseId>>;

const countIn = ({ json }: Exchange) => listOf(isObject(json) ? json.data : null).length;

const rareIds: CheckRow = {
  id: 'ids/rare-forms',
  title: 'GET returns no record for malformed or altered ids',
  cites: ['1.unknown-record', ...new Set(Object.values(reads)), '4.articles.get.statuses'],
  needs: ['extended'],
  cost: { requests: Object.keys(reads).length * formsOf('').length, confirms: 2 },
  async run(probe) {
    let tested = 0;
    for (const [operation, clause] of Object.entries(reads) as [keyof typeof reads, ClauseId][]) {
      const [, before, id, after] = idPlace.exec(targetOf(probe, operation) ?? '') ?? [];
      if (id === undefined) continue;
      tested += 1;
      for (const form of formsOf(decodeURIComponent(id))) {
        const exchange = await sendInvalid(probe, { path: `${before}${form}${after}` });
        expectNothing(probe, exchange, { clause, form, id: decodeURIComponent(id) });
      }
    }
    if (tested === 0) probe.stop('vacuous', 'needs a read with an id');
  },
};

/** A request with an id that the organization has. */
function targetOf(probe: Probe, operation: keyof typeof reads): string | undefined {
  const hasId = ({ target }: Exchange) => idPlace.test(target);
  const [site] = probe.shown('listSites').flatMap((exchange) => rowsOf(exchange, ['data'], ['id']));
  if (operation === 'getSite') return site && `/sites/${encodeURIComponent(String(site.id))}`;
  // A list of no rows would look like the response to an unknown id.
  const isList = operation === 'listKeywords' || operation === 'listArticles';
  return probe.shown(operation).find((one) => hasId(one) && (!isList || countIn(one) > 0))?.target;
}

interface Sent {
  readonly clause: ClauseId;
  readonly form: string;
  /** The id that is encoded in it. */
  readonly id: string;
}

function expectNothing(probe: Probe, exchange: Exchange, { clause, form, id }: Sent) {
  if (clause === '4.connect.account-id') return expectInvalidAccount(probe, exchange);
  const isList = exchange.operation === 'listKeywords' || exchange.operation === 'listArticles';
  if (!isList) return probe.expectStatus(exchange, [404, 400], clause);
  probe.expectStatus(exchange, [200, 404, 400], clause);
  const rows = exchange.status === 200 ? countIn(exchange) : 0;
  const claim = { ...about(exchange, clause, '/data'), expected: 'no records', actual: count(rows, 'record') };
  // GET /articles can ignore a siteId that it reads as malformed (interpretation R19), but not use another value.
  const isOther = (one: Exchange) => rowsOf(one, ['data']).some(({ siteId }) => !sameId(siteId, id));
  const isDecodedTwice =
    rows > 0 && form === encodedTwice(id) && !isOther(exchange) && probe.shown('listArticles').some(isOther);
  const isIgnored = exchange.operation === 'listArticles' && !isDecodedTwice;
  if (rows > 0 && isIgnored && uuids.some((uuid) => uuid === form)) probe.warn(claim);
  else probe.holds(rows === 0 || isIgnored, claim);
}

export const rareIdForms = defineChecks({ phase: 'rejections' }, [rareIds]);
