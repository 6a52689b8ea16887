// How far a defect reaches, by the requests of the run: how often the same request shows it, and with other values of
// each part of the request.
import { parseJson } from '../../../src/contract/json.ts';
import { type Exchange, isObject } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/history.ts';
import { idsIn, listIn } from '../../exchange/records.ts';
import type { CheckResult, Finding, Unsteady } from '../../judge/result.ts';
import type { StoredExchange } from '../report.ts';

export interface Scope {
  /** Responses that show it, of all responses to the same request. */
  readonly seen: number;
  readonly of: number;
  readonly varied: readonly Varied[];
}

/** Requests that differ from the failing one in one part only. */
export interface Varied {
  /** `path`, `key`, `limit`, `body.text`. */
  readonly part: string;
  /** Values of it with which the defect shows, the one of the failing request included. */
  readonly failing: number;
  /** All values that were tested. */
  readonly of: number;
  /** Some of the values with which it does not show: `range=7d`, `no range`. */
  readonly passing: readonly string[];
}

export interface Evidence {
  readonly finding: Finding;
  readonly check: CheckResult;
  readonly exchange: StoredExchange | undefined;
}

/** `shown`: exchanges that show the defect. `blamed`: ids of all exchanges that findings are about. */
interface Seen {
  readonly shown: ReadonlySet<StoredExchange>;
  readonly blamed: ReadonlySet<string>;
  readonly exchanges: readonly StoredExchange[];
}

const passingMax = 2;

export function scopeOf({ exchange: bad, finding, check }: Evidence, { shown, blamed, exchanges }: Seen): Scope {
  if (bad === undefined) return { seen: shown.size, of: shown.size, varied: [] };
  const isStatus = finding.pointer === '#status';
  const tested = new Set(check.id.startsWith('rule/') ? check.exchanges : []);
  // A status can be compared with any other; only a rule is known to have tested the other responses.
  const isComparable = (each: StoredExchange) =>
    shown.has(each) || tested.has(each.id) || (isStatus && (each.status === bad.status || !transient.has(each.status)));
  const isFailing = (each: StoredExchange) => shown.has(each) || (isStatus && each.status === bad.status);
  const same = exchanges.filter((each) => each === bad || (isSameRequest(each, bad) && isComparable(each)));
  const isPassing = (each: StoredExchange) =>
    !blamed.has(each.id) && (isStatus ? each.status < 400 !== bad.status < 400 : tested.has(each.id));
  const alike = exchanges.filter(
    (each) => each.operation === bad.operation && each.method === bad.method && !each.burst && each.status > 0,
  );
  const parts = new Map<string, { failing: Set<string>; passing: Set<string> }>();
  for (const each of bad.operation === null || bad.burst ? [] : alike) {
    const [part, ...more] = differences(bad, each);
    if (part === undefined || more.length > 0 || !(shown.has(each) || isPassing(each))) continue;
    const values = parts.get(part) ?? { failing: new Set([valueIn(bad, part)]), passing: new Set() };
    parts.set(part, values);
    values[shown.has(each) ? 'failing' : 'passing'].add(valueIn(each, part));
  }
  const varied = [...parts].map(([part, { failing, passing }]) => {
    const others = [...passing].filter((value) => !failing.has(value));
    return { part, failing: failing.size, of: failing.size + others.length, passing: others.slice(0, passingMax) };
  });
  return { seen: same.filter(isFailing).length, of: same.length, varied };
}

function valueIn(exchange: StoredExchange, part: string): string {
  const value = partsOf(exchange).get(part);
  if (value === undefined || value === '') return `no ${part}`;
  return part === 'path' ? value : `${part}=${value.replace(/^=/, '')}`;
}

const singles: Readonly<Record<string, string>> = { path: 'one particular record', key: 'one particular key' };

/** Explanations that the run has ruled out. `isKind`: acceptance and rejection are exchanged. */
export function ruledOutBy({ seen, of, varied }: Scope, control: Control | null, isKind: boolean): string[] {
  const repeated = varied.filter(({ failing }) => failing > 1).map(({ part }) => part);
  return [
    ...(seen > 1 && seen === of ? ['chance'] : []),
    ...repeated.map((part) => singles[part] ?? `one particular value of ${part}`),
    ...(control === null || !isKind ? [] : [control.differsIn === 'key' ? 'every key' : 'the endpoint as a whole']),
  ];
}

// The control request of a finding: the request of the run that is most like it, with another kind of response.

/** `differsIn` is the one part in which it differs: `key`, `limit`, `body.text`, `path`. */
export interface Control {
  readonly exchange: string;
  readonly differsIn: string;
}

/** The fields that are compared, which live exchanges have too. */
type Compared = Pick<
  StoredExchange,
  'method' | 'target' | 'key' | 'requestHeaders' | 'requestBody' | 'status' | 'burst'
>;

/** Statuses of rate limits and gateways, which say nothing about the request. */
export const transient = new Set([429, 502, 503, 504]);

/** The key and the body are separate parts, and the other headers are set by the client. */
const ofNoPart = /^(authorization|host|user-agent|content-length|accept-encoding|connection|te|expect)$/i;

/** The parts of a request by name. */
export const partsOf = oncePer(({ target, key, requestHeaders, requestBody }: Compared): Map<string, string> => {
  const [path = '', query = ''] = target.split('?');
  const parts = new Map([
    ['path', path],
    ['key', key === 'wrong' ? `wrong ${requestHeaders.authorization ?? ''}` : key],
    ...Object.entries(requestHeaders).filter(([name]) => !ofNoPart.test(name)),
  ]);
  for (const [name, value] of new URLSearchParams(query)) parts.set(name, `${parts.get(name) ?? ''}=${value}`);
  const body = parseJson(requestBody.text ?? '');
  if (isObject(body))
    for (const [name, value] of Object.entries(body)) parts.set(`body.${name}`, JSON.stringify(value));
  else parts.set('body', requestBody.text ?? requestBody.command ?? `${requestBody.bytes}`);
  return parts;
});

/** Names of the parts that only one of the two has, or that differ. */
export function differences(one: Compared, other: Compared): string[] {
  const [mine, its] = [partsOf(one), partsOf(other)];
  return [...new Set([...mine.keys(), ...its.keys()])].filter((name) => mine.get(name) !== its.get(name));
}

/** Whether both are requests to the same operation that differ in nothing, with a response each. */
export function isSameRequest(one: Compared, other: Compared): boolean {
  const isComparable = one.method === other.method && one.status > 0 && other.status > 0 && !one.burst && !other.burst;
  return isComparable && differences(one, other).length === 0;
}

/** Returns null when no request of the run differs in one part only. `blamed`: exchanges that findings are about. */
export function controlOf(
  bad: StoredExchange,
  exchanges: readonly StoredExchange[],
  blamed: ReadonlySet<string>,
): Control | null {
  const isOther = ({ status }: StoredExchange) =>
    status > 0 && !transient.has(status) && status < 400 !== bad.status < 400;
  for (const other of exchanges) {
    if (other.operation !== bad.operation || other.method !== bad.method) continue;
    if (other.operation === null || blamed.has(other.id) || !isOther(other)) continue;
    const [part, ...rest] = differences(bad, other);
    if (part !== undefined && rest.length === 0) return { exchange: other.id, differsIn: part };
  }
  return null;
}

// Identical requests whose responses differ in their records: several instances or caches, one of them out of date.

/** Whether the finding is about the records of a list. Calls are left out, because they come and go by the minute. */
export function isListRead(each: Exchange, { pointer, clause }: Finding): boolean {
  const isRead = each.method === 'GET' && each.key === 'good' && each.status === 200 && listIn(each) !== null;
  return isRead && !/^(listCalls|null)$/.test(`${each.operation}`) && pointer !== '#status' && !/^8\./.test(clause);
}

/** Responses to identical reads of a list with the valid key, in the order of sending; those of the finding first. */
function readsFor(finding: Finding, exchanges: readonly Exchange[]): Exchange[][] {
  const own = exchanges.find(({ id }) => id === finding.exchange);
  if (own === undefined) return [];
  const groups = new Map<string, Exchange[]>([[own.target, []]]);
  for (const each of exchanges) {
    const isLike = each.operation === own.operation && !each.burst && isListRead(each, finding);
    if (isLike) groups.set(each.target, [...(groups.get(each.target) ?? []), each]);
  }
  return [...groups.values()];
}

/** A record that an earlier and a later response have: no change of the data explains that one lacks it (R59). */
function isReturning(id: string, reads: readonly Exchange[]): boolean {
  const having = reads.flatMap((each, at) => (idsIn(each).includes(id) ? at : []));
  return having.some((at, index) => index > 0 && at > (having[index - 1] ?? at) + 1);
}

/** Null where identical requests returned the same records, or where a change of the data explains the difference. */
export function unsteadyOf(finding: Finding, exchanges: readonly Exchange[]): Unsteady | null {
  for (const reads of readsFor(finding, exchanges)) {
    const found = unsteadyIn(reads, finding.expected);
    if (found !== null) return found;
  }
  return null;
}

/** `reads`: responses to identical requests. A record that `named` names explains more than another one. */
export function unsteadyIn(reads: readonly Exchange[], named = ''): Unsteady | null {
  const ids = [...new Set(reads.flatMap(idsIn))];
  const returning = ids.find((id) => isReturning(id, reads));
  if (returning === undefined) return null;
  const isMissing = (id: string) => named.includes(id) && reads.some((each) => !idsIn(each).includes(id));
  const record = ids.find(isMissing) ?? returning;
  const without = reads.filter((each) => !idsIn(each).includes(record)).map(({ id }) => id);
  return { record, exchanges: reads.map(({ id }) => id), without };
}

/** The last of several identical reads whose responses differ in their records; undefined where none does. */
export function differingRead(finding: Finding, exchanges: readonly Exchange[]): Exchange | undefined {
  const recordsOf = (each: Exchange) => [...idsIn(each)].sort().join();
  const reads = readsFor(finding, exchanges).find((each) => new Set(each.map(recordsOf)).size > 1);
  return reads?.at(-1);
}
