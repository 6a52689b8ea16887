// The result of a run as data, the only input of reporters.
import { apiVersion } from '../../src/contract/generated/operations.ts';
import type { BehaviorState } from '../behaviors/observe.ts';
import { type Exchange, isObject, type SentBody } from '../exchange/exchange.ts';
import { isDataName } from '../exchange/personal.ts';
import type { Keys } from '../exchange/request.ts';
import { type CheckResult, type ResultKind, resultKinds } from '../judge/result.ts';
import type { Outcome } from '../judge/verdict.ts';
import type { Options } from '../scenarios/capabilities.ts';
import type { Plan } from '../scenarios/plan/plan.ts';
import type { ClauseCoverage, Requirements } from './coverage.ts';

/** As JUnit, SARIF and HAR name the producer. */
export const toolName = 'casa-kit conformance';
/** Cites 9.description-version. */
export const contractVersion = apiVersion;

/** 0 ok, 1 contract failure, 2 usage, 3 nothing proven, 4 target unreachable or kit error. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** Changes of a deployment that end a run. */
export type AbortCause =
  | 'key-revoked'
  | 'plan-lapsed'
  | 'data-emptied'
  | 'maintenance'
  | 'login'
  | 'replaced'
  | 'clock'
  | 'unreachable';

/** Why a run ended early, and its exit code. */
export interface Abort {
  readonly exitCode: ExitCode;
  /** One sentence for the user. */
  readonly sentence: string;
  readonly cause?: AbortCause;
  /** The first exchange that is not evidence. Failures that were found before it count. */
  readonly since?: string;
}

/** The exchanges before the deployment changed; all, if it did not. */
export function evidenceIn<Some extends Pick<Exchange, 'id'>>(
  exchanges: readonly Some[],
  abort: Abort | null | undefined,
): readonly Some[] {
  const since = abort?.since;
  return since === undefined ? exchanges : exchanges.filter((one) => numberOf(one) < numberOf({ id: since }));
}

/** The place of an exchange in the order of sending. */
export function numberOf({ id }: Pick<Exchange, 'id'>): number {
  return Number(id.slice(1));
}

export interface Recorded {
  readonly file: string;
  /** Exchanges of the service. */
  readonly judged: number;
  /** Entries of other addresses, preflights, and responses that the service did not send. */
  readonly others: number;
  /** Exchanges whose body the recording does not hold. */
  readonly withoutBody: number;
  /** The run that made the recording, where it was one of ours. */
  readonly run: RecordedRun | null;
}

export interface RecordedRun {
  /** Null where the HAR does not say. */
  readonly exitCode: ExitCode | null;
  /** Checks that failed. */
  readonly failed: readonly string[];
}

/** The input of a run in addition to the responses. With both, `conformance verify` repeats the run offline. */
export interface RunInputs {
  /** As given, without certificates. */
  readonly options: Options;
  /** The MCP endpoint was tested on its own. */
  readonly isOfMcpEndpoint: boolean;
  /** Keys of the same form. The real ones stay secret. */
  readonly standIns: Keys;
  readonly latencyMs: number;
}

/**
 * Its schema is published (`./report.schema.json`): a change here is a change of the interface. It is redacted before
 * anybody sees it.
 */
export interface Report {
  readonly tool: string;
  readonly toolVersion: string;
  readonly contractVersion: string;
  readonly requirements: Requirements;
  readonly target: string;
  /** Set where two sides were compared, by the names that a person gives them. */
  readonly compared?: { readonly a: string; readonly b: string };
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Times and seconds are those of the mock, whose clock the run has moved. */
  readonly isMockTime: boolean;
  readonly plan: Plan;
  /** The scenarios of the run, in order; absent for recorded traffic and comparisons. */
  readonly scenarios?: readonly (Outcome & { readonly id: string })[];
  readonly used: { readonly requests: number; readonly seconds: number };
  /** Set when recorded traffic was checked, and nothing was sent. */
  readonly recorded: Recorded | null;
  readonly summary: Readonly<Record<ResultKind, number>>;
  readonly checks: readonly CheckResult[];
  readonly coverage: readonly ClauseCoverage[];
  /** How the target reads what the contract leaves open, as far as the run saw it. */
  readonly behaviors: readonly BehaviorState[];
  readonly exchanges: readonly StoredExchange[];
  /** The organization has no site, article, account, invite or call, as far as the run read its lists. */
  readonly isEmpty: boolean;
  /** Set when the run ended before its checks: preflight, or a stop by the user. */
  readonly abort: Abort | null;
  readonly keepsBodies: boolean;
  /** Absent for recorded traffic and comparisons. */
  readonly inputs?: RunInputs;
  /** Targets of `readsFirst` whose responses differed in their records. */
  readonly unsteady?: readonly string[];
}

/** The subject of a report, for its headline. */
export function titleOf({ target, compared }: Report): string {
  return compared === undefined ? `Conformance of ${target}` : `${compared.b} next to ${compared.a}`;
}

/** Every kind is there, also with 0. */
export function summarize(checks: readonly CheckResult[]): Record<ResultKind, number> {
  const summary = Object.fromEntries(resultKinds.map((kind) => [kind, 0])) as Record<ResultKind, number>;
  for (const check of checks) summary[check.result.kind] += 1;
  return summary;
}

// The stored form of an exchange. Bodies of remote services are customer data: only shape, size and hash are kept, and
// findings quote the failing value.

/** An exchange without what a report must not, or need not, keep. */
export interface StoredExchange extends Omit<Exchange, 'bodyText' | 'json' | 'requestBody' | 'mcpEndpoint'> {
  readonly requestBody: SentBody;
  /** The body unchanged, if bodies are kept. */
  readonly bodyText: string | null;
  /** The body with every value replaced by its type, when bodies are not kept. */
  readonly bodyShape: unknown;
}

/** The only place that drops bodies: all stored data can be shown after redaction. */
export function store(exchange: Exchange, keepBodies: boolean): StoredExchange {
  const {
    json,
    bodyText,
    requestBody,
    mcpEndpoint: _mcpEndpoint,
    ...rest
  } = { ...exchange, headers: withoutCookies(exchange.headers) };
  if (keepBodies) return { ...rest, requestBody, bodyText, bodyShape: null };
  // An error envelope holds no customer data, and without it a rejection cannot be read.
  const isError = exchange.status >= 400 && isObject(json);
  return {
    ...rest,
    requestBody,
    bodyText: isError ? bodyText : null,
    bodyShape: isError || json === undefined ? null : shapeOf(json, 0),
  };
}

/** Removes cookies: they open sessions and are irrelevant for the contract. */
function withoutCookies(headers: Exchange['headers']): Exchange['headers'] {
  return headers['set-cookie'] === undefined ? headers : { ...headers, 'set-cookie': '(not kept)' };
}

const depthMax = 8;
const fieldsMax = 60;

/** `{ "id": "string" }`: a list shows its first item and its length, so nothing of the data is left. */
function shapeOf(value: unknown, depth: number): unknown {
  if (value === null) return 'null';
  if (depth > depthMax) return '…';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0], depth + 1), `× ${value.length}`];
  if (!isObject(value)) return typeof value;
  const fields = Object.entries(value).slice(0, fieldsMax);
  // A map is shown by its first entry, because its names are data.
  if (fields.some(([name]) => isDataName(name))) return { '<name>': shapeOf(fields[0]?.[1], depth + 1) };
  return Object.fromEntries(fields.map(([name, field]) => [name, shapeOf(field, depth + 1)]));
}
