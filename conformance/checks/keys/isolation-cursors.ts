// A position in a list of one organization, with the key of another: a cursor does not prove whose list it is.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { readsOf, shownIn } from '../../assertions/article-reads.ts';
import { limitMax, passGate } from '../../assertions/call-log/log.ts';
import { canonical } from '../../assertions/call-log/record.ts';
import { about } from '../../assertions/claims.ts';
import { callsOfFirst } from '../../assertions/organizations.ts';
import { EQUAL_MIN, isTelling, judgeEqual } from '../../assertions/telling.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const needs = ['second-key'] as const;

const articleCursor: CheckRow = {
  id: 'isolation/article-cursor',
  title: 'A cursor of GET /articles shows the second organization no article of the first',
  cites: ['1.organization-scope', '5.key-organization', '4.articles.list.cursor'],
  needs,
  after: ['isolation/lists'],
  cost: { requests: 1, uses: ['articles', 'lists of the second key'] },
  async run(probe) {
    await probe.facts.articles();
    const reads = readsOf(probe);
    const own = shownIn(reads).map(({ row }) => row);
    // The earliest position, with the most behind it.
    const cursor = reads.flatMap((read) => (typeof read.cursor === 'string' ? [read] : [])).sort(byRows)[0]?.cursor;
    if (typeof cursor !== 'string') return probe.stop('vacuous', 'no page of the first organization has a cursor');
    const exchange = await probe.get('listArticles', { limit: articlesLimit.max, cursor }, 'second');
    if (exchange.status !== 200) return judgeRefused(probe, exchange);
    const sites = rowsOf(await probe.get('listSites', {}, 'second'), ['data']);
    const known = new Set(own.map((row) => canonical(row)));
    const rows = rowsOf(exchange, ['data']);
    const stray = rows.filter(({ siteId }) => !sites.some(({ id }) => sameId(id, siteId)));
    const foreign = stray.filter(({ siteId }) => own.some((row) => sameId(row.siteId, siteId)));
    const claim = { ...about(exchange, '1.organization-scope', '/data'), proves } as const;
    const expected = 'articles of the sites of the second organization';
    const actual = foreign.length === 0 ? 'no others' : `${foreign.length} of sites of the first one`;
    // Equal records alone may have been seeded; a site that only the first organization lists has not (R56).
    if (foreign.length > 0) probe.holds(false, { ...claim, expected, actual });
    else judgeEqual(probe, rowsIn(rows, known), { ...claim, expected, actual });
  },
};

const proves = ['1.organization-scope', '5.key-organization'] as const;

function byRows(left: { readonly rows: readonly unknown[] }, right: { readonly rows: readonly unknown[] }): number {
  return left.rows.length - right.rows.length;
}

/** Rows that the first organization was shown, member by member. */
function rowsIn(rows: readonly unknown[], known: ReadonlySet<string>): unknown[] {
  return rows.filter((row) => known.has(canonical(row)));
}

/** A cursor of somebody else may be refused as a bad one (R19). */
function judgeRefused(probe: Probe, exchange: Exchange): void {
  probe.expectStatus(exchange, [200, 400, 404], { clause: '4.articles.list.cursor', proves: [] });
}

const callCursor: CheckRow = {
  id: 'isolation/call-cursor',
  title: 'A nextCursor of the call log shows the second organization no call of the first',
  cites: ['1.organization-scope', '5.key-organization', '4.calls.since'],
  phase: 'log',
  needs,
  after: ['isolation/lists', 'calls/listing'],
  unless: ['isolation/calls'],
  cost: { requests: 1, uses: ['call gate', 'call snapshot of the second key'] },
  async run(probe) {
    const { nextCursor } = await passGate(probe);
    if (nextCursor === null) return probe.stop('vacuous', 'the log of the first organization has given no cursor');
    const exchange = await probe.get('listCalls', { since: nextCursor, limit: limitMax }, 'second');
    if (exchange.status !== 200) {
      probe.expectStatus(exchange, [200, 400], { clause: '4.calls.since', proves: [] });
      return;
    }
    const calls = rowsOf(exchange, ['data', 'calls']);
    const known = new Set(callsOfFirst(probe).map((call) => canonical(call)));
    const snapshot = rowsOf(await probe.get('listCalls', {}, 'second'), ['data', 'calls']);
    if (rowsIn(snapshot, known).filter(isTelling).length >= EQUAL_MIN) {
      return probe.stop('precondition', 'the snapshot of the second organization shows such calls as well');
    }
    const equal = rowsIn(calls, known);
    judgeEqual(probe, equal.filter(isTelling), {
      ...about(exchange, '5.key-organization', '/data/calls'),
      proves,
      expected: 'other calls than those of the first key',
      actual: `${equal.length} of ${calls.length} the same`,
    });
  },
};

export const isolationCursors = defineChecks({ phase: 'read' }, [articleCursor, callCursor]);
