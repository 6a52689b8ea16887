// Two keys alternately: a response to one key must not depend on requests with the other, in either order.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { isDocumentedRejection, reviewed } from '../../assertions/accounts.ts';
import { readsOf } from '../../assertions/article-reads.ts';
import { limitMax, passGate } from '../../assertions/call-log/log.ts';
import { expectApart, foreignAccount } from '../../assertions/organizations.ts';
import { dataOf, type Exchange, nameOfResponse } from '../../exchange/exchange.ts';
import { recordsIn } from '../../exchange/records.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import type { Rejection } from '../../judge/expect.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type AccountRow, type Row, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const needs = ['second-key'] as const;

const rejection: Rejection = {
  status: 404,
  code: 'not_found',
  clause: '1.foreign-record',
  proves: ['1.foreign-record', '5.key-organization'],
};

interface Kind {
  readonly one: OperationId;
  readonly list: OperationId;
  readonly params: Readonly<Record<string, number>>;
}

const kinds: readonly Kind[] = [
  { one: 'getArticle', list: 'listArticles', params: { limit: 100 } },
  { one: 'getSite', list: 'listSites', params: {} },
];

/** A row that only one organization lists. */
function ownOf(rows: readonly Row[], others: readonly Row[]): string | undefined {
  const own = rows.find(({ id }) => !others.some((other) => sameId(other.id, id)));
  return own === undefined ? undefined : String(own.id);
}

const byTurns: CheckRow = {
  id: 'isolation/by-turns',
  title: 'Responses are not cached across organizations',
  cites: ['1.foreign-record', '5.key-organization', '1.organization-scope'],
  needs,
  after: ['isolation/lists', 'isolation/records'],
  // Five for an article, five for a site, and the list once more where a record seems to be gone.
  cost: { requests: 10, confirms: 2, uses: ['sites', 'articles', 'lists of the second key'] },
  async run(probe) {
    for (const kind of kinds) {
      const first = rowsOf(await probe.get(kind.list, kind.params), ['data'], ['id']);
      const second = rowsOf(await probe.get(kind.list, kind.params, 'second'), ['data'], ['id']);
      const [own, theirs] = [ownOf(first, second), ownOf(second, first)];
      const send = (id: string, key: 'good' | 'second') => probe.send({ operation: kind.one, params: { id }, key });
      // A response that is cached by URL is returned to the other key.
      if (own !== undefined && (await send(own, 'good')).status === 200) {
        probe.expectRejection(await send(own, 'second'), rejection);
      }
      if (theirs === undefined) continue;
      probe.expectRejection(await send(theirs, 'good'), rejection);
      await expectOwn(probe, await send(theirs, 'second'), { kind, id: theirs });
      probe.expectRejection(await send(theirs, 'good'), rejection);
    }
  },
};

/** A response that is cached by account is returned to the other key. */
const ofAccounts: CheckRow = {
  id: 'isolation/accounts-by-turns',
  title: 'Account responses are not cached across organizations',
  cites: ['1.foreign-record', '5.key-organization'],
  needs: [...needs, 'extended'],
  after: ['isolation/lists'],
  cost: { requests: 4, uses: ['lists of the second key'] },
  async run(probe) {
    for (const operation of ['listReviews', 'getInsights'] as const) {
      const accountId = await foreignAccount(probe, operation);
      if (accountId === undefined) continue;
      const params = { accountId };
      if ((await probe.send({ operation, params })).status !== 200) continue;
      probe.expectRejection(await probe.send({ operation, params, key: 'second' }), rejection);
    }
  },
};

/** A 404 that the first key got is not the second one's, unless the record is gone (R59). */
async function expectOwn(probe: Probe, exchange: Exchange, { kind, id }: { kind: Kind; id: string }): Promise<void> {
  if (exchange.status === 404) {
    const again = await probe.send({ operation: kind.list, params: kind.params, key: 'second' });
    if (!rowsOf(again, ['data'], ['id']).some((row) => sameId(row.id, id)))
      return probe.doubt('interference', 'a record was removed');
  }
  const claim = { ...about(exchange, '5.key-organization', '#status'), actual: nameOfResponse(exchange) };
  probe.holds(exchange.status === 200, { ...claim, expected: '200, as the organization has the record' });
}

const triedMax = 2;
const pagesMax = 3;

const reviews: CheckRow = {
  id: 'isolation/reviews',
  title: 'The reviews endpoint returns no reviews of another organization',
  cites: ['1.organization-scope', '5.key-organization', '4.connect.list-reviews.endpoint'],
  needs,
  after: ['isolation/lists', 'reviews/listing'],
  // The second page follows its own cursor, the third a cursor of the first organization.
  cost: { requests: triedMax + pagesMax - 1, uses: ['reviews', 'lists of the second key'] },
  async run(probe) {
    await reviewed(probe);
    const shown = probe.shown('listReviews');
    const foreign = shown.map((page) => dataOf(page).nextCursor).find((one) => typeof one === 'string' && one !== '');
    if (!shown.some((page) => recordsIn(page).length > 0))
      return probe.stop('vacuous', 'needs reviews of the first organization');
    for (const accountId of await connected(probe)) {
      const first = await probe.get('listReviews', { accountId }, 'second');
      if (first.status !== 200 && isDocumentedRejection(first)) continue;
      if (!probe.expectStatus(first, 200, '4.connect.list-reviews.endpoint')) return;
      const cursors = [dataOf(first).nextCursor, foreign].filter((one) => typeof one === 'string');
      expectApart(probe, first, { clause: '1.organization-scope' });
      // Another organization's cursor can be rejected, or show any page of this account.
      for (const cursor of cursors) {
        const page = await probe.get('listReviews', { accountId, cursor }, 'second');
        if (page.status === 200) expectApart(probe, page, { clause: '1.organization-scope' });
      }
      return;
    }
    probe.stop('vacuous', 'needs an account of the second organization that returns reviews');
  },
};

/** Likely ones first. */
async function connected(probe: Probe): Promise<string[]> {
  const rows = rowsOf<AccountRow>(await probe.get('listAccounts', {}, 'second'), ['data', 'accounts'], ['accountId']);
  const usual = rows.filter(({ status, locked }) => status === 'connected' && locked !== true);
  const rank = ({ provider }: AccountRow) => ['google_business', 'facebook_page'].indexOf(String(provider)) >>> 0;
  return usual
    .sort((a, b) => rank(a) - rank(b))
    .map(({ accountId }) => accountId)
    .slice(0, triedMax);
}

export const isolationTurns = defineChecks({ phase: 'rejections' }, [byTurns, ofAccounts, reviews]);

// A position in a list of one organization, with the key of another: a cursor does not prove whose list it is.

const articleCursor: CheckRow = {
  id: 'isolation/article-cursor',
  title: 'Article cursors return no articles of another organization',
  cites: ['1.organization-scope', '5.key-organization', '4.articles.list.cursor'],
  needs,
  after: ['isolation/lists'],
  cost: { requests: 1, uses: ['articles', 'lists of the second key'] },
  async run(probe) {
    await probe.facts.articles();
    // The earliest position, with the most rows after it.
    const [read] = readsOf(probe)
      .filter(({ cursor }) => typeof cursor === 'string')
      .sort((left, right) => left.rows.length - right.rows.length);
    const cursor = String(read?.cursor ?? probe.stop('vacuous', 'needs a cursor of the first organization'));
    const exchange = await probe.get('listArticles', { limit: articlesLimit.max, cursor }, 'second');
    if (exchange.status === 200) expectApart(probe, exchange, { clause: '1.organization-scope' });
    // Another organization's cursor can be rejected as malformed (R19).
    else probe.expectStatus(exchange, [200, 400, 404], { clause: '4.articles.list.cursor', proves: [] });
  },
};

const callCursor: CheckRow = {
  id: 'isolation/call-cursor',
  title: 'Call log cursors return no calls of another organization',
  cites: ['1.organization-scope', '5.key-organization', '4.calls.since'],
  phase: 'log',
  needs,
  after: ['isolation/lists', 'calls/listing'],
  unless: ['isolation/calls'],
  cost: { requests: 1, uses: ['call gate'] },
  async run(probe) {
    const { nextCursor } = await passGate(probe);
    if (nextCursor === null) return probe.stop('vacuous', 'needs a cursor of the call log of the first organization');
    const exchange = await probe.get('listCalls', { since: nextCursor, limit: limitMax }, 'second');
    if (exchange.status === 200) expectApart(probe, exchange, { clause: '5.key-organization' });
    else probe.expectStatus(exchange, [200, 400], { clause: '4.calls.since', proves: [] });
  },
};

export const isolationCursors = defineChecks({ phase: 'read' }, [articleCursor, callCursor]);
