// Requests at the end of a run: earlier reads once more, and ids in rarer forms.
import { bodyBytesMax } from '../../src/contract/generated/limits.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { intervalsIn } from '../exchange/accounts.ts';
import { canonical } from '../exchange/canonical.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type History, responsesTo } from '../exchange/history.ts';
import { listIn, rowsAt } from '../exchange/records.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { addTo } from '../exchange/shown.ts';
import { encodedTwice, maxUuid, nilUuid } from './inputs.ts';
import { type Asks, type Scenario, scenario, send, sendInvalid, sendRaw } from './scenario.ts';

/** No body here names a provider or a label, so no service in order can make a link of it. */
const rejectedLinks: readonly (readonly [status: number, spec: () => RequestSpec])[] = [
  [400, () => ({ body: {} })],
  [401, () => ({ body: {}, key: 'none' })],
  [413, () => ({ bytes: Buffer.alloc(bodyBytesMax + 1, ' ') })],
];

/** Each of them so often, with the list after it twice: others can create invites meanwhile (interpretation R59). */
const roundsMax = 3;

/** The lists of sites and accounts after everything else, and again what seems to be lost or made. */
const again = scenario('lists/again', { least: 2, most: 3 }, function* ({ history }) {
  const sitesIn = (one: Exchange | undefined) => (one && rowsAt(one, '/data', ['id'])) ?? [];
  const lists = responsesTo(history(), 'listSites').filter(({ status }) => status === 200);
  const last = yield* send({ operation: 'listSites' });
  // One of several instances may lack a row: a third read makes it likely to meet it.
  if (lists.length === 1) yield* send({ operation: 'listSites' });
  const gone = sitesIn(lists[0]).find(({ id }) => !sitesIn(last).some((row) => row.id === id));
  if (last.status === 200 && gone !== undefined) yield* send({ operation: 'getSite', params: { id: gone.id } });
  yield* send({ operation: 'listAccounts' });
  if (!intervalsIn(history()).some(({ stray }) => stray > 0)) return;
  const links = history().exchanges.filter(({ operation }) => operation === 'createConnectLink');
  for (const [status, spec] of rejectedLinks) {
    if (links.some((one) => one.status === status)) yield* repeatLink(history, spec());
  }
});

function* repeatLink(history: () => History, spec: RequestSpec): Asks<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    yield* sendRaw({ operation: 'createConnectLink', ...spec, repeatable: false });
    yield* send({ operation: 'listAccounts' });
    yield* send({ operation: 'listAccounts' });
    const [made, control] = intervalsIn(history()).slice(-2);
    if (made?.added !== 1 || !made.isQuiet || control?.added !== 0 || !control.isQuiet) return;
  }
}

/** Fresh reads in a row, so a balancer sends them to as many instances; whole lists once more. */
const [times, wholeTimes] = [3, 4];
const repeated = ['getSite', 'listArticles', 'getArticle', 'listReviews', 'getInsights'] as const;
/** Of two instances in turn, one is seen twice. */
const whole = ['listSites', 'listKeywords', 'listAccounts'] as const;

const thirdReadRow = { most: times * repeated.length + wholeTimes * whole.length } as const;
const thirdRead = scenario('lists/third-read', thirdReadRow, function* ({ history }) {
  for (const operation of repeated) {
    const [path, first] = oftenest(history(), operation);
    if (path === undefined || first === undefined) continue;
    let isOdd = false;
    for (let count = 0; count < times + (isOdd ? 3 : 0); count += 1) {
      const { json } = yield* send({ path });
      isOdd ||= canonical(json) !== canonical(first.json);
    }
  }
  for (const operation of whole) {
    const [read] = fullReads(history(), operation).toSorted((one, other) => other.bodyBytes - one.bodyBytes);
    for (let count = 0; read !== undefined && count < wholeTimes; count += 1) yield* send({ path: read.target });
  }
});

function fullReads(history: History, operation: OperationId): readonly Exchange[] {
  return responsesTo(history, operation).filter((one) => one.status === 200 && listIn(one)?.rows.length !== 0);
}

function oftenest(history: History, operation: OperationId): readonly [] | readonly [target: string, first: Exchange] {
  const groups = new Map<string, Exchange[]>();
  for (const read of fullReads(history, operation)) addTo(groups, read.target, read);
  const [most] = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  return most?.[1][0] === undefined ? [] : [most[0], most[1][0]];
}

/** Where each operation has its id: in the path or in `siteId`. */
const idPlace = /^(.*?(?:\/articles\/|\/sites\/|\/accounts\/|siteId=))([^/?&]+)(.*)$/;
const withIds = ['getArticle', 'getSite', 'listKeywords', 'listArticles', 'listReviews', 'getInsights'] as const;

/** The smallest and the largest UUID, an id that is encoded twice, and bytes that are not UTF-8. */
const formsOf = (id: string) => [nilUuid, maxUuid, encodedTwice(id), '%FF'];

const rareIds = scenario('ids/rare-forms', { most: 4 * withIds.length }, function* ({ history }) {
  for (const operation of withIds) {
    const site = responsesTo(history(), 'listSites').flatMap((one) => rowsAt(one, '/data', ['id']) ?? [])[0];
    const read = fullReads(history(), operation).find(({ target }) => idPlace.test(target))?.target;
    const target = operation === 'getSite' && site !== undefined ? `/sites/${encodeURIComponent(site.id)}` : read;
    const [, before, id, after] = idPlace.exec(target ?? '') ?? [];
    const isOfAccount = operation === 'listReviews' || operation === 'getInsights';
    const label = isOfAccount ? 'account id in a rare form' : 'id in a rare form';
    for (const form of id === undefined ? [] : formsOf(decodeURIComponent(id)))
      yield* sendInvalid({ path: `${before}${form}${after}`, label });
  }
});

export const wholeRunScenarios: readonly Scenario[] = [again, thirdRead, rareIds];
