// `conformance replay REPORT`: runs the checks of each cause again, and reports whether it is fixed.

import { parseJson } from '../../src/contract/json.ts';
import { count } from '../../src/terminal/count.ts';
import { readNamed } from '../../src/terminal/file-trouble.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import { isObject } from '../exchange/exchange.ts';
import { hasConcluded } from '../judge/result.ts';
import { type ExitCode, type Report, toolName } from '../report/report.ts';
import { type CommandLine, parseCommandLine } from './flags.ts';
import { textsIn } from './report-file.ts';

export const replayHelpText = `conformance replay: test whether the failures of a report are fixed

Usage
  conformance replay REPORT [flags]

REPORT is a JSON report of conformance (--report json=FILE). Only the checks that failed run again,
with the same invalid inputs, at the address in the report. Pass the flags and keys that the first
run had. A cause is one defect, with all checks that fail because of it. replay prints one line for
each cause. --finding N tests only cause N. Flags for results, such as --report, --baseline and
--history, have no effect.

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
  /** With the checks that sent the requests, for causes that only rules found. */
  readonly only: readonly string[];
  /** The request that only sometimes shows it; null if it always does. */
  readonly sometimes: Sometimes | null;
}

interface Sometimes {
  readonly target: string;
  /** Of the failing responses. A list that lacks a record has status 200. */
  readonly statuses: readonly unknown[];
}

interface Replay {
  readonly line: CommandLine;
  readonly readsFirst: readonly string[];
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
  const { target, seed, causes, isMcp } = readReport(readNamed(file), file);
  const wanted = chosen === null ? causes : causes.filter(({ number }) => number === chosen);
  if (wanted.length === 0)
    throw new UsageError(
      chosen === null
        ? `${file} has no failures to replay.`
        : `${file} has no cause ${chosen}: it has ${causes.length}.`,
    );
  // A rate limit shows only in the traffic of a whole run.
  const isWhole = wanted.some(({ checks }) => checks.some((id) => id.startsWith('limits/')));
  const only = isWhole ? [] : [...new Set(wanted.flatMap((cause) => cause.only))].flatMap((id) => ['--only', id]);
  const isPlaced = flags.some((flag) => /^--(base-url|url|target)(=|$)/.test(flag));
  const address = isPlaced ? [] : [isMcp ? '--url' : '--base-url', target];
  const line = parseCommandLine([...(isMcp ? ['mcp'] : []), ...address, '--seed', seed, ...only, ...flags]);
  const readsFirst = [...new Set(wanted.flatMap(({ sometimes }) => sometimes?.target ?? []))].flatMap((target) =>
    Array.from({ length: readsOfEach }, () => target),
  );
  return { line, readsFirst, end: (report, out) => endOf(report, wanted, out) };
}

/** Also for `conformance dispute`. */
export function takeCause(argv: readonly string[]): { flags: readonly string[]; cause: number | null } {
  const at = argv.findIndex((word) => word === '--finding' || word.startsWith('--finding='));
  if (at === -1) return { flags: argv, cause: null };
  const isJoined = argv[at] !== '--finding';
  const text = isJoined ? argv[at]?.slice('--finding='.length) : argv[at + 1];
  if (!/^[1-9]\d{0,3}$/.test(text ?? '')) throw new UsageError(`--finding "${text ?? ''}" is not a number from 1.`);
  return { flags: argv.toSpliced(at, isJoined ? 1 : 2), cause: Number(text) };
}

interface KnownReport {
  readonly target: string;
  readonly seed: string;
  readonly causes: readonly KnownCause[];
  /** The target is an MCP endpoint (`conformance mcp`). */
  readonly isMcp: boolean;
}

function readReport(text: string, file: string): KnownReport {
  const report = parseJson(text);
  const isReport = isObject(report) && report.tool === toolName && typeof report.target === 'string';
  if (!isReport || !Array.isArray(report.causes) || !Array.isArray(report.checks))
    throw new UsageError(`${file} is not a JSON report of this version: conformance --report json=FILE writes one.`);
  const senders = objects(report.checks).filter(({ id }) => !String(id).startsWith('rule/'));
  const causes = objects(report.causes).map(({ title, checks, exchanges, confidence }, index) => {
    const own = textsIn(checks);
    const shown = new Set(textsIn(exchanges));
    const isSometimes = confidence === 'intermittent';
    const sent = senders.filter((check) => textsIn(check.exchanges).some((id) => shown.has(id)));
    // Rules and checks of the whole run send no requests.
    const needsSenders = isSometimes || !sent.some(({ id }) => own.includes(String(id)));
    const only = [...own, ...(needsSenders ? sent.map(({ id }) => String(id)) : [])];
    const reads = objects(report.exchanges).filter(({ id }) => shown.has(String(id)));
    const sometimes = isSometimes ? mostFrequent(reads) : null;
    return { number: index + 1, title: String(title), checks: own, only, sometimes };
  });
  const seed = isObject(report.plan) ? report.plan.seed : 0;
  return { target: report.target as string, seed: String(seed), causes, isMcp: isOfMcp(report) };
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

function endOf(report: Report, causes: readonly KnownCause[], out: (text: string) => void): ExitCode {
  if (report.abort !== null) {
    out(`${visible(report.abort.sentence)}\n`);
    return report.abort.exitCode;
  }
  const rows = causes.map((cause) => ({ ...cause, ...stateOf(cause, report) }));
  for (const { state, number, title, why } of rows)
    out(
      `${state.padEnd(13)}  ${number}  ${state === 'FIXED' ? 'was: ' : ''}${clip(visible(title), titleCharactersMax)}${why}\n`,
    );
  const [fixed, failing] = ['FIXED', 'STILL FAILING'].map((name) => rows.filter(({ state }) => state === name).length);
  out(`\n${fixed} of ${count(rows.length, 'cause')} fixed.\n`);
  return failing !== 0 ? 1 : fixed === rows.length ? 0 : 3;
}

/** Fixed only where each check of the cause has a result and none fails, or where a list stays the same. */
function stateOf({ checks, sometimes }: KnownCause, report: Report): { state: string; why: string } {
  const own = report.checks.filter(({ id }) => checks.includes(id));
  const reads = report.exchanges.filter(({ target, key }) => target === sometimes?.target && key === 'good');
  const isList = sometimes?.statuses.every((status) => status === 200) === true;
  const isShown = isList
    ? report.unsteady?.includes(sometimes.target)
    : reads.some(({ status }) => sometimes?.statuses.includes(status));
  if (isShown || own.some(({ result }) => result.kind === 'fail')) return { state: 'STILL FAILING', why: '' };
  const open = own.find(({ result }) => !hasConcluded(result.kind));
  const isSteady = isList && reads.filter(({ status }) => status === 200).length >= readsOfEach;
  if (isSteady || (open === undefined && own.length === checks.length)) return { state: 'FIXED', why: '' };
  return {
    state: 'UNKNOWN',
    why: ` (${open === undefined ? 'not run' : `${open.id}: ${visible(open.result.message ?? '')}`})`,
  };
}
