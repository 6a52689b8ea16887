// `conformance replay REPORT`: runs the checks of each cause again, and reports whether it is fixed.

import { parseJson } from '../../src/contract/json.ts';
import { count } from '../../src/terminal/count.ts';
import { quote } from '../../src/terminal/curl.ts';
import { readNamed } from '../../src/terminal/file-trouble.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import type { RunOptions } from '../driver/options.ts';
import { isSealed } from '../exchange/canonical.ts';
import { isObject } from '../exchange/exchange.ts';
import { hasConcluded } from '../judge/result.ts';
import type { Outcome } from '../judge/verdict.ts';
import { type ExitCode, type Report, type StoredExchange, toolName } from '../report/report.ts';
import { type CommandLine, parseCommandLine } from './flags.ts';
import { type Fields, textsIn } from './report-file.ts';

export const replayHelpText = `conformance replay: test whether the failures of a report are fixed

Usage
  conformance replay REPORT [flags]

REPORT is a JSON report of conformance (--report json=FILE). Only the checks that failed run again,
with the same invalid inputs. Name the deployment with --base-url (or --target), because the API
key is not sent to an address that only the report names. Pass the flags and keys that the first
run had. A cause is one defect, with all checks that fail because of it. replay prints one line for
each cause. A cause is FIXED only if its requests got valid responses that could have shown it.
--finding N tests only cause N. Flags for results, such as --report, --claims and --history, have
no effect.

Exit codes
  0  Every cause is fixed
  1  A cause still fails
  2  Invalid flag, file or API key
  3  A cause could not be tested
  4  The deployment could not be reached
`;

interface KnownCause {
  readonly number: number;
  readonly title: string;
  readonly checks: readonly string[];
  /** The scenarios whose requests show it, if its own checks did not ask. */
  readonly asks: readonly string[];
  /** The request that only sometimes shows it; null if it always does. */
  readonly sometimes: Sometimes | null;
  /** The requests whose responses show it. */
  readonly shownBy: readonly Fields[];
}

interface Sometimes {
  readonly target: string;
  /** Of the failing responses. A list that lacks a record has status 200. */
  readonly statuses: readonly unknown[];
}

interface Replay {
  readonly line: CommandLine;
  /** Printed before anything is sent; empty for a report that was not edited. */
  readonly warning: string;
  readonly requests: Pick<RunOptions, 'asks' | 'readsFirst'>;
  end(report: Report, out: (text: string) => void): ExitCode;
}

/** Of each request that only sometimes fails: enough for one response in three. */
const readsOfEach = 9;

/** Returns the run to do and what to print after it; null for help. Throws a UsageError. */
export function replayOf(argv: readonly string[]): Replay | null {
  if (argv.includes('--help') || argv.includes('-h')) return null;
  const [file, ...rest] = argv;
  if (file === undefined || file.startsWith('-'))
    throw new UsageError('conformance replay needs a report first: conformance replay report.json');
  const { flags, cause: chosen } = takeCause(rest);
  const { target, causes, isMcp, isSealed, known } = readReport(readNamed(file), file);
  const changed = isSealed ? '' : `${file} was changed after its run: its digest does not match its content.`;
  const wanted = chosen === null ? causes : causes.filter(({ number }) => number === chosen);
  if (wanted.length === 0)
    throw new UsageError(
      chosen === null
        ? `${file} has no failures to replay.`
        : `${file} has no cause ${chosen}: it has ${causes.length}.`,
    );
  // A rate limit shows only in the traffic of a whole run. The rules send nothing, and validate each response.
  const isWhole = wanted.some(({ checks }) => checks.some((id) => id.startsWith('limits/')));
  const ids = [...new Set([...wanted.flatMap(({ checks }) => checks), 'rule/*'])];
  const only = isWhole ? [] : ids.flatMap((id) => ['--only', id]);
  const line = parseCommandLine([...(isMcp ? ['mcp'] : []), ...only, ...flags]);
  const isPlaced = ['base-url', 'url', 'target'].some((flag) => line.flags[flag] !== undefined);
  const place = quote(clip(target, titleCharactersMax));
  if (!isPlaced)
    throw new UsageError(
      `${[changed, `To send your API key to the address in ${file}, name it:`, isMcp ? '--url' : '--base-url', place]
        .join(' ')
        .trim()}`,
    );
  const readsFirst = [...new Set(wanted.flatMap(({ sometimes }) => sometimes?.target ?? []))].flatMap((target) =>
    Array.from({ length: readsOfEach }, () => target),
  );
  const requests = { asks: wanted.flatMap(({ asks }) => asks), readsFirst };
  return { line, warning: changed, requests, end: (report, out) => endOf(report, { causes: wanted, known }, out) };
}

function takeCause(argv: readonly string[]): { flags: readonly string[]; cause: number | null } {
  const at = argv.findIndex((word) => word === '--finding' || word.startsWith('--finding='));
  if (at === -1) return { flags: argv, cause: null };
  const isJoined = argv[at] !== '--finding';
  const text = isJoined ? argv[at]?.slice('--finding='.length) : argv[at + 1];
  return { flags: argv.toSpliced(at, isJoined ? 1 : 2), cause: readCause(text ?? '') };
}

/** The number of a cause, after --finding. */
export function readCause(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`--finding "${text}" is not a number from 1.`);
  return Number(text);
}

interface KnownReport {
  readonly target: string;
  readonly causes: readonly KnownCause[];
  /** The target is an MCP endpoint (`conformance mcp`). */
  readonly isMcp: boolean;
  readonly isSealed: boolean;
  /** Violations of the first run, by check and clause. */
  readonly known: ReadonlySet<string>;
}

function readReport(text: string, file: string): KnownReport {
  const report = parseJson(text);
  const isReport = isObject(report) && report.tool === toolName && typeof report.target === 'string';
  if (!isReport || !Array.isArray(report.causes) || !Array.isArray(report.checks))
    throw new UsageError(`${file} is not a JSON report of this version: conformance --report json=FILE writes one.`);
  const sentBy = (rows: unknown, ids: ReadonlySet<string>) =>
    objects(rows).flatMap(({ id, exchanges }) =>
      textsIn(exchanges).some((each) => ids.has(each)) ? [String(id)] : [],
    );
  const causes = objects(report.causes).map(({ title, checks, exchanges, confidence }, index) => {
    const own = textsIn(checks);
    const shown = new Set(textsIn(exchanges));
    const isSometimes = confidence === 'intermittent';
    const reads = objects(report.exchanges).filter(({ id }) => shown.has(String(id)));
    // Rules and checks of the whole run send no requests.
    const isOwn = !isSometimes && sentBy(report.checks, shown).some((id) => own.includes(id) && !isRule(id));
    const all = objects(report.exchanges);
    const others = isSometimes ? ofSecondKey(reads, all) : [];
    const earlier = new Set([...cursorsFor(reads, all), ...others].map(({ id }) => String(id)));
    const asks = sentBy(report.scenarios, isOwn ? earlier : new Set([...shown, ...earlier]));
    const sometimes = isSometimes ? mostFrequent(reads) : null;
    return { number: index + 1, title: String(title), checks: own, asks, sometimes, shownBy: [...reads, ...others] };
  });
  const known = objects(report.checks).flatMap(({ id, findings }) =>
    objects(findings).map(({ clause }) => `${id} ${clause}`),
  );
  const target = report.target as string;
  return { target, causes, isMcp: isOfMcp(report), isSealed: isSealed(report), known: new Set(known) };
}

/** Reads of the same list before a read after a cursor: it may depend on who got the cursor, and when. */
function cursorsFor(reads: readonly Fields[], all: readonly Fields[]): readonly Fields[] {
  const after = reads.find(({ target }) => /[?&](cursor|since)=/.test(String(target)));
  const earlier = all.slice(0, after === undefined ? 0 : all.indexOf(after));
  return earlier.filter(({ operation }) => operation === after?.operation);
}

/** A response that fails only sometimes can come from a cache that the second key has filled. */
function ofSecondKey(reads: readonly Fields[], all: readonly Fields[]): readonly Fields[] {
  const operations = new Set(reads.map(({ operation }) => operation));
  return all.filter(({ key, method, operation }) => key === 'second' && method === 'GET' && operations.has(operation));
}

/** The read with the valid key that shows a defect most often; null where only other requests do. */
function mostFrequent(exchanges: readonly Readonly<Record<string, unknown>>[]): Sometimes | null {
  const reads = exchanges.filter(({ method, key, operation }) => method === 'GET' && key === 'good' && operation);
  const having = (target: unknown) => reads.filter((each) => each.target === target);
  const [first] = reads.toSorted((one, other) => having(other.target).length - having(one.target).length);
  if (typeof first?.target !== 'string') return null;
  return { target: first.target, statuses: having(first.target).map(({ status }) => status) };
}

/** Whether no check, chosen or skipped, is about the REST API, and no request was sent to it. */
function isOfMcp({ checks, exchanges }: Readonly<Record<string, unknown>>): boolean {
  const ids = objects(checks).map(({ id }) => String(id));
  const isRest = objects(exchanges).some(({ operation }) => typeof operation === 'string');
  return ids.length > 0 && !isRest && ids.every((id) => /^(mcp|rule)\/|^isolation\/mcp$/.test(id));
}

const objects = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);

const titleCharactersMax = 300;

interface Replayed {
  readonly causes: readonly KnownCause[];
  readonly known: ReadonlySet<string>;
}

function endOf(report: Report, { causes, known }: Replayed, out: (text: string) => void): ExitCode {
  const { abort } = report;
  const rows = causes.map((cause) => ({ ...cause, ...stateOf(cause, report, known) }));
  for (const { state, number, title, why } of rows) {
    const text = `${state === 'FIXED' ? 'was: ' : ''}${clip(visible(title), titleCharactersMax)}`;
    out(`${state.padEnd(13)}  ${number}  ${text}${why === '' ? '' : ` (${visible(why)})`}\n`);
  }
  const [fixed, failing] = ['FIXED', 'STILL FAILING'].map((name) => rows.filter(({ state }) => state === name).length);
  out(`\n${abort === null ? '' : `${visible(abort.sentence)}\n`}${fixed} of ${count(rows.length, 'cause')} fixed.\n`);
  if (failing !== 0) return 1;
  return abort !== null ? abort.exitCode : fixed === rows.length ? 0 : 3;
}

/** Fixed only where each check of the cause has a result, none fails, and its requests could have shown the failure. */
function stateOf(cause: KnownCause, report: Report, known: ReadonlySet<string>): { state: string; why: string } {
  const { checks, sometimes } = cause;
  const own = report.checks.filter(({ id }) => checks.includes(id));
  const reads = report.exchanges.filter(({ target, key }) => target === sometimes?.target && key === 'good');
  const isList = sometimes?.statuses.every((status) => status === 200) === true;
  const isShown = isList
    ? report.unsteady?.includes(sometimes.target)
    : reads.some(({ status }) => sometimes?.statuses.includes(status));
  const failing = own.filter(({ result }) => result.kind === 'fail');
  const isSame = failing.some(({ id, findings }) => findings.some(({ clause }) => known.has(`${id} ${clause}`)));
  if (isShown || isSame) return { state: 'STILL FAILING', why: '' };
  if (failing[0] !== undefined) return { state: 'UNKNOWN', why: `${failing[0].id} fails in another way` };
  if (report.abort !== null) return { state: 'UNKNOWN', why: 'the run ended early' };
  const isSteady = isList && reads.filter(({ status }) => status === 200).length >= readsOfEach;
  const why = (isSteady ? null : openIn(cause, report)) ?? undecidedIn(cause, report, known);
  return why === null ? { state: 'FIXED', why: '' } : { state: 'UNKNOWN', why };
}

/** A check of the cause without a result. A rule may have nothing left to test if all was sent. */
function openIn({ checks, asks }: KnownCause, report: Report): string | null {
  const missing = checks.find((id) => !report.checks.some((check) => check.id === id));
  if (missing !== undefined) return `${missing} did not run`;
  const own = checks.filter((id) => !isRule(id));
  const isSent = own.length + asks.length > 0 && whyUnsent(asks, report) === null;
  return whyOpen(isSent ? own : checks, report);
}

const isRule = (id: string) => id.startsWith('rule/');

function whyOpen(ids: readonly string[], report: Report): string | null {
  const open = report.checks.find(({ id, result }) => ids.includes(id) && !hasConcluded(result.kind));
  return open === undefined ? null : `${open.id}: ${open.result.message ?? ''}`;
}

/** The first reason why a scenario did not send its requests. */
function whyUnsent(asks: readonly string[], { scenarios = [] }: Report): string | null {
  const why = (outcome: Outcome) => {
    if (outcome.kind !== 'asked') return outcome.message;
    const { trouble } = outcome;
    return outcome.why ?? (trouble === undefined || 'crash' in trouble ? trouble?.crash : trouble.message);
  };
  return scenarios.flatMap((one) => (asks.includes(one.id) ? (why(one) ?? []) : []))[0] ?? null;
}

/** Why the requests that showed the failure do not decide, and their needs; null if they do. */
function undecidedIn({ checks, asks, shownBy }: KnownCause, report: Report, known: ReadonlySet<string>): string | null {
  const seen = new Set(report.checks.filter(({ id }) => checks.includes(id)).flatMap(({ exchanges }) => exchanges));
  const invalid = new Map(
    report.checks.flatMap(({ id, result, findings }) =>
      findings
        .filter(
          ({ severity, clause }) => result.kind === 'fail' && severity === 'fail' && !known.has(`${id} ${clause}`),
        )
        .flatMap(({ exchange, alike = [] }) => [exchange, ...alike].map((each) => [each, id] as const)),
    ),
  );
  for (const before of shownBy) {
    const name = `${before.method} ${String(before.target).split('?')[0]}`;
    const same = report.exchanges.filter((now) => isAlike(before, now));
    if (same.length === 0) return whyUnsent(asks, report) ?? whyOpen(checks, report) ?? `${name} was not requested`;
    const judged = same.filter(({ id }) => seen.size === 0 || seen.has(id));
    const usable = (judged.length > 0 ? judged : same).filter((now) => isUsable(now, before));
    if (usable.length === 0) return `${name} got no response that could show the failure`;
    const rules = usable.map(({ id }) => invalid.get(id));
    if (rules.every((rule) => rule !== undefined)) return `${name} got an invalid response: see ${rules[0]}`;
    const isEmpty = usable.every((now) => now.status === 200 && !hasRecordsIn({ ...now }));
    if (hasRecordsIn(before) && isEmpty) return `${name} returned no records`;
  }
  return null;
}

/** The same request, of any record. */
function isAlike(before: Fields, now: StoredExchange): boolean {
  const isSamePlace =
    before.operation === null ? pathOf(before.target) === pathOf(now.target) : before.operation === now.operation;
  return before.method === now.method && before.key === now.key && isSamePlace;
}

const pathOf = (target: unknown) => String(target).split('?')[0];

/** A rate limit, an outage and a server error show nothing, unless they were the failure. */
function isUsable({ status, problem }: StoredExchange, before: Fields): boolean {
  const isTrouble = status === 0 || status === 429 || status >= 500;
  return (!isTrouble || status === before.status) && (problem === 'none' || problem === before.problem);
}

/** Whether a stored body has a list with records: as text, or as its shape. */
function hasRecordsIn({ bodyText, bodyShape }: Fields): boolean {
  const body = typeof bodyText === 'string' ? parseJson(bodyText) : bodyShape;
  const data = isObject(body) ? body.data : null;
  const lists = [data, ...(isObject(data) ? Object.values(data) : [])].filter(Array.isArray);
  return lists.some((list) => list.length > 0);
}
