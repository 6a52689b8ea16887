// The rows of the request log: filters and badges.
import { grouped, words } from '../../contract/words.ts';
import type { LoggedRequest, RequestLogRow, Violation } from './responses.ts';

/** More rows than the mock keeps would be rows that cannot be opened. */
export const rowsMax = 1000;

/** The part of a record that a list shows: the bodies stay behind, or a thousand rows would be megabytes. */
export function rowOf({ request, response, ...record }: LoggedRequest): RequestLogRow {
  const { id, at, operation, key, address, blockedBy, fault, complaint, replayOf, forwarded } = record;
  const { receivedAt, durationMs, responseBytes } = record;
  const { method, path, query } = request;
  const { status, network } = response;
  return {
    id,
    at,
    ...(receivedAt && { receivedAt, durationMs, responseBytes }),
    operation,
    key,
    address,
    blockedBy,
    fault,
    complaint,
    replayOf,
    forwarded: forwarded ?? null,
    method,
    path,
    query,
    status,
    network,
  };
}

/** The newest first, as many as the mock keeps. A second row of an id reports the response that left in its place. */
export function addRows(rows: readonly RequestLogRow[], added: readonly RequestLogRow[]): readonly RequestLogRow[] {
  const byId = new Map([...rows.toReversed(), ...added].map((row) => [row.id, row]));
  return [...byId.values()].toReversed().slice(0, rowsMax);
}

/** Whether the client received nothing of the response that the mock had prepared. */
export const isLost = (network: string | null) => /^(reset|empty|timeout)$/.test(network ?? '');

/** The status that the client received. */
export const statusOf = (status: number, network: string | null) => (isLost(network) ? 'none' : String(status));

export const networkSentence = (network: string) =>
  `Network fault ${network}${isLost(network) ? ': the client received no response' : ''}.`;

/** `source` is the id of a rule, or the part of the request that asked for the fault. */
export function faultSentence(source: string): string {
  if (source === 'Prefer') return 'The request asked for this response with its header Prefer.';
  if (source === 'query') return 'The request asked for this response with a parameter that begins with __.';
  return `The fault ${source} caused this response. See Faults.`;
}

/** Empty fields let everything through; the status `4` is all that start with it. */
export interface Filter {
  readonly text: string;
  readonly status: string;
  readonly operation: string;
  readonly account: string;
  readonly badge: string;
}

export const noFilter: Filter = { text: '', status: '', operation: '', account: '', badge: '' };

/** The filter is a part of the address, so a link can show all 429 of an operation. */
export const filterIn = (hash: string): Filter => ({
  ...noFilter,
  ...Object.fromEntries(new URLSearchParams(hash.split('?')[1] ?? '')),
});

/** The address of a request, or of the list for 0. */
export function hashOf(id: number, filter: Filter): string {
  const set = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
  return `requests${id === 0 ? '' : `/${id}`}${set && `?${set}`}`;
}

/** Without the base path, with the labels of accounts, and with the first digits of other UUIDs. */
export function shortPath({ path, query }: RequestLogRow, labels: ReadonlyMap<string, string>): string {
  const short = path.replace(/^.*?\/api\/v1(?=\/)/, '').replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, (id) => {
    const label = labels.get(id.toLowerCase());
    return label === undefined ? `${id.slice(0, 8)}…` : `{${label}}`;
  });
  return query === '' ? short : `${short}?${query}`;
}

/** Why a row is worth a look; `title` is the whole sentence. */
export interface Badge {
  readonly kind: (typeof badgeKinds)[number];
  readonly text: string;
  readonly title: string;
}

export const badgeKinds = words('violation complaint fault limiter network unmatched replay forwarded deployment');

/** The most important first: violations of the client, then effects of the mock. */
export function badgesOf(row: RequestLogRow, violations: readonly Violation[]): Badge[] {
  const found: (Badge | false)[] = [
    violations.length > 0 && {
      kind: 'violation',
      text: violations.length === 1 ? 'violation' : `${violations.length} violations`,
      title: violations.map(({ message }) => message).join(' '),
    },
    ...deploymentBadges(row.forwarded),
    row.complaint !== null && { kind: 'complaint', text: 'complaint', title: row.complaint },
    row.fault !== null && { kind: 'fault', text: 'fault', title: faultSentence(row.fault) },
    row.blockedBy !== null && {
      kind: 'limiter',
      text: `${row.blockedBy} limit`,
      title: `The rate limit of the ${row.blockedBy} blocked this request.`,
    },
    row.network !== null && { kind: 'network', text: row.network, title: networkSentence(row.network) },
    row.operation === null && {
      kind: 'unmatched',
      text: 'no operation',
      title: 'No operation has this path and method.',
    },
    row.replayOf !== null && { kind: 'replay', text: 'replay', title: `Replay of request ${row.replayOf}.` },
  ];
  return found.filter((badge) => badge !== false);
}

function deploymentBadges(forwarded: RequestLogRow['forwarded']): (Badge | false)[] {
  if (!forwarded) return [];
  const { url, findings, failure } = forwarded;
  const said = findings.map(({ pointer, expected, actual }) => `${pointer}: expected ${expected}, got ${actual}.`);
  const text = failure === null ? `${findings.length} violated` : 'no response';
  return [
    (findings.length > 0 || failure !== null) && {
      kind: 'deployment',
      text: `deployment: ${text}`,
      title: failure ?? said.join(' '),
    },
    { kind: 'forwarded', text: 'forwarded', title: `Response of ${url}.` },
  ];
}

/** Violations by the request that they are about: the last of theirs. */
export function violationsByRequest(violations: readonly Violation[]): ReadonlyMap<number, readonly Violation[]> {
  return grouped(violations, ({ requestIds }) => requestIds.at(-1) ?? 0);
}

export function fits(row: RequestLogRow, filter: Filter, badges: readonly Badge[]): boolean {
  const { text, status, operation, account, badge } = filter;
  return (
    (status === '' || statusOf(row.status, row.network).startsWith(status)) &&
    (operation === '' || row.operation === operation) &&
    (account === '' || row.path.toLowerCase().includes(account.toLowerCase())) &&
    (badge === '' || badges.some(({ kind }) => kind === badge)) &&
    (text === '' || wordsOf(row).includes(text.toLowerCase()))
  );
}

/** All that a reader may remember of a row. */
function wordsOf(row: RequestLogRow): string {
  const target = `${row.method} ${row.path}${row.query === '' ? '' : `?${row.query}`}`;
  const status = statusOf(row.status, row.network);
  return [target, status, row.operation, row.key, row.address, row.fault, row.complaint, row.blockedBy]
    .join(' ')
    .toLowerCase();
}
