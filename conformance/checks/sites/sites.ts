import { count } from '../../../src/terminal/count.ts';
import { type Exchange, isObject, isRejectedUrl, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled, ofKey, responsesTo } from '../../exchange/history.ts';
import { type Fields, rowsAt } from '../../exchange/records.ts';
import { isUuid, sameId } from '../../exchange/same-id.ts';
import { about, hasStatus, isRejected, judgeable, readRows } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { hasRows, isFound, ofSite as isOfSite, onceEach } from '../../judge/same-record.ts';

const list: Judged = {
  id: 'sites/list',
  title: 'GET /sites returns the sites of the organization',
  clauses: ['4.sites.list'],
  *judge(history) {
    for (const exchange of responsesTo(history, 'listSites')) {
      // The key of a client can be invalid.
      if (history.isRecorded && exchange.status !== 200) continue;
      const tested = hasStatus(exchange, 200, '4.sites.list');
      if (tested !== null) yield tested;
      const rows = exchange.status === 200 ? yield* readRows(exchange, '/data') : null;
      if (rows !== null)
        yield* onceEach(exchange, { what: 'site', clause: '4.sites.list', ids: rows.map(({ id }) => id) });
    }
  },
};

function listsIn(history: History) {
  return responsesTo(history, 'listSites').flatMap((exchange) => {
    const rows = rowsAt(exchange, '/data', ['id']);
    return rows === null ? [] : [{ exchange, rows }];
  });
}

const noDelete: Judged = {
  id: 'sites/read-only',
  title: 'DELETE /sites/{id} is rejected',
  clauses: ['1.read-only'],
  scenarios: ['sites/read-only'],
  *judge(history) {
    for (const exchange of ofKey(history)) {
      const { method, target, status } = exchange;
      if (method !== 'DELETE' || target !== `/sites/${history.given.unknownId}`) continue;
      const isSuccess = status >= 200 && status < 300;
      const actual = nameOfResponse(exchange);
      if (!isSuccess && (status < 400 || status >= 500)) yield { doubt: 'platform', message: `returned ${actual}` };
      else yield { ...about(exchange, '1.read-only', '#status'), expected: 'a rejection', actual, isTrue: !isSuccess };
    }
  },
};

/** A site that the list hides shows in the articles of it. */
const ofArticles: Judged = {
  id: 'sites/of-articles',
  title: 'Every article belongs to a listed site',
  clauses: ['4.sites.list', '1.organization-scope'],
  scenarios: ['sites/of-articles'],
  *judge(history) {
    // The last one, whose place a repeated request takes. A burst is not repeated.
    const list = listsIn(history).findLast(({ exchange }) => !exchange.burst);
    if (list === undefined) return;
    const all = responsesTo(history, 'listArticles').flatMap((read) =>
      (rowsAt(read, '/data', ['id', 'siteId']) ?? []).map((row) => ({ row, read })),
    );
    const stray = all.find(({ row }) => !list.rows.some(({ id }) => sameId(id, row.siteId)));
    const claim = about(list.exchange, '4.sites.list', '/data');
    if (stray === undefined) {
      // Articles of another organization would be of its sites.
      const proves = ['4.sites.list', '1.organization-scope'] as const;
      const words = { expected: 'the site of each article in the list', actual: 'each' };
      if (all.length > 0) yield { ...claim, proves, ...words, isTrue: true };
      return;
    }
    const { id, siteId } = stray.row;
    const site = responsesTo(history, 'getSite').find(({ target }) => sameId(target, `/sites/${siteId}`));
    if (site?.status === 200) {
      // A site that can be read by its id is one of the organization.
      const words = { expected: `one with ${siteId}`, actual: 'a list without a site of an article' };
      const witness = { operation: 'getSite', params: { id: siteId } } as const;
      yield { ...claim, ...words, isTrue: false, of: [list.exchange], rows: [{ id: siteId }], witness };
      return;
    }
    const single = responsesTo(history, 'getArticle').find(({ target }) => sameId(target, `/articles/${id}`));
    yield* judgeStray(stray, single);
  },
};

/** An article can remain after its site was deleted; one that cannot be read belongs to another organization. */
function* judgeStray(
  { row, read }: { readonly row: Fields & Readonly<Record<'id' | 'siteId', string>>; readonly read: Exchange },
  single: Exchange | undefined,
): Iterable<Judgment> {
  const actual = `article ${row.id} of the unlisted site ${row.siteId}`;
  const words = { expected: 'articles of listed sites only', actual };
  const claim = { ...about(read, '1.organization-scope', '/data'), ...words };
  if (single?.status !== 404) yield { ...claim, severity: 'note' };
  else {
    const message = 'GET /articles/{id} returns 404 for it';
    const place = { exchange: single, pointer: '#status', message };
    yield { ...claim, ...place, isTrue: false, of: [single], rows: [row], witness: read };
  }
  yield { ...claim, isTrue: true, clause: '4.sites.list', proves: [] };
}

export const sites: readonly Judged[] = [list, noDelete, ofArticles];

const clause = '4.keywords.list.of-site';

const siteIdIn = ({ target }: Exchange) => new URLSearchParams(target.split('?')[1]).get('siteId') ?? '';

const ofSite: Judged = {
  id: 'keywords/of-site',
  title: 'GET /keywords returns only keywords of the requested site',
  clauses: ['4.keywords.list.endpoint', clause, '4.keywords.list.site-id', '4.keywords.list.statuses'],
  scenarios: ['keywords/of-sites', 'keywords/each-site'],
  *judge(history) {
    const sites = responsesTo(history, 'listSites').flatMap((one) => rowsAt(one, '/data', ['id']) ?? []);
    const isListed = (siteId: string) => sites.some(({ id }) => id === siteId);
    const lists = responsesTo(history, 'listKeywords').filter((one) =>
      history.isRecorded ? one.status === 200 && isUuid(siteIdIn(one)) : isListed(siteIdIn(one)),
    );
    for (const exchange of lists) yield* isList(exchange, siteIdIn(exchange));
    const all = lists.flatMap((exchange) => rowsAt(exchange, '/data')?.map((row) => ({ row, exchange })) ?? []);
    if (all.length === 0 && lists.some(({ status }) => status === 200))
      yield { doubt: 'vacuous', message: 'needs a site with keywords' };
    yield* haveOneSite(all);
  },
};

function* isList(exchange: Exchange, siteId: string): Iterable<Judgment> {
  const witness = { operation: 'getSite', params: { id: siteId } } as const;
  const isSite = yield* isFound(exchange, { clause: '4.keywords.list.endpoint', rows: [{ id: siteId }], witness });
  if (!isSite) return;
  const data = isObject(exchange.json) ? exchange.json.data : undefined;
  const words = { expected: 'a list, which can be empty', actual: show(data), proves: [] };
  yield { ...about(exchange, '4.keywords.list.endpoint', '/data'), ...words, isTrue: Array.isArray(data) };
  const rows = rowsAt(exchange, '/data') ?? [];
  yield* isOfSite(exchange, rows, { siteId, clause });
  yield* onceEach(exchange, { what: 'keyword', clause: '4.keywords.list.endpoint', ids: rows.map(({ id }) => id) });
}

function* haveOneSite(all: readonly { readonly row: Fields; readonly exchange: Exchange }[]): Iterable<Judgment> {
  const homes = new Map<string, (typeof all)[number]>();
  const words = { expected: 'one site for each keyword', actual: 'one' };
  for (const { row, exchange } of all) {
    const name = String(row.id).toLowerCase();
    const home = homes.get(name) ?? { row, exchange };
    homes.set(name, home);
    const claim = { ...about(exchange, clause, '/data'), ...words };
    if (sameId(home.row.siteId, row.siteId)) {
      if (home.exchange !== exchange) yield { ...claim, isTrue: true };
      continue;
    }
    const actual = `keyword ${name} with the sites ${show(home.row.siteId)} and ${show(row.siteId)}`;
    const proof = { of: [exchange], rows: [home.row], fields: ['siteId'], witness: home.exchange };
    yield { ...claim, actual, isTrue: false, ...proof };
  }
}

/** Hexadecimal digits have no case, and yet the contract does not say it: hence only a "should". */
const inOtherCase: Judged = {
  id: 'keywords/capitals',
  title: 'GET /keywords treats siteId as case-insensitive',
  clauses: ['4.keywords.list.site-id'],
  level: 'should',
  scenarios: ['keywords/each-site'],
  *judge(history) {
    const lists = responsesTo(history, 'listKeywords');
    const full = lists.find((one) => (rowsAt(one, '/data') ?? []).length > 0);
    if (full === undefined) return;
    const rows = (rowsAt(full, '/data') ?? []).slice(0, 1);
    const isTwin = (one: Exchange) => sameId(siteIdIn(one), siteIdIn(full)) && siteIdIn(one) !== siteIdIn(full);
    for (const twin of lists.filter(isTwin)) {
      const found = (rowsAt(twin, '/data') ?? []).length;
      yield* hasRows(twin, found, { clause: '4.keywords.list.site-id', rows, witness: full });
    }
  },
};

const invalidSiteId: Judged = {
  id: 'keywords/invalid-site-id',
  title: 'GET /keywords returns 400 without a valid siteId',
  clauses: ['4.keywords.list.missing-site-id', '4.keywords.list.invalid-site-id', '4.keywords.list.site-id'],
  scenarios: ['keywords/without-site', 'keywords/invalid-sites'],
  *judge(history) {
    for (const exchange of labelled(history, 'keywords without a valid siteId')) {
      if (!(yield* judgeable(history, exchange)) || isRejectedUrl(exchange)) continue;
      const isMissing = exchange.target === '/keywords';
      const own = isMissing ? '4.keywords.list.missing-site-id' : '4.keywords.list.invalid-site-id';
      // No code is shown for it.
      yield isRejected(exchange, { status: 400, clause: own, proves: [own, '4.keywords.list.site-id'] });
    }
  },
};

const unknownSite: Judged = {
  id: 'keywords/unknown-site',
  title: 'GET /keywords returns no keywords of an unknown site',
  clauses: ['1.organization-scope', '4.keywords.list.unknown-site', clause],
  scenarios: ['keywords/of-sites'],
  *judge(history) {
    const { unknownId } = history.given;
    for (const exchange of responsesTo(history, 'listKeywords').filter((one) => siteIdIn(one) === unknownId)) {
      // An unknown site does not show which organization sees the data.
      const proof = { clause: '1.organization-scope', proves: ['4.keywords.list.unknown-site'] } as const;
      const tested = hasStatus(exchange, [404, 200], proof);
      if (tested !== null) yield tested;
      const rows = rowsAt(exchange, '/data');
      if (rows === null) continue;
      const isOfOthers = rows.some(({ siteId }) => !exchange.target.includes(String(siteId)));
      const claim = about(exchange, isOfOthers ? clause : '1.organization-scope', '/data');
      const words = { expected: 'none', actual: count(rows.length, 'keyword'), proves: [clause] } as const;
      yield { ...claim, ...words, isTrue: rows.length === 0 };
    }
  },
};

export const keywords: readonly Judged[] = [ofSite, unknownSite, inOtherCase, invalidSiteId];
