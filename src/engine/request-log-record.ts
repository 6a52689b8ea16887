// An entry of the request log as the admin API shows it and a snapshot keeps it: plain JSON, keys redacted, bodies cut.

import type { Basis, BasisTable } from '../contract/basis.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { OwnToolName, ToolName } from '../contract/generated/tools.ts';
import { parseJson } from '../contract/json.ts';
import { formatTimestamp, parseTimestampMs } from '../contract/timestamps.ts';
import { basisOfResponse } from '../http/basis.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { findNearMisses, type NearMiss } from '../http/near-miss.ts';
import { readQuery } from '../http/query.ts';
import type { Trace } from '../http/service.ts';
import { type Forwarded, isSuffered } from '../http/trace.ts';
import { redactCutKeys, redactHeader, redactKey, redactKeys } from './redaction.ts';

// Bodies are described on demand: a thousand of them take a tenth of a second, which would delay other responses.
interface BodyRecord {
  /** The first 16 KB as text; null when there is no body. */
  readonly body: string | null;
  /** Whether the text is only a part of the body. */
  readonly bodyCut: boolean;
}

/**
 * A request in `/__admin/requests`, snapshots and `casa.requests`. This is a public format: add fields, never rename
 * them.
 */
export interface LoggedRequest {
  readonly id: number;
  /** ISO 8601, on the mock's clock. */
  readonly at: string;
  readonly request: BodyRecord & {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly response: BodyRecord & {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly network: string | null;
    readonly latencyMs: number | null;
  };
  /** The operation, or the name of a tool without a REST operation. */
  readonly operation: OperationId | OwnToolName | null;
  /** The tool that was called, when the request came through the MCP endpoint. */
  readonly tool: ToolName | null;
  readonly organizationId: string | null;
  /** The last characters of the key. */
  readonly key: string | null;
  readonly address: string;
  readonly blockedBy: 'address' | 'key' | null;
  /** Where a forced error came from: a rule's id, `Prefer` or `query`. */
  readonly fault: string | null;
  readonly complaint: string | null;
  /** How a custom response violates the contract; null when it does not. */
  readonly violates: string | null;
  /** The request that this one repeats, if the admin API sent it again. */
  readonly replayOf: number | null;
  /** The deployment that responded (`--upstream`), and its violations; null for responses of the mock. */
  readonly forwarded: Forwarded | null;
  /** Fields of the body that were ignored because the path says otherwise. Cites 4.rules.path-wins. */
  readonly bodyIgnored: readonly string[];
  /** Parts of the response that the contract does not promise: assumptions of the mock. */
  readonly assumptions: readonly string[];
  /** How the mock knows each field of the response, by its path; empty for a response without an operation. */
  readonly basis: Readonly<Record<string, Basis>>;
  /** The most similar operations, for a request without one. */
  readonly nearMisses: readonly NearMiss[];
}

/** Of the records that readers have. */
const entries = new WeakMap<LoggedRequest, RequestLogEntry>();

/** Costs as much as the bodies are long, so it is done for a reader and never for each request. */
export function describeEntry(entry: RequestLogEntry): LoggedRequest {
  const { request, response, trace } = entry;
  const match = typeof trace.routing === 'string' ? null : trace.routing;
  const described: LoggedRequest = {
    ...describeOutline(entry),
    request: describeRequest(request),
    response: describeResponse(response),
    operation: match?.operation.id ?? null,
    tool: match?.tool ?? null,
    violates: trace.violates ?? null,
    get bodyIgnored() {
      return match?.operation.body && !match.tool ? findIgnoredCopies(match.path, request.body) : [];
    },
    assumptions: match && !trace.forwarded ? listAssumptions(match.operation.id, { request, response, trace }) : [],
    get basis() {
      return match && !trace.forwarded ? basisOfResponse(match.operation.id, response.status, trace) : {};
    },
    // Computed on demand: searching a thousand long paths must stay fast.
    get nearMisses() {
      return match || trace.routing === 'protocol' ? [] : findNearMisses(request.method, request.path);
    },
  };
  entries.set(described, entry);
  return described;
}

/** Returns the basis of the presence of each field, whatever the form of its values. */
export function presenceIn(record: LoggedRequest | undefined): BasisTable {
  const entry = record && entries.get(record);
  if (!entry || !record.operation || entry.trace.forwarded) return {};
  return basisOfResponse(record.operation, record.response.status, { ...entry.trace, values: false });
}

/** The part of an entry that a line of the log shows too. */
export function describeOutline({ id, request, trace }: RequestLogEntry) {
  return {
    id,
    at: formatTimestamp(trace.nowMs),
    organizationId: trace.organizationId,
    key: trace.key === null ? null : redactKey(trace.key),
    address: redactCutKeys(trace.address),
    blockedBy: trace.blockedBy,
    fault: sufferedFault(trace),
    complaint: trace.complaint && redactKeys(trace.complaint),
    replayOf: replayOf(request),
    forwarded: describeForwarded(trace),
  };
}

/** Redacts all text of clients and deployments. */
function describeForwarded({ forwarded }: Trace): Forwarded | null {
  if (!forwarded) return null;
  const { url, failure, findings, ms } = forwarded;
  return {
    url: redactKeys(url),
    ms,
    failure: failure && redactKeys(failure),
    findings: findings.map(({ pointer, expected, actual, ...rest }) => ({
      ...rest,
      pointer: redactKeys(pointer),
      expected: redactKeys(expected),
      actual: redactKeys(actual),
    })),
  };
}

/** Marks a request that was sent again from the request log. */
export const replayHeader = 'x-casa-replay-of';

export function replayOf({ headers }: CoreRequest): number | null {
  const id = headers[replayHeader];
  return id === undefined ? null : Number(id) || null;
}

/** The source of the fault that the request suffered; null where an earlier stage responded before the fault could. */
export function sufferedFault(trace: Trace): string | null {
  return isSuffered(trace) ? (trace.fault?.source ?? null) : null;
}

/** Keys are redacted wherever they may stand: a client may put one into a path or a body. */
function describeRequest({ method, path, query, headers, body }: CoreRequest): LoggedRequest['request'] {
  return {
    method,
    path: redactKeys(path),
    query: redactKeys(query),
    headers: redactHeaders(headers),
    get body() {
      return describeBody(body);
    },
    bodyCut: isCut(body),
  };
}

function describeResponse({ status, headers, body, network, latencyMs }: CoreResponse): LoggedRequest['response'] {
  return {
    status,
    headers: redactHeaders(headers),
    get body() {
      return describeBody(body);
    },
    bodyCut: isCut(body),
    network: network ?? null,
    latencyMs: latencyMs ?? null,
  };
}

/** Only headers that were sent. */
function redactHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) shown[redactKeys(name)] = redactHeader(name, value);
  }
  return shown;
}

// A body may repeat the ids of the path; the path wins and the copy is ignored. A copy that differs is most often a
// mistake of the client, so the request log reports it. Cites 4.rules.path-wins.
const decoder = new TextDecoder();

// A body that was cut on its way into the request log is one longer than the cap.
function isCut(body: string | Uint8Array | null): boolean {
  return body !== null && body.length > requestLogBodyBytesMax;
}

/** Bytes that are not UTF-8 are shown with replacement characters; the request log is for people. */
function describeBody(body: string | Uint8Array | null): string | null {
  if (body === null) return null;
  const start = body.slice(0, requestLogBodyBytesMax);
  const text = typeof start === 'string' ? start : decoder.decode(start);
  return isCut(body) ? redactCutKeys(text) : redactKeys(text);
}

type Described = Pick<RequestLogEntry, 'request' | 'response' | 'trace'>;

/** Clocks of clients may differ by this much. */
const aheadMs = 60_000;

const assumptionsOf: Partial<Record<OperationId | OwnToolName, string>> = {
  inbox_list: 'The contract does not show the fields of inbox messages (assumption C147).',
  customers_list: 'The contract does not show the fields of a customer (assumption C147).',
  dialer_import_contacts: 'The contract does not show the columns and the result of an import (assumption C144).',
  listCalls: 'The contract does not show the fields of a call (assumption C34).',
  getInsights: 'The contract does not show the names and meanings of metrics (assumption C32).',
  createConnectLink: 'The contract does not show the page at connectUrl (assumption C29).',
};

/** A response that a test relies on may be our invention; this says which part of it is, with the choice to look up. */
function listAssumptions(id: OperationId | OwnToolName, { request, response: { status }, trace }: Described): string[] {
  const { blockedBy, nowMs } = trace;
  const own = status === 200 ? assumptionsOf[id] : undefined;
  const found = own === undefined ? [] : [own];
  if (status === 400) found.push('The contract does not show the entries of issues (assumption C26).');
  if (status === 402) found.push('The contract does not show the values of reason (assumption C27).');
  const since = id === 'listCalls' && status === 200 ? parseTimestampMs(readQuery(request.query).since ?? '') : null;
  // The client obeys section 6 and yet sees nothing for ever.
  if (since !== null && since > nowMs + aheadMs)
    found.push(
      `since lies ahead of the clock of the mock, which says ${formatTimestamp(nowMs)}: no call can be later yet. ` +
        "Start the mock with clock: 'running', or have the client begin at casa.clock.now().",
    );
  if (blockedBy) found.push('Whether a blocked request carries Retry-After is left open (assumption C46).');
  return found;
}

/**
 * References to a request and its response; copies are made on demand. `id` counts from 1 and restarts with a reset.
 */
export interface RequestLogEntry {
  readonly id: number;
  readonly request: CoreRequest;
  readonly response: CoreResponse;
  readonly trace: Trace;
}

/** The request log keeps this much of a body. */
export const requestLogBodyBytesMax = 16_384;

/** Names of body fields that say something else than the path. */
export function findIgnoredCopies(path: Readonly<Record<string, string>>, body: Uint8Array | null): string[] {
  const names = Object.keys(path);
  if (!body || names.length === 0) return [];
  const value = parseJson(decoder.decode(body));
  if (value === null || typeof value !== 'object') return [];
  const fields = value as Record<string, unknown>;
  // Ids are compared as the service compares them: the case of a UUID means nothing.
  const lower = (id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id);
  return names.filter((name) => Object.hasOwn(fields, name) && lower(fields[name]) !== lower(path[name]));
}
