// Recorded traffic as exchanges: a HAR of a browser, a proxy, a test runner or the suite itself. Missing data (bodies
// that were left out, responses from a cache) is inconclusive and never a failure.
import { createHash } from 'node:crypto';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { type Exchange, isObject, type Problem } from '../exchange/exchange.ts';
import { readJson } from '../exchange/read-json.ts';
import { matchOperation } from '../exchange/request.ts';
import type { Rule } from '../judge/rule.ts';
import { keyPrefixOf } from '../observe/look.ts';
import { observe } from '../observe/observe.ts';
import { noPlan, select } from '../plan/plan.ts';
import { coverClauses } from '../report/coverage.ts';
import { exitMeanings } from '../report/outcome.ts';
import { makeFinder, redactReport, type Secret } from '../report/redact.ts';
import {
  contractVersion,
  type ExitCode,
  type RecordedRun,
  type Report,
  store,
  summarize,
  toolName,
} from '../report/report.ts';
import { applyRules } from './session.ts';

export interface Recording {
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
  /** Entries of other addresses, preflights and responses from a cache. */
  readonly others: number;
  /** Values that no report may show, the key of the first request first. */
  readonly keys: readonly string[];
  /** Set in a recording of ours. */
  readonly run: RecordedRun | null;
}

/** Nothing of it is trusted: every field is looked at before it is used. */
type Entry = Readonly<Record<string, unknown>>;

const entriesMax = 20_000;
const failedMax = 1000;
const versionPath = '/api/v1';
const unkept = new Set(['cookie', 'proxy-authorization']);

/** Throws a UsageError of one sentence for a text that is not a HAR, or has no requests to the service. */
export function readHar(text: string, file: string, wantedBase: string | null): Recording {
  const { log, entries } = readLog(text, file);
  const baseUrl = wantedBase?.replace(/\/+$/, '') ?? findBase(entries);
  if (baseUrl === null) {
    throw new UsageError(
      `${file}: no request goes to an address with ${versionPath}; name the deployment with --base-url.`,
    );
  }
  const own = entries.filter((entry) => targetIn(entry, baseUrl) !== null && !isFromCache(entry));
  if (own.length === 0) throw new UsageError(`${file}: no request goes to ${baseUrl}.`);
  const exchanges = own.map((entry, index) => toExchange(entry, baseUrl, `x${index + 1}`));
  const keys = new Set(own.map((entry) => headersOf(entry.request).authorization ?? ''));
  return {
    baseUrl,
    exchanges,
    others: entries.length - own.length,
    keys: [...keys].map(credentialOf).filter((value) => value !== ''),
    run: runIn(log),
  };
}

/** The key in a header. A scheme alone has no key, and also occurs in responses (`WWW-Authenticate: Bearer`). */
function credentialOf(authorization: string): string {
  return /^(bearer|basic)$/i.test(authorization.trim()) ? '' : authorization.replace(/^\S+\s+/, '');
}

/** Throws a UsageError that names the entry; a HAR that is half read would look like a clean one. */
function readLog(text: string, file: string): { log: Entry; entries: Entry[] } {
  let har: unknown;
  try {
    har = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new UsageError(`${file} is not a HAR file: it is not JSON.`);
  }
  const log = isObject(har) && isObject(har.log) ? har.log : {};
  const { entries } = log;
  if (!Array.isArray(entries)) throw new UsageError(`${file} is not a HAR file: it has no list log.entries.`);
  if (entries.length > entriesMax)
    throw new UsageError(`${file} has ${entries.length} entries; casa-kit reads at most ${entriesMax}.`);
  const invalid = entries.findIndex((entry) => !isObject(entry) || urlOf(entry) === null || !isObject(entry.response));
  if (invalid !== -1) throw new UsageError(`${file}: entry ${invalid + 1} has no request with a URL, or no response.`);
  return { log, entries };
}

/** For the creator `casa-kit conformance`; an edited file may have no data about the run. */
function runIn({ creator, _run: run }: Entry): RecordedRun | null {
  if (!isObject(creator) || !String(creator.name).startsWith(toolName)) return null;
  const { exitCode, failed } = isObject(run) ? run : {};
  const codes: readonly unknown[] = Object.keys(exitMeanings).map(Number);
  return {
    exitCode: codes.includes(exitCode) ? (exitCode as ExitCode) : null,
    failed: Array.isArray(failed) ? failed.filter((id) => typeof id === 'string').slice(0, failedMax) : [],
  };
}

/** Null unless it is a whole URL. */
function urlOf(entry: Entry): URL | null {
  const url = isObject(entry.request) ? entry.request.url : undefined;
  return typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
}

/** The URL up to the version segment of most operations of the contract. */
function findBase(entries: readonly Entry[]): string | null {
  const votes = new Map<string, number>();
  for (const entry of entries) {
    const url = urlOf(entry);
    const [, path] = /^(.*?\/api\/v1)(?=\/|$)/.exec(url?.pathname ?? '') ?? [];
    // Browsers record `data:`, `blob:` and `ws:` too.
    if (url === null || path === undefined || !/^https?:$/.test(url.protocol)) continue;
    const base = `${url.origin}${path}`;
    const isKnown = matchOperation(methodOf(entry), targetIn(entry, base) ?? '/') !== null;
    votes.set(base, (votes.get(base) ?? 0) + (isKnown ? 1000 : 1));
  }
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Path and query below the base URL; null for an entry of somewhere else. */
function targetIn(entry: Entry, baseUrl: string): string | null {
  const url = urlOf(entry);
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  if (url === null || url.origin !== base.origin || !url.pathname.startsWith(`${basePath}/`)) return null;
  return `${url.pathname.slice(basePath.length)}${url.search}`;
}

/** A browser responds to itself: 304 means a cached body, and a preflight is not part of the contract. */
function isFromCache(entry: Entry): boolean {
  return statusOf(entry) === 304 || entry._fromCache !== undefined || methodOf(entry) === 'OPTIONS';
}

/** Unknown values of a recording (source address, repetitions, connection) get a value that never fails a check. */
function toExchange(entry: Entry, baseUrl: string, id: string): Exchange {
  const target = targetIn(entry, baseUrl) ?? '/';
  const request = headersOf(entry.request);
  const body = bodyOf(entry.response);
  const sent = sentBodyOf(entry.request);
  const status = statusOf(entry);
  const problem: Problem = status === 0 ? 'reset' : body === null ? 'truncated' : 'none';
  const parsed = problem === 'none' && body !== null ? readJson(body) : { json: undefined, problem };
  const startedMs = Date.parse(String(entry.startedDateTime ?? '')) || 0;
  return {
    id,
    operation: matchOperation(methodOf(entry), target),
    method: methodOf(entry),
    target,
    url: `${baseUrl}${target}`,
    key: request.authorization === undefined ? 'none' : 'good',
    address: null,
    requestHeaders: request,
    requestBody: { text: sent, bytes: Buffer.byteLength(sent ?? '') },
    sentAt: startedMs,
    receivedAt: startedMs + (typeof entry.time === 'number' && entry.time > 0 ? entry.time : 0),
    status,
    headers: headersOf(entry.response),
    bodyText: body ?? '',
    bodyBytes: Buffer.byteLength(body ?? ''),
    bodySha256: createHash('sha256')
      .update(body ?? '')
      .digest('hex'),
    json: parsed.json,
    problem: parsed.problem,
    problemDetail: problem === 'truncated' ? 'the recording does not hold the body' : null,
    repeatOf: null,
    burst: false,
  };
}

/** In upper case, for matching. */
function methodOf(entry: Entry): string {
  return isObject(entry.request) && typeof entry.request.method === 'string'
    ? entry.request.method.toUpperCase()
    : 'GET';
}

/** 0 for a response that never came, as browsers write it. */
function statusOf({ response }: Entry): number {
  return isObject(response) && Number.isInteger(response.status) ? Number(response.status) : 0;
}

/** Several of one name are joined; cookies and proxy credentials are dropped at once. */
function headersOf(message: unknown): Record<string, string> {
  const list = isObject(message) && Array.isArray(message.headers) ? message.headers : [];
  const headers: Record<string, string> = {};
  for (const header of list) {
    if (!isObject(header) || typeof header.name !== 'string' || typeof header.value !== 'string') continue;
    const name = header.name.toLowerCase();
    // HTTP/2 recordings contain pseudo-headers, for example `:method`.
    if (name.startsWith(':')) continue;
    const value = unkept.has(name) ? '(not kept)' : header.value;
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** Null when the recording does not hold it; a body that is empty is an empty text. */
function bodyOf(response: unknown): string | null {
  const content = isObject(response) ? response.content : undefined;
  if (!isObject(content) || typeof content.text !== 'string') return null;
  return content.encoding === 'base64' ? Buffer.from(content.text, 'base64').toString('utf8') : content.text;
}

/** Null also for an empty text: recorders write one where there was no body. */
function sentBodyOf(request: unknown): string | null {
  const data = isObject(request) ? request.postData : undefined;
  return isObject(data) && typeof data.text === 'string' && data.text !== '' ? data.text : null;
}

// Checks exchanges of other clients by the same rules as a run. Sends nothing.

/** For `conformance har`; without options for sending. */
export interface RecordedOptions {
  readonly file: string;
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly rules: readonly Rule[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly keepBodies: boolean;
}

/** The report has the form of a run, so every reporter can show it. */
export function checkRecording(recording: Recording, options: RecordedOptions): Report {
  const { rules, only, skip, keepBodies, file, runId, nowMs } = options;
  const secrets = secretsOf(recording.keys);
  const selection = select(
    rules.map(({ id }) => id),
    only,
    skip,
  );
  const ruleRun = applyRules(
    rules.filter(({ id }) => selection.isSelected(id)),
    { findSecrets: makeFinder(secrets) },
  );
  for (const exchange of recording.exchanges) ruleRun.check(exchange);
  const results = ruleRun.finish();
  const report: Report = {
    tool: toolName,
    toolVersion: readVersion(),
    contractVersion,
    target: recording.baseUrl,
    runId,
    startedAt: new Date(nowMs).toISOString(),
    isMockTime: false,
    plan: noPlan(results.length),
    used: { requests: 0, seconds: 0 },
    recorded: { file, judged: recording.exchanges.length, others: recording.others, run: recording.run },
    summary: summarize(results),
    checks: results,
    coverage: coverClauses(results),
    behaviors: observe({ exchanges: recording.exchanges, results, keyPrefix: keyPrefixOf(recording.keys[0] ?? '') }),
    exchanges: recording.exchanges.map((exchange) => store(exchange, keepBodies)),
    isEmpty: false,
    abort: null,
    keepsBodies: keepBodies,
  };
  return redactReport(report, secrets);
}

/** The keys of the recording itself, which the user might not know. */
function secretsOf(keys: readonly string[]): Secret[] {
  return keys.map((value, index) => ({
    value,
    placeholder: index === 0 ? '$CONFORMANCE_API_KEY' : `<key ${index + 1}>`,
  }));
}
