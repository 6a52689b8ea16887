// Ids in forms that clients rarely send, each instead of an id that the run has read.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { percentDecoded } from '../../../src/contract/percent.ts';
import { count } from '../../../src/terminal/count.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { recordsIn } from '../../exchange/records.ts';
import { isUuid, sameId } from '../../exchange/same-id.ts';
import { areInvalid } from '../../judge/accounts.ts';
import { about } from '../../judge/claims.ts';
import { hasStatus, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

/** The clause that a record for another id violates. */
const clauses: Partial<Record<OperationId, ClauseId>> = {
  getArticle: '4.articles.get.not-found',
  getSite: '4.sites.get.not-found',
  listKeywords: '4.keywords.list.of-site',
  listArticles: '4.articles.list.site-id',
};

const rareForms: Judged = {
  id: 'ids/rare-forms',
  title: 'GET returns no record for the smallest UUID, the largest, and ids that are malformed or encoded twice',
  clauses: [
    '1.unknown-record',
    '4.articles.get.not-found',
    '4.sites.get.not-found',
    '4.keywords.list.of-site',
    '4.articles.list.site-id',
    '4.connect.account-id',
    '4.articles.get.statuses',
  ],
  scenarios: ['ids/rare-forms'],
  *judge(history) {
    yield* areInvalid(history, 'account id in a rare form');
    for (const exchange of labelled(history, 'id in a rare form')) {
      const clause = exchange.operation === null ? undefined : clauses[exchange.operation];
      if (clause !== undefined && (yield* judgeable(history, exchange))) yield* hasNoRecord(history, exchange, clause);
    }
  },
};

function* hasNoRecord(history: History, exchange: Exchange, clause: ClauseId): Iterable<Judgment> {
  const { operation, target } = exchange;
  const isList = operation === 'listKeywords' || operation === 'listArticles';
  const tested = hasStatus(exchange, isList ? [200, 404, 400] : [404, 400], clause);
  if (tested !== null) yield tested;
  if (!isList) return;
  const rows = exchange.status === 200 ? recordsIn(exchange) : [];
  const claim = { ...about(exchange, clause, '/data'), expected: 'no records', actual: count(rows.length, 'record') };
  const form = new URLSearchParams(target.split('?')[1]).get('siteId') ?? '';
  // GET /articles can ignore a siteId that it reads as malformed (interpretation R19), but not use another value.
  const isOther = ({ siteId }: (typeof rows)[number]) => !sameId(siteId, percentDecoded(form));
  const isDecodedTwice =
    rows.length > 0 &&
    !isUuid(form) &&
    !rows.some(isOther) &&
    responsesTo(history, 'listArticles').some((one) => recordsIn(one).some(isOther));
  const isIgnored = operation === 'listArticles' && !isDecodedTwice && rows.length > 0;
  yield { ...claim, severity: isIgnored ? 'warn' : 'fail', isTrue: rows.length === 0 || (isIgnored && !isUuid(form)) };
}

export const rareIds: readonly Judged[] = [rareForms];
