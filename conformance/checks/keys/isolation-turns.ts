// Two keys in turn: what one of them has asked must not show in what the other is answered, whoever came first.

import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { isDocumentedRefusal } from '../../assertions/accounts.ts';
import { canonical } from '../../assertions/call-log/record.ts';
import { about } from '../../assertions/claims.ts';
import { foreignAccount } from '../../assertions/organizations.ts';
import { reviewed } from '../../assertions/review-pages.ts';
import { judgeEqual } from '../../assertions/telling.ts';
import { thorough } from '../../assertions/thorough.ts';
import { dataOf, type Exchange, nameOfAnswer } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type AccountRow, type Row, rowsOf } from '../../probe/facts.ts';
import type { Probe, Refusal } from '../../probe/probe.ts';

const needs = ['second-key'] as const;

const refusal: Refusal = {
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

const KINDS: readonly Kind[] = [
  { one: 'getArticle', list: 'listArticles', params: { limit: 100 } },
  { one: 'getSite', list: 'listSites', params: {} },
];

/** What one organization lists and the other does not. */
function ownOf(rows: readonly Row[], others: readonly Row[]): string | undefined {
  const own = rows.find(({ id }) => !others.some((other) => sameId(other.id, id)));
  return own === undefined ? undefined : String(own.id);
}

const byTurns: CheckRow = {
  id: 'isolation/by-turns',
  title: 'A record is found with the key of its organization and with no other, whoever asked for it before',
  cites: ['1.foreign-record', '5.key-organization', '1.organization-scope'],
  needs,
  after: ['isolation/lists', 'isolation/records'],
  // Five for an article, five for a site, and the list once more where a record seems to be gone.
  cost: { requests: 10, confirms: 2, uses: ['sites', 'articles', 'lists of the second key'] },
  async run(probe) {
    for (const kind of KINDS) {
      const first = rowsOf(await probe.get(kind.list, kind.params), ['data'], ['id']);
      const second = rowsOf(await probe.get(kind.list, kind.params, 'second'), ['data'], ['id']);
      const [own, theirs] = [ownOf(first, second), ownOf(second, first)];
      const ask = (id: string, key: 'good' | 'second') => probe.send({ operation: kind.one, params: { id }, key });
      // An answer that is kept for a URL goes to whoever asks for it next.
      if (own !== undefined && (await ask(own, 'good')).status === 200) {
        probe.expectRefusal(await ask(own, 'second'), refusal);
      }
      if (theirs === undefined) continue;
      probe.expectRefusal(await ask(theirs, 'good'), refusal);
      await expectOwn(probe, await ask(theirs, 'second'), { kind, id: theirs });
      probe.expectRefusal(await ask(theirs, 'good'), refusal);
    }
  },
};

/** An answer that is kept for an account goes to whoever comes next. */
const ofAccounts: CheckRow = {
  id: 'isolation/accounts-by-turns',
  title: 'What an account shows is not found with the key of another organization, right after its owner has read it',
  cites: ['1.foreign-record', '5.key-organization'],
  needs: [...needs, ...thorough],
  after: ['isolation/lists'],
  cost: { requests: 4, uses: ['lists of the second key'] },
  async run(probe) {
    for (const operation of ['listReviews', 'getInsights'] as const) {
      const accountId = await foreignAccount(probe, operation);
      if (accountId === undefined) continue;
      const params = { accountId };
      if ((await probe.send({ operation, params })).status !== 200) continue;
      probe.expectRefusal(await probe.send({ operation, params, key: 'second' }), refusal);
    }
  },
};

/** A 404 that the first key got is not the second one's, unless the record is gone (R59). */
async function expectOwn(probe: Probe, exchange: Exchange, { kind, id }: { kind: Kind; id: string }): Promise<void> {
  if (exchange.status === 404) {
    const again = await probe.send({ operation: kind.list, params: kind.params, key: 'second' });
    if (!rowsOf(again, ['data'], ['id']).some((row) => sameId(row.id, id)))
      return probe.doubt('interference', 'a record is gone');
  }
  const claim = { ...about(exchange, '5.key-organization', '#status'), actual: nameOfAnswer(exchange) };
  probe.holds(exchange.status === 200, { ...claim, expected: '200, for the organization of the key has the record' });
}

const TRIED_MAX = 2;
const PAGES_MAX = 3;

const reviews: CheckRow = {
  id: 'isolation/reviews',
  title: 'The reviews of the second organization are none of the first, on the first page and behind a cursor',
  cites: ['1.organization-scope', '5.key-organization', '4.connect.list-reviews.endpoint'],
  needs,
  after: ['isolation/lists', 'reviews/listing'],
  // The second page is that behind its own cursor, the third that behind a cursor of the first organization.
  cost: { requests: TRIED_MAX + PAGES_MAX - 1, uses: ['reviews', 'lists of the second key'] },
  async run(probe) {
    await reviewed(probe);
    const isOne = ({ operation, key, status }: Exchange) =>
      operation === 'listReviews' && key === 'good' && status === 200;
    const shown = probe.history().filter(isOne);
    const own = new Set(shown.flatMap(rowsIn).map((row) => canonical(row)));
    const foreign = shown.map((page) => dataOf(page).nextCursor).find((one) => typeof one === 'string' && one !== '');
    if (own.size === 0) return probe.stop('vacuous', 'the first organization has shown no reviews');
    for (const accountId of await connected(probe)) {
      const first = await probe.get('listReviews', { accountId }, 'second');
      if (first.status !== 200 && isDocumentedRefusal(first)) continue;
      if (!probe.expectStatus(first, 200, '4.connect.list-reviews.endpoint')) return;
      const cursors = [dataOf(first).nextCursor, foreign].filter((one) => typeof one === 'string');
      const pages = [first];
      // A cursor of somebody else may be refused, or show any page of this account.
      for (const cursor of cursors) pages.push(await probe.get('listReviews', { accountId, cursor }, 'second'));
      for (const page of pages.filter(({ status }) => status === 200)) {
        const rows = rowsIn(page);
        const equal = rows.filter((row) => own.has(canonical(row)));
        judgeEqual(probe, equal, {
          ...about(page, '1.organization-scope', '/data/reviews'),
          proves: rows.length === 0 ? [] : ['1.organization-scope', '5.key-organization'],
          expected: 'other reviews than those of the first organization',
          actual: `${equal.length} of ${rows.length} the same`,
        });
      }
      return;
    }
    probe.stop('vacuous', 'no account of the second organization shows its reviews');
  },
};

function rowsIn(exchange: Exchange): readonly Row[] {
  const { reviews: rows } = dataOf(exchange);
  return Array.isArray(rows) ? (rows as Row[]) : [];
}

/** Likely ones first. */
async function connected(probe: Probe): Promise<string[]> {
  const rows = rowsOf<AccountRow>(await probe.get('listAccounts', {}, 'second'), ['data', 'accounts'], ['accountId']);
  const usual = rows.filter(({ status, locked }) => status === 'connected' && locked !== true);
  const rank = ({ provider }: AccountRow) => ['google_business', 'facebook_page'].indexOf(String(provider)) >>> 0;
  return usual
    .sort((a, b) => rank(a) - rank(b))
    .map(({ accountId }) => accountId)
    .slice(0, TRIED_MAX);
}

export const isolationTurns = defineChecks({ phase: 'refusals' }, [byTurns, ofAccounts, reviews]);
