// Runs the checks as tests of the caller's test runner: one shared run, one test for each check, and a readable
// assertion for each violated clause.

import { visible } from '../src/terminal/visible.ts';
import { checks as ownChecks } from './checks/index.ts';
import { rules } from './checks/rules/index.ts';
import { runConformance } from './driver/audit.ts';
import type { RunEvent, RunOptions } from './driver/options.ts';
import type { Keys } from './exchange/request.ts';
import { type CheckResult, type FailableKind, type Finding, isOfKind, isOpen } from './judge/result.ts';
import type { Abort, Report } from './report/report.ts';
import { quoteFindings, reasonOf } from './reporters/quoted.ts';
import { select } from './scenarios/plan/plan.ts';

/** Registers a test: the function of vitest, and others of its form. */
export type RegisterTest = (
  name: string,
  body: (...context: unknown[]) => Promise<void>,
  timeoutMs?: number,
) => unknown;
export type RegisterGroup = (name: string, body: () => void) => unknown;

type Later<T> = T | (() => T | Promise<T>);

/** The options of a run, and how it becomes tests. */
export interface SuiteOptions extends Omit<RunOptions, 'baseUrl' | 'keys' | 'runId' | 'onEvent'> {
  /** Includes the version segment. A function is called when the first test starts, after `beforeAll`. */
  readonly baseUrl: Later<string>;
  readonly keys: Later<Keys>;
  /** Name of the group of tests. */
  readonly name?: string;
  /** Results that fail a test next to `fail` and `error`, such as `['warn']`. */
  readonly failOn?: readonly FailableKind[];
  /** Patience of each test in milliseconds; the first waits for the run to begin. 600,000 when absent. */
  readonly testTimeoutMs?: number;
  /** `test` and `describe` of the runner; the globals when absent. */
  readonly test?: RegisterTest;
  readonly describe?: RegisterGroup;
}

const defaultTestTimeoutMs = 600_000;
const preflightTitle = 'the service responds and accepts the key';

/**
 * Registers one test for each check and rule. They share one run, which begins with the first test; an
 * inconclusive or unavailable check is skipped with its reason if the runner supports it.
 *
 * Throws when there is no `test` and `describe`, and a UsageError when a glob names no check.
 *
 * @example
 * import { describe, test } from 'vitest';
 * import { conformanceSuite } from 'casa-kit/conformance';
 *
 * conformanceSuite({ describe, test, baseUrl: process.env.BASE_URL, keys: { good: process.env.API_KEY } });
 */
export function conformanceSuite(options: SuiteOptions): void {
  const { test, describe } = runnerOf(options);
  const { testTimeoutMs = defaultTestTimeoutMs, failOn = [], name = 'conformance' } = options;
  const ids = idsOf(options);
  const run = startOnce(options);
  describe(name, () => {
    const preflight = async () => {
      const abort = await run().preflight();
      if (abort !== null) throw assertion(visible(abort.sentence), null);
    };
    test(preflightTitle, preflight, testTimeoutMs);
    for (const id of ids) {
      // Rest parameters: some runners take a named one for a callback that ends the test.
      const body = async (...context: unknown[]) => {
        const result = await run().resultOf(id);
        const kind = result?.result.kind;
        if (result === null || kind === undefined) return skip(context[0], 'the run ended before this check');
        const isFailed = kind === 'fail' || kind === 'error' || failOn.some((each) => isOfKind(result.result, each));
        if (isFailed) throw failureOf(result, await run().report);
        if (isOpen(kind)) skip(context[0], reasonOf(result));
      };
      test(id, body, testTimeoutMs);
    }
  });
}

/** Runners show the expected and the actual value of the first finding as a difference. */
function failureOf(result: CheckResult, report: Report): Error {
  const quoted = quoteFindings(result, report).filter(({ finding }) => finding.severity !== 'note');
  const lines = quoted.flatMap(({ finding, text, sentence, curl }) => [
    text,
    `  ${finding.clause}  "${sentence}"`,
    ...(curl === null ? [] : [`  ${curl}`]),
  ]);
  const head = quoted.length === 0 ? `${result.title}: ${reasonOf(result)}` : result.title;
  return assertion([head, ...lines].map(visible).join('\n'), quoted[0]?.finding ?? null);
}

/** Without a stack, which would point into the suite instead of the server. */
function assertion(message: string, difference: Pick<Finding, 'expected' | 'actual'> | null): Error {
  const error = new Error(message);
  error.name = 'AssertionError';
  error.stack = `AssertionError: ${message}`;
  if (difference === null) return error;
  return Object.assign(error, { expected: visible(difference.expected), actual: visible(difference.actual) });
}

function runnerOf(options: SuiteOptions): { test: RegisterTest; describe: RegisterGroup } {
  const globals = globalThis as { test?: RegisterTest; describe?: RegisterGroup };
  const test = options.test ?? globals.test;
  const describe = options.describe ?? globals.describe;
  if (test && describe) return { test, describe };
  throw new Error('conformanceSuite needs test and describe: pass the functions of your test runner.');
}

function idsOf({ checks = ownChecks, only = [], skip: left = [] }: SuiteOptions): string[] {
  const ids = [...checks, ...rules].map(({ id }) => id);
  const { isSelected } = select(ids, only, left);
  return ids.filter(isSelected);
}

interface Running {
  /** Why the run ended in the preflight; null if it continued. */
  preflight(): Promise<Abort | null>;
  readonly report: Promise<Report>;
  /** The result of a check right after it ends, or of a rule at the end of the run; null if it did not run. */
  resultOf(id: string): Promise<CheckResult | null>;
}

function startOnce(options: SuiteOptions): () => Running {
  let running: Running | null = null;
  return () => {
    running ??= start(options);
    return running;
  };
}

function start({ baseUrl, keys, ...options }: SuiteOptions): Running {
  const ended = new Map<string, CheckResult>();
  const listeners = new Map<string, (result: CheckResult) => void>();
  let settlePreflight: (abort: Abort | null) => void = () => undefined;
  const mcpEndpoint = new Promise<Abort | null>((resolve) => {
    settlePreflight = resolve;
  });
  const onEvent = (event: RunEvent) => {
    if (event.kind === 'preflight') settlePreflight(event.abort);
    if (event.kind !== 'check-end') return;
    ended.set(event.result.id, event.result);
    listeners.get(event.result.id)?.(event.result);
  };
  const begin = async () => {
    const [url, given] = [await arrived(baseUrl), await arrived(keys)];
    return runConformance({ ...options, baseUrl: url, keys: given, onEvent });
  };
  const report = begin();
  // Each test reports the rejection itself.
  report.catch(() => undefined);
  const atEnd = async (id: string) => (await report).checks.find((result) => result.id === id) ?? null;
  const asSoonAsEnded = (id: string) =>
    new Promise<CheckResult>((resolve) => {
      const result = ended.get(id);
      if (result) resolve(result);
      else listeners.set(id, resolve);
    });
  return {
    report,
    preflight: () => Promise.race([mcpEndpoint, report.then(({ abort }) => abort)]),
    resultOf: (id) => Promise.race([asSoonAsEnded(id), atEnd(id)]),
  };
}

async function arrived<T>(later: Later<T>): Promise<T> {
  return typeof later === 'function' ? (later as () => T | Promise<T>)() : later;
}

function skip(context: unknown, reason: string): void {
  const skipper = (context as { skip?: (note: string) => void } | undefined)?.skip;
  if (typeof skipper === 'function') skipper.call(context, visible(reason));
}
