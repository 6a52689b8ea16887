// Recorded traffic as exchanges: a HAR of a browser, a proxy, a test runner or the suite itself. Missing data (bodies
// that were left out, responses from a cache) is inconclusive and never a failure.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { RequirementSetName } from '../../src/contract/generated/requirements.ts';
import { grouped } from '../../src/contract/words.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { observe } from '../behaviors/observe.ts';
import { type Exchange, isLost, isObject, type KeyName } from '../exchange/exchange.ts';
import { makeHistory } from '../exchange/history.ts';
import { keyPrefixOf } from '../exchange/look.ts';
import { matchOperation } from '../exchange/request.ts';
import { judgeAll, judgeRules } from '../judge/judge.ts';
import { coverClauses, requirementsOf } from '../report/coverage.ts';
import { withProofs } from '../report/diagnosis/proof.ts';
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
import { noPlan, select } from '../scenarios/plan/plan.ts';
import { type Attached, bodyReader } from './har-body.ts';
import { ownCatalog } from './options.ts';

export interface Recording {
  /** The name of its file. */
  readonly file: string;
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
  /** Entries of other addresses, preflights, and responses that the service did not send. */
  readonly others: number;
  /** Values that no report may show; those that opened something first. */
  readonly keys: readonly string[];
  /** Set in a recording of ours. */
  readonly run: RecordedRun | null;
}

/** A HAR, with the files that belong to it. */
export interface HarSource {
  readonly file: string;
  readonly text: string;
  readonly attached: Attached;
}

/** Nothing of it is trusted: every field is looked at before it is used. */
type Entry = Readonly<Record<string, unknown>>;

const entriesMax = 20_000;
const failedMax = 1000;
const versionPath = '/api/v1';
/** Values that open something, and that no rule reads. */
const unkept = /^(cookie|proxy-authorization|.*(api|access|auth|secret)[-_]?(key|token).*)$/;

/** Throws a UsageError of one sentence for a text that is not a HAR, or has no responses of one service. */
export function readHar({ file, text, attached }: HarSource, wantedBase: string | null): Recording {
  const { log, entries } = readLog(text, file);
  const baseUrl = withoutSlash(wantedBase ?? findBase(entries, file));
  const sent = entries.filter((entry) => targetIn(entry, baseUrl) !== null);
  const own = sent.filter(isOfService);
  if (own.length === 0)
    throw new UsageError(
      sent.length === 0
        ? `${file}: no request goes to ${baseUrl}.`
        : `${file} has no response of ${baseUrl} to check: ${sent.length} cached, aborted, or made by the browser.`,
    );
  const readBody = bodyReader(attached);
  const run = runIn(log);
  const keys = keysOf(own);
  const exchanges = own.map((entry, index) =>
    toExchange(entry, { baseUrl, id: `x${index + 1}`, readBody, isOurs: run !== null, keys }),
  );
  return { file, baseUrl, exchanges: inOrder(exchanges), others: entries.length - own.length, keys, run };
}

/** Where all times are the same, the order of the entries is the only one. */
function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const isTimed = exchanges.some(({ sentAt }) => sentAt !== exchanges[0]?.sentAt);
  return isTimed ? exchanges : exchanges.map((one) => ({ ...one, receivedAt: one.sentAt }));
}

/** Those that opened something: the others are wrong or revoked. All, if none did. */
function keysOf(entries: readonly Entry[]): string[] {
  const all = entries.map((entry) => ({ key: credentialOf(headersOf(entry.request).authorization ?? ''), entry }));
  const opening = all.filter(({ entry }) => statusOf(entry) < 400);
  const keys = [opening, all].map((some) => [...new Set(some.map(({ key }) => key))].filter((key) => key !== ''));
  return keys.find(({ length }) => length > 0) ?? [];
}

function withoutSlash(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The key in a header. A scheme alone has no key, and a text of a recorder, such as `[redacted]`, has no digit. */
function credentialOf(authorization: string): string {
  const value = authorization.trim().replace(/^\S+\s+/, '');
  return /^\$|\d/.test(value) ? value : '';
}

/** An entry that is not an object counts as one of another address. */
function readLog(text: string, file: string): { log: Entry; entries: Entry[] } {
  let har: unknown;
  try {
    har = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not a HAR file: it is not JSON.`);
  }
  const log = isObject(har) && isObject(har.log) ? har.log : {};
  const { entries } = log;
  if (!Array.isArray(entries)) throw new UsageError(`${file} is not a HAR file: it has no list log.entries.`);
  if (entries.length > entriesMax)
    throw new UsageError(`${file} has ${entries.length} entries; casa-kit reads at most ${entriesMax}.`);
  return { log, entries: entries.map((entry) => (isObject(entry) ? entry : {})) };
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

/** The URL up to the version segment of most operations of the contract; null for another address. */
function baseOf(entry: Entry): string | null {
  const url = urlOf(entry);
  const [, path] = /^(.*?\/api\/v1)(?=\/|$)/.exec(url?.pathname ?? '') ?? [];
  // Browsers record `data:`, `blob:` and `ws:` too.
  return url === null || path === undefined || !/^https?:$/.test(url.protocol) ? null : `${url.origin}${path}`;
}

const servicesShownMax = 10;

/** The address with responses to operations of the contract; else with such requests; else with any. */
function findBase(entries: readonly Entry[], file: string): string {
  const bases = [...grouped(entries, baseOf)].filter((pair): pair is [string, Entry[]] => pair[0] !== null);
  const isOperation = (entry: Entry, base: string) =>
    matchOperation(methodOf(entry), targetIn(entry, base) ?? '/') !== null;
  const isRedirect = (entry: Entry) => statusOf(entry) >= 300 && statusOf(entry) < 400;
  const ranks: ((entry: Entry, base: string) => boolean)[] = [
    (entry, base) => isOperation(entry, base) && isOfService(entry) && !isRedirect(entry),
    isOperation,
    () => true,
  ];
  for (const isCounted of ranks) {
    const counts = bases.map(([base, all]) => [base, all.filter((entry) => isCounted(entry, base)).length] as const);
    const services = counts.filter(([, number]) => number > 0).sort(([, a], [, b]) => b - a);
    const [first, second] = services;
    if (first === undefined) continue;
    if (second === undefined) return first[0];
    const lines = services.slice(0, servicesShownMax).map(([base, number]) => `\n  --base-url ${base}  (${number})`);
    const more = services.length > servicesShownMax ? `\n  and ${services.length - servicesShownMax} more` : '';
    throw new UsageError(
      `${file} has requests to ${services.length} services. Choose one with --base-url:${lines.join('')}${more}`,
    );
  }
  throw new UsageError(
    `${file}: no request goes to an address with ${versionPath}; name the deployment with --base-url.`,
  );
}

/** Path and query below the base URL; null for an entry of somewhere else. */
function targetIn(entry: Entry, baseUrl: string): string | null {
  const url = urlOf(entry);
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  if (url === null || url.origin !== base.origin || !url.pathname.startsWith(`${basePath}/`)) return null;
  return `${url.pathname.slice(basePath.length)}${url.search}`;
}

/** Fields of browsers and test runners for a request without a response of the network. */
const failures = ['_error', '_failureText', '_fetchedViaServiceWorker'] as const;

/** False for preflights, cached and aborted responses, and redirects that a browser made up. */
function isOfService(entry: Entry): boolean {
  const response = isObject(entry.response) ? entry.response : {};
  const status = statusOf(entry);
  const isMade = 'non-authoritative-reason' in headersOf(response) || response.statusText === 'Internal Redirect';
  // Safari names the source of each response.
  const source = response._fetchType ?? entry._fetchType ?? 'Network Load';
  return (
    status > 0 &&
    status !== 304 &&
    !isMade &&
    source === 'Network Load' &&
    !isSet(entry._fromCache) &&
    !failures.some((name) => isSet(response[name]) || isSet(entry[name])) &&
    !/^(OPTIONS|CONNECT)$/.test(methodOf(entry))
  );
}

function isSet(value: unknown): boolean {
  return !/^(|0|false|null|none)$/i.test(String(value ?? ''));
}

/** Properties that the entries of one recording share. */
interface Shared {
  readonly baseUrl: string;
  readonly id: string;
  readonly readBody: ReturnType<typeof bodyReader>;
  readonly isOurs: boolean;
  readonly keys: readonly string[];
}

/** Unknown values of a recording (source address, repetitions, connection) get a value that never fails a check. */
function toExchange(entry: Entry, { baseUrl, id, readBody, isOurs, keys }: Shared): Exchange {
  const target = targetIn(entry, baseUrl) ?? '/';
  const status = statusOf(entry);
  const headers = headersOf(entry.response);
  const given = headersOf(entry.request);
  const request = isOurs ? given : withKey(given, status);
  const content = isObject(entry.response) ? entry.response.content : undefined;
  const { text, json, problem, detail } = readBody({ content, headers });
  const sent = sentBodyOf(entry.request);
  const startedMs = Date.parse(String(entry.startedDateTime ?? '')) || Date.parse(headers.date ?? '') || 0;
  return {
    id,
    operation: matchOperation(methodOf(entry), target),
    method: methodOf(entry),
    target,
    url: `${baseUrl}${target}`,
    key: request.authorization === undefined ? 'none' : nameOfKey(request.authorization, status, keys),
    address: null,
    requestHeaders: request,
    requestBody: { text: sent, bytes: Buffer.byteLength(sent ?? '') },
    sentAt: startedMs,
    receivedAt: startedMs + (typeof entry.time === 'number' && entry.time > 0 ? entry.time : 0),
    status,
    headers,
    bodyText: text,
    bodyBytes: Buffer.byteLength(text),
    bodySha256: createHash('sha256').update(text).digest('hex'),
    json,
    problem,
    problemDetail: detail,
    repeatOf: null,
    burst: false,
  };
}

const hiddenKey = 'Bearer $CONFORMANCE_API_KEY';

/**
 * More than two keys are not compared. A hidden key is the first one. A rejected scheme makes a key invalid (4.bearer);
 * one that opens something is that of a gateway.
 */
function nameOfKey(authorization: string, status: number, keys: readonly string[]): KeyName {
  const credential = credentialOf(authorization);
  if (credential === '' || authorization === hiddenKey) return 'good';
  if (status === 401 && !/^\s*bearer\s/i.test(authorization)) return 'wrong';
  return (['good', 'second'] as const)[keys.indexOf(credential)] ?? 'wrong';
}

/** Browsers export without keys. Only a 401 shows that the request really had none. */
function withKey(headers: Record<string, string>, status: number): Record<string, string> {
  const { authorization = '', ...others } = headers;
  if (credentialOf(authorization) !== '' || status === 401) return headers;
  return { ...others, authorization: hiddenKey };
}

/** In upper case, for matching. */
function methodOf(entry: Entry): string {
  return isObject(entry.request) && typeof entry.request.method === 'string'
    ? entry.request.method.toUpperCase()
    : 'GET';
}

/** 0 for a response that never came, as browsers write it. */
function statusOf({ response }: Entry): number {
  const status = isObject(response) ? Number(response.status) : 0;
  return Number.isInteger(status) ? status : 0;
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
    const value = unkept.test(name) ? '(not kept)' : header.value;
    // Some recorders repeat a header.
    if (headers[name] !== value) headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** Null also for an empty text: recorders write one where there was no body. */
function sentBodyOf(request: unknown): string | null {
  const data = isObject(request) ? request.postData : undefined;
  return isObject(data) && typeof data.text === 'string' && data.text !== '' ? data.text : null;
}

// Judges exchanges of other clients by the rules of a run, and by every check. Sends nothing.

/** For `conformance har`; without options for sending. */
export interface RecordedOptions {
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly keepBodies: boolean;
  readonly requirements?: RequirementSetName;
}

/** The report has the form of a run, so every reporter can show it. */
export function checkRecording(recording: Recording, options: RecordedOptions): Report {
  const { only, skip, keepBodies, runId, nowMs } = options;
  const { rules, checks } = ownCatalog;
  const { baseUrl, exchanges, others, run } = recording;
  const requirements = requirementsOf(options.requirements);
  const secrets = secretsOf(recording.keys);
  const selection = select(
    [...rules, ...checks].map(({ id }) => id),
    only,
    skip,
  );
  const chosen = <One extends { readonly id: string }>(all: readonly One[]) =>
    all.filter(({ id }) => selection.isSelected(id));
  const ofRules = judgeRules(chosen(rules), exchanges, { findSecrets: makeFinder(secrets) });
  const judged = judgeAll(chosen(checks), makeHistory(exchanges, { isRecorded: true }));
  // A recording has no scenarios, so a check without data says nothing unless it was chosen.
  const told = judged.filter(({ result }) => only.length > 0 || result.kind !== 'inconclusive');
  const results = [...ofRules, ...told];
  const report: Report = {
    tool: toolName,
    toolVersion: readVersion(),
    contractVersion,
    requirements,
    target: baseUrl,
    runId,
    startedAt: new Date(nowMs).toISOString(),
    isMockTime: false,
    plan: noPlan(results.length),
    used: { requests: 0, seconds: 0 },
    recorded: {
      file: basename(recording.file),
      judged: exchanges.length,
      others,
      withoutBody: exchanges.filter(isLost).length,
      run,
    },
    summary: summarize(results),
    checks: results,
    coverage: coverClauses(results, undefined, requirements),
    behaviors: observe({ exchanges, results, keyPrefix: keyPrefixOf(recording.keys[0] ?? '') }),
    exchanges: exchanges.map((exchange) => store(exchange, keepBodies)),
    isEmpty: false,
    abort: null,
    keepsBodies: keepBodies,
  };
  return redactReport(withProofs(report, exchanges), secrets);
}

/** The keys of the recording itself, which the user might not know. */
function secretsOf(keys: readonly string[]): Secret[] {
  return keys.map((value, index) => ({
    value,
    placeholder: ['$CONFORMANCE_API_KEY', '$CONFORMANCE_SECOND_KEY'][index] ?? `<key ${index + 1}>`,
  }));
}
