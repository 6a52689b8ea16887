// All exchanges of a run or of a recording, in order. Checks are functions of it, so it can be saved,
// loaded and judged again.

import type { OperationId } from '../../src/contract/generated/operations.ts';
import { parseJson } from '../../src/contract/json.ts';
import {
  type Exchange,
  isLimiterRejection,
  isObject,
  isPlatformTrouble,
  isUnusable,
  isWebPage,
  type KeyName,
} from './exchange.ts';

export interface History {
  /** The place is the order of sending: clocks can be virtual, and can jump. */
  readonly exchanges: readonly Exchange[];
  /** The user states that both organizations have the same test data (interpretation R56). */
  readonly isSeededAlike: boolean;
  /** Traffic of other clients: it has gaps, and can have several keys of one organization. */
  readonly isRecorded: boolean;
  readonly given: Given;
}

/** Values that the user has named, or that the run has drawn. Recorded traffic has none of them. */
export interface Given {
  /** `--account`, `--review`. */
  readonly account: string | null;
  readonly review: string | null;
  /** `--call-id-field`, `--call-ended-at-field`. */
  readonly callIdField: string | null;
  readonly callEndedAtField: string | null;
  /** `--watch`: the user lets the run wait for calls that settle. */
  readonly watch: boolean;
  /** `--source-address`. */
  readonly sourceAddresses: readonly string[];
  /** A UUID that names no record, and a word that marks what the run writes. */
  readonly unknownId: string;
  readonly runId: string;
}

const nothingGiven: Given = {
  account: null,
  review: null,
  callIdField: null,
  callEndedAtField: null,
  watch: false,
  sourceAddresses: [],
  unknownId: 'c0ffee00-dead-4bad-8bad-000000000000',
  runId: '',
};

const placeOf = ({ id }: Exchange) => Number(id.slice(1));

/** Exchanges are recorded in the order of their responses. */
export function makeHistory(exchanges: readonly Exchange[], rest: Partial<Omit<History, 'exchanges'>> = {}): History {
  const ordered = [...exchanges].sort((one, other) => placeOf(one) - placeOf(other));
  return { isSeededAlike: false, isRecorded: false, given: nothingGiven, ...rest, exchanges: ordered };
}

/** Responses of the REST service to one key. */
export function ofKey({ exchanges }: History, key: KeyName = 'good'): readonly Exchange[] {
  return exchanges.filter((one) => one.key === key && one.mcpEndpoint === undefined);
}

/** A response of the service itself: not a limiter, a platform in trouble, a gateway, or a page in front of it. */
export function isOfService(one: Exchange): boolean {
  return !isUnusable(one) && !isLimiterRejection(one) && !isPlatformTrouble(one) && !isWebPage(one);
}

/** Responses of the service to an operation, or to every one, with that key. */
export function responsesTo(history: History, operation: OperationId | null, key: KeyName = 'good'): Exchange[] {
  return ofKey(history, key).filter((one) => (operation ?? one.operation) === one.operation && isOfService(one));
}

/** The requests with this label, in order; of repeated ones the last. Read each with `judgeable`. */
export function labelled(history: History, label: string): readonly Exchange[] {
  const repeated = new Set(history.exchanges.map(({ repeatOf }) => repeatOf));
  return history.exchanges.filter((one) => one.label === label && !repeated.has(one.id));
}

/** Whether one had its response before the other was sent. Requests that were under way together have no order. */
export function precedes(one: Exchange, other: Exchange): boolean {
  const gapMs = other.sentAt - one.receivedAt;
  const areTogether = gapMs < 0 || (gapMs === 0 && one.burst && other.burst);
  return placeOf(one) < placeOf(other) && !areTogether;
}

/** Applies a redaction to every string of a JSON-like value, field names included. */
export function redactDeep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactDeep(item, redact)]));
}

/** Written by us: other exchanges and findings name them. */
const links = ['id', 'operation', 'key', 'repeatOf', 'confirms', 'label', 'problem', 'bodySha256'] as const;

/** As JSON, with the bodies. Without a redaction it contains keys and customer data. */
export function save(history: History, redact?: (text: string) => string): string {
  const kept = (one: Exchange) => Object.fromEntries(links.map((name) => [name, one[name]]));
  const cleaned = (one: Exchange) => ({
    ...(redactDeep(one, redact as (text: string) => string) as Exchange),
    ...kept(one),
  });
  return JSON.stringify({ ...history, exchanges: redact ? history.exchanges.map(cleaned) : history.exchanges });
}

/** Throws an Error of one sentence for a text that `save` has not written. */
export function load(text: string): History {
  const saved = parseJson(text);
  const exchanges = isObject(saved) && Array.isArray(saved.exchanges) ? saved.exchanges : [null];
  if (!isObject(saved) || !exchanges.every((one) => isObject(one) && /^x\d+$/.test(String(one.id))))
    throw new Error('This is not a saved history: it has no list of exchanges.');
  const { isSeededAlike = false, isRecorded = false, given = nothingGiven } = saved as Partial<History>;
  return makeHistory(exchanges as Exchange[], { isSeededAlike, isRecorded, given });
}

/** Creates a value for an object on first use; it is released with the object. */
export function oncePer<Thing extends object, Rest extends readonly unknown[], Made>(
  make: (thing: Thing, ...rest: Rest) => Made,
): (thing: Thing, ...rest: Rest) => Made {
  const made = new WeakMap<Thing, { readonly value: Made }>();
  return (thing, ...rest) => {
    const known = made.get(thing) ?? { value: make(thing, ...rest) };
    made.set(thing, known);
    return known.value;
  };
}
