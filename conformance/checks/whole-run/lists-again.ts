// Reads the lists of sites and accounts again at the end: rejected requests must not have changed them, and earlier
// rows must still exist.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { bodyBytesMax } from '../../../src/contract/generated/limits.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { count } from '../../../src/terminal/count.ts';
import { expectInvalidAccount } from '../../assertions/accounts.ts';
import { sendInvalid } from '../../assertions/invalid-inputs.ts';
import { expectValidAgain } from '../../assertions/valid-again.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { segmentOf } from '../../observe/look.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';
import { encodedTwice, maxUuid, nilUuid } from '../../scenarios/inputs.ts';

interface List {
  readonly operation: 'listSites' | 'listAccounts';
  readonly clause: ClauseId;
  /** Where a path names one of its rows: the segments before the id. */
  readonly path: readonly string[];
  ids(exchange: Exchange): readonly string[];
}

const idsOf = (rows: unknown, name: string) =>
  listOf(rows).flatMap((row) => (isObject(row) && typeof row[name] === 'string' ? [row[name].toLowerCase()] : []));

const sites: List = {
  operation: 'listSites',
  clause: '4.sites.list',
  path: ['sites'],
  ids: ({ json }) => idsOf(isObject(json) ? json.data : null, 'id'),
};

const accounts: List = {
  operation: 'listAccounts',
  clause: '4.connect.list-accounts.content',
  path: ['connect', 'accounts'],
  ids: (exchange) => idsOf(dataOf(exchange).accounts, 'accountId'),
};

const invitesOf = (exchange: Exchange) => idsOf(dataOf(exchange).pendingInvites, 'id');

/** Responses to the valid key that show the whole list, in the order of the run. */
function readsOf(probe: Probe, operation: OperationId): readonly Exchange[] {
  return probe.shown(operation).filter(({ json }) => json !== undefined);
}

const again: CheckRow = {
  id: 'lists/again',
  title: 'Rejected requests do not change lists',
  cites: [
    '4.sites.list',
    '4.connect.list-accounts.content',
    '1.unknown-record',
    '4.connect.create-link.invalid',
    '5.missing-key',
    '8.body-rest',
    '7.code.unauthorized',
  ],
  // Each list again if a row is missing; each kind of rejected link three times, with the list after it twice.
  cost: { requests: 3, optional: 1, confirms: 30, uses: ['sites', 'accounts'] },
  async run(probe) {
    for (const list of [sites, accounts]) await checkAgain(probe, list);
    // One of several instances may lack a row: a third read makes it likely to meet it.
    if (readsOf(probe, 'listSites').length === 2 && probe.requestsLeft() >= 1) await checkAgain(probe, sites);
    await checkInvites(probe);
  },
};

async function checkAgain(probe: Probe, list: List): Promise<void> {
  const before = readsOf(probe, list.operation);
  const [first] = before;
  // Nothing to compare with: the checks of the list have reported why.
  if (first === undefined) return;
  const last = await probe.send({ operation: list.operation });
  await expectValidAgain(probe, last, { before: 'requests that had to be rejected' });
  if (last.status !== 200 || last.json === undefined) return;
  const now = new Set(list.ids(last));
  // A site that is read on its own belongs into the list. lists/no-return tests whether other rows return.
  const gone = before.flatMap((one) => list.ids(one)).find((id) => !now.has(id));
  if (list === sites && gone !== undefined)
    await probe.judge([last], ([one]) => [
      {
        ...about(one, list.clause, '/data'),
        isTrue: list.ids(one).includes(gone),
        ...{ expected: `the site ${gone}, as before`, actual: 'a list without it', message: 'its id still returns it' },
        ...{ rows: [{ id: gone }], witness: { operation: 'getSite', params: { id: gone } } },
      },
    ]);
  const requested = probe
    .history()
    .flatMap((one) => (one.status === 404 && one.key === 'good' ? idNamed(one, list) : []));
  const known = new Set(list.ids(first));
  const made = requested.find((id) => now.has(id) && !known.has(id));
  probe.holds(made === undefined, {
    ...about(last, list.clause),
    proves: requested.length > 0 ? [list.clause, '1.unknown-record'] : [list.clause],
    expected: 'no id that returned 404 before',
    actual: made === undefined ? 'none' : `${made}, which returned 404 before`,
  });
}

/** The id of the list that the path of a request names, in lower case. */
function idNamed(exchange: Exchange, { path }: List): string[] {
  const isOfList = path.every((name, index) => segmentOf(exchange, index) === name);
  const id = segmentOf(exchange, path.length).toLowerCase();
  return isOfList && id !== '' ? [id] : [];
}

interface Rejected {
  spec(): RequestSpec;
  readonly clause: ClauseId;
  readonly status: number;
}

/** No body here names a provider or a label, so no service in order can make a link of it. */
const rejected: readonly Rejected[] = [
  { status: 400, clause: '4.connect.create-link.invalid', spec: () => ({ operation: 'createConnectLink', body: {} }) },
  { status: 401, clause: '5.missing-key', spec: () => ({ operation: 'createConnectLink', body: {}, key: 'none' }) },
  {
    status: 413,
    clause: '8.body-rest',
    spec: () => ({ operation: 'createConnectLink', bytes: Buffer.alloc(bodyBytesMax + 1, ' ') }),
  },
];

/** Others can create invites meanwhile; but not exactly one after each rejected request. */
async function checkInvites(probe: Probe): Promise<void> {
  const links = probe.history().filter(({ operation }) => operation === 'createConnectLink');
  const [first, last] = [readsOf(probe, 'listAccounts')[0], readsOf(probe, 'listAccounts').at(-1)];
  if (first === undefined || last === undefined || first === last) return;
  const added = newInvites(first, last);
  // A link that was made, or may have been, is an invite.
  const made = links.filter(({ status }) => status === 0 || status === 200 || status >= 500);
  if (added.length <= made.length) {
    const claim = about(last, '4.connect.create-link.invalid', '/data/pendingInvites');
    probe.holds(true, { ...claim, proves: [], expected: 'no invite of a rejected link', actual: 'none' });
    return;
  }
  for (const { spec, clause, status } of othersCreateInvites(probe) ? [] : rejected) {
    if (!links.some((one) => one.status === status)) continue;
    if (await alwaysMakesInvite(probe, spec)) {
      const shown = readsOf(probe, 'listAccounts').at(-1) ?? last;
      const actual = `a new invite for each rejected request, ${newInvites(first, shown).length - made.length} in this run`;
      probe.holds(false, { ...about(shown, clause, '/data/pendingInvites'), expected: `none after ${status}`, actual });
      return;
    }
  }
  const claim = about(last, '4.connect.list-accounts.content', '/data/pendingInvites');
  probe.note({
    ...claim,
    expected: 'the same invites as before',
    actual: `${added.length - made.length} more invites, of other users`,
  });
}

function newInvites(before: Exchange, after: Exchange): readonly string[] {
  const known = new Set(invitesOf(before));
  return invitesOf(after).filter((id) => !known.has(id));
}

/** Whether a list has more new invites than links were requested since the one before it. */
function othersCreateInvites(probe: Probe): boolean {
  const reads = readsOf(probe, 'listAccounts');
  return reads.slice(1).some((after, index) => {
    const before = reads[index] ?? after;
    const [from, to] = [before, after].map(({ id }) => probe.history().findIndex((one) => one.id === id));
    const links = probe.history().slice(from, to);
    return newInvites(before, after).length > links.filter(({ operation }) => operation === 'createConnectLink').length;
  });
}

/** Whether rows changed that no request for a link can change: others use the organization meanwhile. */
function changesOtherwise(before: Exchange, after: Exchange): boolean {
  const left = new Set(invitesOf(after));
  return accounts.ids(before).join() !== accounts.ids(after).join() || invitesOf(before).some((id) => !left.has(id));
}

/** Repetitions that must each show one more invite after the request, and none without it (interpretation R59). */
const rounds = 3;

async function alwaysMakesInvite(probe: Probe, spec: Rejected['spec']): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    if (!(await makesInvite(probe, spec()))) return false;
    const before = readsOf(probe, 'listAccounts').at(-1);
    const after = await probe.send({ operation: 'listAccounts' });
    if (before === undefined || after.status !== 200 || newInvites(before, after).length > 0) return false;
    if (changesOtherwise(before, after)) return false;
  }
  return true;
}

/** Whether the request creates exactly one more invite. */
async function makesInvite(probe: Probe, spec: RequestSpec): Promise<boolean> {
  const before = readsOf(probe, 'listAccounts').at(-1);
  const rejected = await probe.sendRaw({ ...spec, repeatable: false });
  const after = await probe.send({ operation: 'listAccounts' });
  if (before === undefined || rejected.status < 400 || after.status !== 200) return false;
  return newInvites(before, after).length === 1 && !changesOtherwise(before, after) && nameOfResponse(after) === '200';
}

export const listsAgain = defineChecks({ phase: 'after bursts' }, [again]);

// Ids in forms that clients rarely send: the smallest and the largest UUID, an id that is encoded twice, and bytes that
// are not UTF-8. Each takes the place of an id that the run has read.

const uuids = [nilUuid, maxUuid] as const;
const bytesOf = (id: string) => [encodedTwice(id), '%FF'];

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

const cites = ['1.unknown-record', ...new Set(Object.values(reads)), '4.articles.get.statuses'] as const;
const cost = { requests: 2 * Object.keys(reads).length, confirms: 2 };

const nilAndMax: CheckRow = {
  id: 'ids/nil-and-max',
  title: 'GET returns no record for the smallest and the largest UUID',
  cites,
  needs: ['extended'],
  cost,
  run: (probe) => checkForms(probe, () => uuids),
};

const rareForms: CheckRow = {
  id: 'ids/rare-forms',
  title: 'GET returns no record for ids that are encoded twice or not UTF-8',
  cites,
  needs: ['extended'],
  cost,
  run: (probe) => checkForms(probe, bytesOf),
};

async function checkForms(probe: Probe, formsOf: (id: string) => readonly string[]): Promise<void> {
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
}

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

export const rareIdForms = defineChecks({ phase: 'rejections' }, [nilAndMax, rareForms]);
