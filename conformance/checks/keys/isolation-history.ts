// Compares all responses to both keys, without requests. A cache that returns the list of another organization only at
// times shows it to any check, and each of them would take it for data that change.
import { about } from '../../assertions/claims.ts';
import { equalMin, expectNoneEqual, isDistinctive } from '../../assertions/organizations.ts';
import { bodyOf, listIn } from '../../diagnosis/records.ts';
import { canonical } from '../../exchange/canonical.ts';
import { type Exchange, isObject } from '../../exchange/exchange.ts';
import { pointerTo } from '../../exchange/pointer.ts';
import { isUniqueName } from '../../exchange/same-id.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** Fields with ids that are unique. Records of other operations count as a whole (interpretation R9, R34, R56). */
const idNames: Readonly<Record<string, readonly string[]>> = {
  listSites: ['id'],
  getSite: ['id'],
  listArticles: ['id'],
  getArticle: ['id'],
  listKeywords: ['id'],
  listAccounts: ['accountId', 'id'],
};

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

/** The id of a record, or all of it; null for one that two organizations can have by chance. */
function markOf(record: unknown, operation: string | null): string | null {
  if (!isObject(record)) return null;
  const id = idNames[operation ?? '']?.map((name) => record[name]).find((value) => value !== undefined);
  if (id !== undefined) return isUniqueName(id) ? String(id).toLowerCase() : null;
  // A metric of insights or a tool of the MCP endpoint is the same for all organizations.
  const isOwn = operation === 'listCalls' || Object.keys(record).some((name) => /^id$|I[dD]$|_id$/.test(name));
  return isOwn && isDistinctive(record) ? canonical(record) : null;
}

/** The responses that show a record of a list, or a record by its id. */
function recordsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Shown[]> {
  const records = new Map<string, Shown[]>();
  for (const exchange of exchanges.filter(({ status }) => status === 200)) {
    const isSingle = /^get(Site|Article)$/.test(`${exchange.operation}`);
    for (const [record, path] of valuesIn(bodyOf(exchange))) {
      const isRecord = /^\d+$/.test(path.at(-1) ?? '') || (isSingle && path.join() === 'data');
      const mark = isRecord ? markOf(record, exchange.operation) : null;
      if (mark !== null) records.set(mark, [...(records.get(mark) ?? []), { exchange, pointer: pointerTo(...path) }]);
    }
  }
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

/** Whether a whole list, which the same request got, is without the record. Calls come and go by the minute. */
function isMissing(shown: readonly Shown[], all: readonly Exchange[]): boolean {
  const holders = new Set(shown.map(({ exchange }) => exchange));
  return shown.some(({ exchange: { target, operation } }) =>
    all.some((one) => {
      const isSame = one.target === target && one.operation === operation && one.status === 200 && !holders.has(one);
      const list = isSame && operation !== null && operation !== 'listCalls' ? listIn(one) : null;
      return list !== null && (list.cursor ?? null) === null;
    }),
  );
}

/** Ids of the other organization in texts: of errors, cursors and addresses. An id of the request may return. */
function idsIn(exchange: Exchange): string[] {
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
}

/** All records of each key that responses to the other one show. */
function leaksBetween(first: readonly Exchange[], second: readonly Exchange[]): Leak[] {
  const [own, theirs] = [recordsOf(first), recordsOf(second)];
  const shared = [...own].flatMap(([mark, mine]): Leak[] => {
    const others = theirs.get(mark);
    if (others === undefined) return [];
    const [isMineMissing, isTheirsMissing] = [isMissing(mine, first), isMissing(others, second)];
    // The organization whose lists always show it has it.
    const [leaked, kept] = isMineMissing && !isTheirsMissing ? [mine, others] : [others, mine];
    const [leak, witness] = [leaked[0], kept[0]?.exchange];
    if (leak === undefined || witness === undefined) return [];
    return [{ ...leak, mark, witness, isStray: isMineMissing !== isTheirsMissing }];
  });
  return [...shared, ...inTexts(first, own, theirs), ...inTexts(second, theirs, own)];
}

type Records = ReturnType<typeof recordsOf>;

function inTexts(exchanges: readonly Exchange[], own: Records, others: Records): Leak[] {
  return exchanges.flatMap((exchange) => {
    const sent = `${decoded(exchange.target)} ${exchange.requestBody.text ?? ''}`.toLowerCase();
    return [...new Set(idsIn(exchange))].flatMap((mark): Leak[] => {
      const witness = own.has(mark) || sent.includes(mark) ? undefined : others.get(mark)?.[0]?.exchange;
      return witness === undefined ? [] : [{ exchange, pointer: '', mark, witness, isStray: true }];
    });
  });
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

const wholeHistory: CheckRow = {
  id: 'isolation/all-responses',
  title: 'No response contains records of another organization',
  cites: clauses,
  phase: 'after bursts',
  needs: ['second-key'],
  // Its finding would be the same.
  unless: ['isolation/lists'],
  cost: { requests: 0 },
  async run(probe) {
    const all = [...probe.history(), ...probe.history('mcp')];
    const [first, second] = (['good', 'second'] as const).map((name) => all.filter(({ key }) => key === name));
    if (recordsOf(second ?? []).size === 0 || recordsOf(first ?? []).size === 0)
      return probe.stop('vacuous', 'needs records of both organizations that have unique ids');
    const leaks = leaksBetween(first ?? [], second ?? []);
    const isLeak = leaks.some(({ isStray }) => isStray) || new Set(leaks.map(({ mark }) => mark)).size >= equalMin;
    for (const leak of leaks.slice(0, shownMax)) report(probe, leak, isLeak);
    if (leaks.length === 0)
      probe.holds(true, {
        clause: clauses[0],
        proves: clauses,
        expected: 'no records of the other one',
        actual: 'none',
      });
  },
};

/** About each clause of isolation, because none of them holds. */
function report(probe: Probe, { exchange, pointer, mark, witness }: Leak, isLeak: boolean): void {
  const [own, other] = exchange.key === 'second' ? ['second', 'first'] : ['first', 'second'];
  const name = mark.startsWith('{') ? 'a record' : `record ${mark}`;
  for (const clause of clauses) {
    const claim = {
      ...about(exchange, clause, pointer),
      expected: `no data of another organization with the ${own} key`,
      actual: `${name} of the organization of the ${other} key, as in ${witness.id}`,
    };
    if (isLeak) expectNoneEqual(probe, false, claim);
    else
      probe.warn({ ...claim, message: 'only a warning, because so few equal records can have another reason (R56)' });
  }
}

export const isolationHistory = defineChecks({ phase: 'after bursts' }, [wholeHistory]);
