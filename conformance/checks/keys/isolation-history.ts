// Two organizations, one history: a record that one key has listed, in a response to the other key. A cache that
// returns the list of another organization only at times shows it to any request, and another check would take it for
// data that change.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { percentDecoded } from '../../../src/contract/percent.ts';
import { words } from '../../../src/contract/words.ts';
import { canonical } from '../../exchange/canonical.ts';
import { type Exchange, isObject, type KeyName, listOf } from '../../exchange/exchange.ts';
import { type History, oncePer } from '../../exchange/history.ts';
import { readReply } from '../../exchange/mcp/reply.ts';
import { areApart, areOfOne, equalMin, isDistinctive } from '../../exchange/organizations.ts';
import { pointerTo, valueAt } from '../../exchange/pointer.ts';
import { bodyOf, type Fields, listIn, recordsIn } from '../../exchange/records.ts';
import { isUniqueName, isUuid } from '../../exchange/same-id.ts';
import { addTo } from '../../exchange/shown.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

interface Place {
  readonly pointer: string;
  /** Equality of so little data can be chance (R56). */
  readonly isWeak: boolean;
}

type Shown = Place & { readonly exchange: Exchange };

const depthMax = 6;
const nodesMax = 20_000;

/** Every value of a body with its pointer, objects and lists included. */
const valuesIn = oncePer((exchange: Exchange) => {
  const all: (readonly [value: unknown, pointer: string, depth: number])[] = [
    [bodyOf(exchange) ?? exchange.bodyText, '', 0],
  ];
  for (let at = 0; at < all.length && all.length < nodesMax; at += 1) {
    const [value, pointer, depth] = all[at] as (typeof all)[number];
    if (typeof value !== 'object' || value === null || depth >= depthMax) continue;
    for (const name of Object.keys(value))
      all.push([(value as Record<string, unknown>)[name], pointer + pointerTo(name), depth + 1]);
  }
  return all;
});

const textsIn = (exchange: Exchange) =>
  valuesIn(exchange).flatMap(([value]) => (typeof value === 'string' ? [value] : []));

/** The id of a record, or all of it; null for one that two organizations can have by chance (R9, R34). */
function markOf(record: Fields, operation: string | null): string | null {
  // Ids of reviews and calls belong to a platform, and two organizations can share them.
  const id = record.id ?? (record.provider === undefined ? undefined : record.accountId);
  if (operation !== 'listCalls' && isUniqueName(id)) return String(id).toLowerCase();
  // A metric of insights or a tool of the MCP endpoint is the same for all organizations.
  const isOwn = operation === 'listCalls' || Object.keys(record).some((name) => /^id$|I[dD]$|_id$/.test(name));
  return isOwn ? canonical(record) : null;
}

const marksIn = oncePer((exchange: Exchange): ReadonlyMap<string, Place> => {
  const { operation, status } = exchange;
  if (status !== 200) return new Map();
  const isSingle = /^get(Site|Article)$/.test(`${operation}`);
  // Calls are opaque and can hold little (R34).
  const listed = new Set<unknown>(operation === 'listCalls' || operation === null ? [] : recordsIn(exchange));
  const marks = valuesIn(exchange).flatMap(([record, pointer]) => {
    const isRecord = isObject(record) && (/\/\d+$/.test(pointer) || (isSingle && pointer === '/data'));
    const mark = isRecord ? markOf(record, operation) : null;
    const isWeak = mark?.startsWith('{') === true && !isDistinctive(record);
    return mark === null || (isWeak && !listed.has(record)) ? [] : [[mark, { pointer, isWeak }] as const];
  });
  return new Map(marks.reverse());
});

/** A record of one organization in a response to the key of the other one. */
interface Leak extends Shown {
  readonly mark: string;
  readonly text?: string;
  readonly witness: Exchange;
  /** Other responses to this key lack it. Two organizations that were seeded alike would both have it. */
  readonly isStray: boolean;
}

/** A whole list; calls come and go by the minute. */
const isWhole = (one: Exchange) =>
  one.status === 200 &&
  ![null, 'listCalls'].includes(one.operation) &&
  listIn(one) !== null &&
  (listIn(one)?.cursor ?? null) === null;

const placeOf = ({ target, operation }: Exchange) => `${operation} ${target}`;

/** One side of the comparison: the responses to a key, their records by mark, and whole lists by place. */
interface Side {
  readonly exchanges: readonly Exchange[];
  readonly records: ReadonlyMap<string, readonly Shown[]>;
  readonly wholes: ReadonlyMap<string, readonly Exchange[]>;
}

function wholesOf(exchanges: readonly Exchange[]): Side['wholes'] {
  const wholes = new Map<string, Exchange[]>();
  for (const one of exchanges) if (isWhole(one)) addTo(wholes, placeOf(one), one);
  return wholes;
}

function sideOf(history: History, name: KeyName): Side {
  const exchanges = history.exchanges.filter(({ key }) => key === name);
  const records = new Map<string, Shown[]>();
  for (const exchange of exchanges)
    for (const [mark, place] of marksIn(exchange)) addTo(records, mark, { exchange, ...place });
  return { exchanges, records, wholes: wholesOf(exchanges) };
}

/** Whether a whole list, which a request with either key has shown the record in, is without it for this key. */
function isMissing(mark: string, holders: readonly Shown[], { records, wholes }: Side): boolean {
  const showing = wholesOf((records.get(mark) ?? []).map(({ exchange }) => exchange));
  const places = holders.map(({ exchange }) => placeOf(exchange));
  return places.some((place) => (wholes.get(place)?.length ?? 0) > (showing.get(place)?.length ?? 0));
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\w-]{16,}/g) ?? [];

/** Ids of the other organization in texts: of errors, cursors and addresses. An id of the request may return. */
const idsIn = oncePer((exchange: Exchange): readonly string[] => {
  const texts = textsIn(exchange);
  const decoded = texts
    .filter((text) => /^[\w+/=-]{20,2000}$/.test(text) && !isUuid(text))
    // Reads the alphabet of URLs too, also in a browser.
    .map((text) => Buffer.from(text, 'base64').toString());
  return [...texts, ...decoded].flatMap((text) => wordsOf(text.slice(0, 20_000)));
});

/** Every record that responses to both keys show, and every place where an id of one is shown to the other. */
function leaksBetween(first: Side, second: Side): Leak[] {
  const shared = [...first.records].flatMap(([mark, mine]): Leak[] => {
    const theirs = second.records.get(mark);
    if (theirs === undefined) return [];
    const holders = [...mine, ...theirs];
    const [isMineMissing, isTheirsMissing] = [first, second].map((side) => isMissing(mark, holders, side));
    // The organization whose lists always show it has it.
    const [leaked, kept] = isMineMissing && !isTheirsMissing ? [mine, theirs] : [theirs, mine];
    const [leak, witness] = [leaked[0], kept[0]?.exchange];
    if (leak === undefined || witness === undefined) return [];
    return [{ ...leak, mark, witness, isStray: !leak.isWeak && isMineMissing !== isTheirsMissing }];
  });
  return [...shared, ...foreignIn(first, second), ...foreignIn(second, first)];
}

/**
 * Ids in texts, also of errors and cursors, and data or a text of the record for a request that names a record of the
 * other organization.
 */
function foreignIn(side: Side, others: Side): Leak[] {
  return side.exchanges.flatMap((exchange) => {
    const named = wordsOf(`${percentDecoded(exchange.target)} ${isMcp(exchange) ? exchange.requestBody.text : ''}`);
    const sent = `${percentDecoded(exchange.target)} ${exchange.requestBody.text ?? ''}`.toLowerCase();
    const found = (mark: string, text?: string): readonly Leak[] => {
      const { exchange: witness } = others.records.get(mark)?.[0] ?? {};
      if (witness === undefined || side.records.has(mark)) return [];
      const leak = { exchange, pointer: '', mark, witness, isStray: true, isWeak: false } as const;
      return [text === undefined ? leak : { ...leak, text }];
    };
    // The ids of a request can return in its response, so only its data count.
    const marks = [
      ...idsIn(exchange).filter((mark) => !sent.includes(mark)),
      ...(hasData(exchange, others) ? named : []),
    ];
    const leaks = [...new Set(marks)].flatMap((mark) => found(mark));
    if (leaks.length > 0) return leaks;
    return named.flatMap((mark) => {
      const text = quotedIn(exchange, { mark, sent, side, others });
      return text === undefined ? [] : found(mark, text);
    });
  });
}

const textIn = oncePer((exchange: Exchange) => textsIn(exchange).join('\n').toLowerCase());

const quotedMin = 10;

/** Names and titles, but no single words; the values of these fields are the same in all organizations. */
const isTelling = (name: string, value: unknown): value is string =>
  typeof value === 'string' &&
  value.length >= quotedMin &&
  /[^\p{L}]/u.test(value) &&
  !/^(provider|status)$/.test(name);

/** A text of the named record in a response. Others to this key, and errors about other records, must lack it. */
function quotedIn(
  exchange: Exchange,
  { mark, sent, side, others }: { mark: string; sent: string; side: Side; others: Side },
): string | undefined {
  const [shown] = others.records.get(mark) ?? [];
  const record = shown === undefined ? null : valueAt(bodyOf(shown.exchange), shown.pointer);
  if (!isObject(record)) return undefined;
  const isUsual = (text: string) =>
    [...side.exchanges, ...others.exchanges.filter(({ status }) => status !== 200)].some(
      (one) => textIn(one).includes(text) && !one.target.toLowerCase().includes(mark),
    );
  return Object.entries(record)
    .flatMap(([name, value]) => (isTelling(name, value) ? value.toLowerCase() : []))
    .find((text) => textIn(exchange).includes(text) && !sent.includes(text) && !isUsual(text));
}

const isMcp = ({ mcpEndpoint }: Exchange) => mcpEndpoint === 'mcp';

/** An empty list is a legal response to a foreign `siteId` (interpretation R21). */
function hasData(exchange: Exchange, others: Side): boolean {
  if (isMcp(exchange)) return others.exchanges.some((one) => isMcp(one) && isSameReply(exchange, one));
  return exchange.status === 200 && (exchange.method !== 'GET' || (listIn(exchange)?.rows ?? []).length > 0);
}

/** Tools can say in any form that they have found nothing, so only data that its owner received too counts. */
function isSameReply(one: Exchange, owners: Exchange): boolean {
  const [data, theirs] = [one, owners].map((exchange) => readReply(exchange, {}).data);
  return (
    isObject(data) &&
    Object.values(data).some((rows) => listOf(rows).length > 0) &&
    canonical(data) === canonical(theirs)
  );
}

const clauses = ['1.organization-scope', '5.key-organization', '1.foreign-record'] as const;
const shownMax = 100;

const seeded = 'if both organizations have the same test data, add --seeded-alike';
const oneOrganization =
  'both keys see exactly the same records: isolation is missing, or both keys belong to one organization';

export const isolationHistory: Judged = {
  id: 'isolation/all-responses',
  title: 'No response contains records of another organization',
  clauses: [...clauses, '4.sites.list'],
  scenarios: [
    ...words('isolation/lists isolation/by-turns isolation/filters isolation/reviews isolation/positions'),
    'isolation/lists-again',
  ],
  *judge(history) {
    const [first, second] = [sideOf(history, 'good'), sideOf(history, 'second')];
    if (first.records.size === 0 || second.records.size === 0)
      return yield { doubt: 'vacuous', message: 'needs records of both organizations that have unique ids' };
    if (history.isRecorded && !areApart(history))
      return yield {
        doubt: 'precondition',
        message: 'both keys can belong to one organization: their lists do not differ',
      };
    const leaks = leaksBetween(first, second);
    const strong = leaks.filter(({ isWeak }) => !isWeak);
    const isLeak = strong.some(({ isStray }) => isStray) || new Set(strong.map(({ mark }) => mark)).size >= equalMin;
    const message = areOfOne(history) ? oneOrganization : seeded;
    for (const leak of leaks.slice(0, shownMax)) yield* toFindings(leak, { isLeak, history, message });
    if (leaks.length > 0) return;
    for (const clause of ['1.organization-scope', '4.sites.list'] as const) {
      const isShown = [first, second].every(({ exchanges }) => exchanges.some((one) => showsOf(clause, one)));
      const proves = [clause, '1.organization-scope', '5.key-organization'] as const;
      const words = { expected: 'no records of the other one', actual: 'none' };
      if (isShown) yield { isTrue: true, clause, proves, ...words };
    }
  },
};

/** For an MCP endpoint that is checked alone. */
export const isolationMcp: Judged = {
  id: 'isolation/mcp',
  title: 'MCP tools return no records of another organization',
  clauses,
  scenarios: ['isolation/mcp'],
  judge: (history) => isolationHistory.judge({ ...history, exchanges: history.exchanges.filter(isMcp) }),
};

const showsOf = (clause: ClauseId, exchange: Exchange) =>
  marksIn(exchange).size > 0 && (clause !== '4.sites.list' || exchange.operation === 'listSites');

/** About each clause of isolation, because none of them holds; about the first for data that can be equal by chance. */
function* toFindings(
  { exchange, pointer, mark, witness, isStray, isWeak, text }: Leak,
  { isLeak, history, message }: { readonly isLeak: boolean; readonly history: History; readonly message: string },
): Iterable<Judgment> {
  const [own, other] = exchange.key === 'second' ? ['second', 'first'] : ['first', 'second'];
  const record = mark.startsWith('{') ? 'a record' : `record ${mark}`;
  const name = text === undefined ? record : `${show(text)} of ${record}`;
  const weaker = isLeak
    ? history.isSeededAlike
      ? '--seeded-alike is set'
      : null
    : 'so few can be equal by chance (R56)';
  const isOfSites = exchange.operation === 'listSites' && pointer !== '';
  const broken = isOfSites ? ([...clauses, '4.sites.list'] as const) : clauses;
  for (const clause of isWeak ? broken.slice(0, 1) : broken)
    yield {
      ...about(exchange, clause, pointer),
      isTrue: false,
      expected: `no data of another organization with the ${own} key`,
      // Which organization owns a record follows only from a whole list without it.
      actual: `${name}${isStray ? ` of the organization of the ${other} key` : `, also with the ${other} key`}, as in ${witness.id}`,
      ...(weaker === null ? {} : ({ severity: 'warn', message: `only a warning, because ${weaker}` } as const)),
      ...(weaker === null && !history.isRecorded ? { message } : {}),
    };
}
