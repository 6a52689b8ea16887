// Two organizations, one history: a record that one key has listed, in a response to the other key. A cache that
// returns the list of another organization only at times shows it to any request, and another check would take it for
// data that change.
import { about } from '../../assertions/claims.ts';
import { equalMin, isDistinctive, seededWords } from '../../assertions/organizations.ts';
import { canonical } from '../../exchange/canonical.ts';
import { type Exchange, isObject, type KeyName } from '../../exchange/exchange.ts';
import type { History } from '../../exchange/history.ts';
import { oncePer } from '../../exchange/once.ts';
import { pointerTo } from '../../exchange/pointer.ts';
import { bodyOf, listIn } from '../../exchange/records.ts';
import { isUniqueName } from '../../exchange/same-id.ts';
import { addTo } from '../../exchange/shown.ts';
import type { Judgment } from '../../judge/judge.ts';
import type { HistoryCheck } from '../../probe/check.ts';

interface Shown {
  readonly exchange: Exchange;
  readonly pointer: string;
}

const depthMax = 6;
const nodesMax = 20_000;

/** Every value of a body with its path, objects and lists included. */
function valuesIn(root: unknown): (readonly [value: unknown, path: readonly string[]])[] {
  const all: (readonly [unknown, readonly string[]])[] = [[root, []]];
  for (let at = 0; at < all.length && all.length < nodesMax; at += 1) {
    const [value, path] = all[at] as (typeof all)[number];
    if (typeof value !== 'object' || value === null || path.length >= depthMax) continue;
    for (const [name, field] of Object.entries(value)) all.push([field, [...path, name]]);
  }
  return all;
}

/** The id of a record, or all of it; null for one that two organizations can have by chance (R9, R34). */
function markOf(record: unknown, operation: string | null): string | null {
  if (!isObject(record)) return null;
  // Ids of reviews and calls belong to a platform, and two organizations can share them.
  const id = record.id ?? (record.provider === undefined ? undefined : record.accountId);
  if (operation !== 'listCalls' && isUniqueName(id)) return String(id).toLowerCase();
  // A metric of insights or a tool of the MCP endpoint is the same for all organizations.
  const isOwn = operation === 'listCalls' || Object.keys(record).some((name) => /^id$|I[dD]$|_id$/.test(name));
  return isOwn && isDistinctive(record) ? canonical(record) : null;
}

/** The records of a response, by their marks. */
const marksIn = oncePer((exchange: Exchange): ReadonlyMap<string, string> => {
  if (exchange.status !== 200) return new Map();
  const isSingle = /^get(Site|Article)$/.test(`${exchange.operation}`);
  const marks = valuesIn(bodyOf(exchange)).flatMap(([record, path]) => {
    const isRecord = /^\d+$/.test(path.at(-1) ?? '') || (isSingle && path.join() === 'data');
    const mark = isRecord ? markOf(record, exchange.operation) : null;
    return mark === null ? [] : [[mark, pointerTo(...path)] as const];
  });
  return new Map(marks.reverse());
});

type Records = ReadonlyMap<string, readonly Shown[]>;

function recordsOf(exchanges: readonly Exchange[]): Records {
  const records = new Map<string, Shown[]>();
  for (const exchange of exchanges)
    for (const [mark, pointer] of marksIn(exchange)) addTo(records, mark, { exchange, pointer });
  return records;
}

/** A record of one organization in a response to the key of the other one. */
interface Leak extends Shown {
  readonly mark: string;
  /** A response to the other key with the record. */
  readonly witness: Exchange;
  /** Other responses to this key lack it. Two organizations that were seeded alike would both have it. */
  readonly isStray: boolean;
}

/** A whole list; calls come and go by the minute. */
const isWhole = (one: Exchange) =>
  one.status === 200 && one.operation !== 'listCalls' && listIn(one) !== null && (listIn(one)?.cursor ?? null) === null;

/** Whether a whole list, which a request with either key has shown the record in, is without it for this key. */
function isMissing(mark: string, holders: readonly Shown[], all: readonly Exchange[]): boolean {
  const targets = new Set(holders.map(({ exchange: { target, operation } }) => `${operation} ${target}`));
  const isSame = ({ operation, target }: Exchange) => operation !== null && targets.has(`${operation} ${target}`);
  return all.some((one) => isSame(one) && isWhole(one) && !marksIn(one).has(mark));
}

/** Ids of the other organization in texts: of errors, cursors and addresses. An id of the request may return. */
const idsIn = oncePer((exchange: Exchange): readonly string[] => {
  const texts = valuesIn(bodyOf(exchange)).flatMap(([value]) => (typeof value === 'string' ? [value] : []));
  const decoded = texts
    .filter((text) => /^[\w+/=-]{20,2000}$/.test(text))
    // Reads the alphabet of URLs too, also in a browser.
    .map((text) => Buffer.from(text, 'base64').toString());
  return [...texts, ...decoded].flatMap(
    (text) =>
      text
        .slice(0, 20_000)
        .toLowerCase()
        .match(/[\w-]{16,}/g) ?? [],
  );
});

/** One side of the comparison: the responses to a key, and their records. */
interface Side {
  readonly exchanges: readonly Exchange[];
  readonly records: Records;
}

function sideOf(history: History, name: KeyName): Side {
  const exchanges = history.exchanges.filter(({ key }) => key === name);
  return { exchanges, records: recordsOf(exchanges) };
}

/** Every record that responses to both keys show, and every place where an id of one is shown to the other. */
function leaksBetween(first: Side, second: Side): Leak[] {
  const shared = [...first.records].flatMap(([mark, mine]): Leak[] => {
    const theirs = second.records.get(mark);
    if (theirs === undefined) return [];
    const holders = [...mine, ...theirs];
    const [isMineMissing, isTheirsMissing] = [first, second].map((side) => isMissing(mark, holders, side.exchanges));
    // The organization whose lists always show it has it.
    const [leaked, kept] = isMineMissing && !isTheirsMissing ? [mine, theirs] : [theirs, mine];
    const [leak, witness] = [leaked[0], kept[0]?.exchange];
    if (leak === undefined || witness === undefined) return [];
    return [{ ...leak, mark, witness, isStray: isMineMissing !== isTheirsMissing }];
  });
  return [...shared, ...foreignIn(first, second), ...foreignIn(second, first)];
}

/** Ids in texts, also of errors and cursors, and data for a request that names a record of the other organization. */
function foreignIn({ exchanges, records: own }: Side, { records: others }: Side): Leak[] {
  return exchanges.flatMap((exchange) => {
    const sent = `${decoded(exchange.target)} ${exchange.requestBody.text ?? ''}`.toLowerCase();
    const isForeign = (mark: string) => !own.has(mark) && others.has(mark);
    const inTexts = idsIn(exchange).filter((mark) => !sent.includes(mark));
    // The ids of a request can return in its response, so only its data count.
    const requested = hasData(exchange)
      ? (decoded(exchange.target)
          .toLowerCase()
          .match(/[\w-]{16,}/g) ?? [])
      : [];
    return [...new Set([...inTexts, ...requested])].filter(isForeign).flatMap((mark): Leak[] => {
      const witness = others.get(mark)?.[0]?.exchange;
      return witness === undefined ? [] : [{ exchange, pointer: '', mark, witness, isStray: true }];
    });
  });
}

/** An empty list is a legal response to a foreign `siteId` (interpretation R21). */
function hasData(exchange: Exchange): boolean {
  if (exchange.status !== 200) return false;
  const list = listIn(exchange);
  return exchange.method !== 'GET' || (list !== null && list.rows.length > 0);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

const clauses = ['1.organization-scope', '5.key-organization', '1.foreign-record'] as const;
const shownMax = 100;

export const isolationHistory: HistoryCheck = {
  id: 'isolation/all-responses',
  title: 'No response contains records of another organization',
  clauses,
  needs: ['second-key'],
  // Its finding would be the same.
  unless: ['isolation/lists'],
  *judge(history) {
    const [first, second] = [sideOf(history, 'good'), sideOf(history, 'second')];
    if (first.records.size === 0 || second.records.size === 0)
      return yield { doubt: 'vacuous', message: 'needs records of both organizations that have unique ids' };
    if (history.isRecorded && !areApart(first, second))
      return yield {
        doubt: 'precondition',
        message: 'both keys can belong to one organization: their lists do not differ',
      };
    const leaks = leaksBetween(first, second);
    const isLeak = leaks.some(({ isStray }) => isStray) || new Set(leaks.map(({ mark }) => mark)).size >= equalMin;
    for (const leak of leaks.slice(0, shownMax)) yield* toFindings(leak, { isLeak, history });
    if (leaks.length > 0) return;
    const expected = 'no records of the other one';
    yield { isTrue: true, clause: clauses[0], proves: clauses, expected, actual: 'none' };
  },
};

/** Whether a whole list of both keys has mostly other records. A key can be renewed, and data can change. */
function areApart(first: Side, second: Side): boolean {
  const lists = second.exchanges.filter(isWhole);
  return first.exchanges.filter(isWhole).some((mine) =>
    lists.some((theirs) => {
      if (mine.target !== theirs.target || mine.operation !== theirs.operation) return false;
      const [own, others] = [[...marksIn(mine).keys()], marksIn(theirs)];
      const shared = own.filter((mark) => others.has(mark)).length;
      return own.length > 0 && others.size > 0 && shared < Math.min(own.length, others.size) / 2;
    }),
  );
}

/** About each clause of isolation, because none of them holds. */
function* toFindings(
  { exchange, pointer, mark, witness }: Leak,
  { isLeak, history }: { readonly isLeak: boolean; readonly history: History },
): Iterable<Judgment> {
  const [own, other] = exchange.key === 'second' ? ['second', 'first'] : ['first', 'second'];
  const name = mark.startsWith('{') ? 'a record' : `record ${mark}`;
  const weaker = isLeak
    ? history.isSeededAlike
      ? '--seeded-alike is set'
      : null
    : 'so few can be equal by chance (R56)';
  for (const clause of clauses)
    yield {
      ...about(exchange, clause, pointer),
      isTrue: false,
      expected: `no data of another organization with the ${own} key`,
      actual: `${name} of the organization of the ${other} key, as in ${witness.id}`,
      ...(weaker === null ? {} : ({ severity: 'warn', message: `only a warning, because ${weaker}` } as const)),
      ...(weaker === null && !history.isRecorded ? { message: seededWords } : {}),
    };
}
