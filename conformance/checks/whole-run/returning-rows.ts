// Rows that vanish and come back within a run (rulings R59): a deletion explains that a row is gone, and nothing
// explains its return but an answer from a stale replica or cache. No request of its own.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { about } from '../../assertions/claims.ts';
import { type Exchange, isObject, listOf } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';

interface List {
  readonly clause: ClauseId;
  /** Where the rows stand, and the member that identifies one. */
  readonly path: readonly string[];
  readonly id: string;
}

/** Lists that come whole: from a page of a longer one a row may be pushed away and come back. */
const ACCOUNTS = '4.connect.list-accounts.content';
const LISTS: Partial<Record<OperationId, readonly List[]>> = {
  listSites: [{ clause: '4.sites.list', path: ['data'], id: 'id' }],
  listKeywords: [{ clause: '4.keywords.list.of-site', path: ['data'], id: 'id' }],
  listAccounts: [
    { clause: ACCOUNTS, path: ['data', 'accounts'], id: 'accountId' },
    { clause: ACCOUNTS, path: ['data', 'pendingInvites'], id: 'id' },
  ],
};

/** Longer lists are left out, and so is what a run asks more often: comparing each with each takes its time. */
const ROWS_MAX = 500;
const READINGS_MAX = 100;

/** One answer to a question that was asked several times, its place in the run, and the ids that it showed. */
interface Reading {
  readonly exchange: Exchange;
  readonly place: number;
  readonly list: List;
  readonly ids: ReadonlySet<string>;
}

/** None for anything but whole lists that the good key was shown. */
function readingsOf(exchange: Exchange, place: number): Reading[] {
  const { operation, status, key } = exchange;
  if (operation === null || status !== 200 || key !== 'good') return [];
  return (LISTS[operation] ?? []).flatMap((list) => readingOf(exchange, list, place) ?? []);
}

function readingOf(exchange: Exchange, list: List, place: number): Reading | null {
  let node: unknown = exchange.json;
  for (const name of list.path) node = isObject(node) ? node[name] : undefined;
  const rows = listOf(node);
  const ids = rows.flatMap((row) => (isObject(row) ? [String(row[list.id]).toLowerCase()] : []));
  return Array.isArray(node) && rows.length <= ROWS_MAX ? { exchange, place, list, ids: new Set(ids) } : null;
}

const returning: CheckRow = {
  id: 'lists/no-return',
  title: 'No site, keyword, account or invite vanishes from its list and comes back within the run',
  cites: ['4.sites.list', '4.connect.list-accounts.content', '4.keywords.list.of-site'],
  cost: { requests: 0 },
  async run(probe) {
    const readings = probe.history().flatMap(readingsOf);
    const often = groupByTarget(readings).filter(({ length }) => length > 2);
    if (often.length === 0) return probe.stop('vacuous', 'no list was read three times');
    for (const same of often) {
      const back = returned(same);
      const [{ exchange, list }] = same as [Reading, ...Reading[]];
      probe.holds(back === null, {
        ...about(back?.reading.exchange ?? exchange, list.clause, `/${list.path.join('/')}`),
        expected: 'every row that was listed before and is listed later',
        actual: back === null ? 'every one' : `no ${back.id}, which comes back later`,
      });
    }
  },
};

/** By path, query and list: only answers to one question can be compared. */
function groupByTarget(readings: readonly Reading[]): Reading[][] {
  const groups = new Map<string, Reading[]>();
  for (const reading of readings) {
    const name = `${reading.exchange.target} ${reading.list.path.join('/')}`;
    const group = groups.get(name) ?? [];
    if (group.length < READINGS_MAX) group.push(reading);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/**
 * Of requests that are under way together nobody knows which was answered first. Others leave one behind the other, so
 * that their order tells what a clock of milliseconds does not.
 */
function isEarlier(one: Reading, other: Reading): boolean {
  const gapMs = other.exchange.sentAt - one.exchange.receivedAt;
  const areTogether = one.exchange.burst && other.exchange.burst;
  return gapMs > 0 || (gapMs === 0 && !areTogether && one.place < other.place);
}

/** The first answer that lacks a row which an earlier one and a later one show. */
function returned(readings: readonly Reading[]): { readonly reading: Reading; readonly id: string } | null {
  for (const reading of readings) {
    const before = readings.filter((other) => isEarlier(other, reading));
    const after = readings.filter((other) => isEarlier(reading, other));
    const later = new Set(after.flatMap(({ ids }) => [...ids]));
    const known = before.flatMap(({ ids }) => [...ids]);
    const id = known.find((one) => !reading.ids.has(one) && later.has(one));
    if (id !== undefined) return { reading, id };
  }
  return null;
}

export const returningRows = defineChecks({ phase: 'after bursts' }, [returning]);
