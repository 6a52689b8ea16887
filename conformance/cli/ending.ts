// The end of a run: output files and exit code. All problems with them are reported before the first request.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { readNamed } from '../../src/terminal/file-trouble.ts';
import { type FileKind, profileFile, rejectUnwritable } from '../../src/terminal/own-file.ts';
import { coloured, plain } from '../../src/terminal/paint.ts';
import { visible } from '../../src/terminal/visible.ts';
import { checks } from '../checks/index.ts';
import { rules } from '../checks/rules/index.ts';
import { systemClock } from '../driver/pace/clock.ts';
import { applyClaims, parseClaims, writeClaims } from '../report/claims.ts';
import { type Cover, parseCover } from '../report/cover.ts';
import { knownChecks, recordOf, trendOf } from '../report/history.ts';
import { conclude, type ExitRules, type Outcome } from '../report/outcome.ts';
import { withRedactedBodies } from '../report/redact.ts';
import type { ExitCode, Report } from '../report/report.ts';
import { renderAnnotations } from '../reporters/annotations.ts';
import { renderTerminal } from '../reporters/terminal.ts';
import { profileText } from './calibrating.ts';
import type { ParsedFlags } from './flags.ts';
import { historyTarget, keepRecord, openHistory, readHistory } from './history-folder.ts';
import type { CommandIo } from './io.ts';
import { type Env, exitRules } from './options.ts';
import { openOutputs, problemWith, writeReports, writeText } from './output-files.ts';

const ids = [...checks, ...rules].map(({ id }) => id);

const claimsFile: FileKind = {
  name: 'claims file',
  start:
    /^\s*(\[\s*(\]|\{\s*"check")|\{\s*"(\$schema": "urn:casa-kit:claims|capabilities|behaviors|knownFailures|expected)")/,
};

/** Throws a UsageError; what it gives back never throws. */
export function prepareEnd(flags: ParsedFlags, environment: Env, io: CommandIo): (report: Report) => Promise<ExitCode> {
  const outputs = openOutputs(flags.report ?? [], environment.GITHUB_STEP_SUMMARY);
  const exits = exitRules(flags);
  const cover = readCover(flags['report-note']);
  // Read before the run: a mistake in the file must not cost a run.
  const given =
    flags.claims === undefined ? null : parseClaims(readNamed(`--claims: ${flags.claims}`, flags.claims), ids);
  const newClaims = flags['write-claims'];
  if (newClaims !== undefined) rejectUnwritable('write-claims', newClaims, claimsFile);
  const { history } = flags;
  if (history !== undefined) openHistory(history);
  const { profile } = flags;
  if (profile !== undefined) rejectUnwritable('profile', profile, profileFile);
  // A report on standard output has it for itself.
  const say = outputs.some(({ file }) => file === '-') ? (text: string) => io.err.write(text) : io.out;
  return async (report) => {
    const claims = applyClaims(given, report, systemClock().now());
    const { outcome: concluded, kept } = conclusionOf(
      report,
      { ...exits, claims },
      { folder: history, target: historyTarget(flags, report.target) },
    );
    const file = startedBy(environment, [io.configFile, flags.claims, 'package.json', 'README.md']);
    const placed = { ...concluded, cover, ...(file === undefined ? {} : { askedBy: file }) };
    const places = { outputs, out: io.out, summaryFile: environment.GITHUB_STEP_SUMMARY };
    const problems = [
      ...kept,
      ...writeReports(report, placed, places),
      ...(newClaims === undefined ? [] : writeText(newClaims, writeClaims(report, given), claimsFile)),
      ...(profile === undefined || report.abort !== null ? [] : writeText(profile, profileText(report), profileFile)),
    ];
    for (const problem of problems) io.err.write(`${visible(problem)}\n`);
    const outcome = withProblems(concluded, problems);
    const shown = withRedactedBodies(report);
    if (environment.GITHUB_ACTIONS === 'true') say(renderAnnotations(shown, outcome));
    say(renderTerminal(shown, outcome, { paint: io.hasColor ? coloured : plain, columns: io.columns ?? null }));
    return outcome.exitCode;
  };
}

type Rules = ExitRules & { readonly isOnlyNew: boolean };

/** The outcome, with the runs before it where there is a history; the line of this run is kept at once. */
function conclusionOf(
  report: Report,
  given: Rules,
  { folder, target }: { readonly folder: string | undefined; readonly target: string },
): { outcome: Outcome; kept: string[] } {
  const { isOnlyNew, ...exits } = given;
  const plainly = conclude(report, exits);
  if (folder === undefined) return { outcome: plainly, kept: [] };
  try {
    const { records } = readHistory(folder, target);
    const trend = trendOf(records, { ...recordOf(report, plainly.exitCode, records), target });
    const known = isOnlyNew ? knownChecks(report, trend) : [];
    const outcome = isOnlyNew ? conclude(report, { ...exits, known }) : plainly;
    const updated = { ...trend, current: { ...trend.current, exitCode: outcome.exitCode } };
    keepRecord(folder, updated.current);
    return { outcome: { ...outcome, trend: updated }, kept: [] };
  } catch (error) {
    return { outcome: plainly, kept: [problemWith('history', folder, error)] };
  }
}

/** A missing report outranks everything except a failure; the last line agrees with the exit code. */
function withProblems(outcome: Outcome, [problem]: readonly string[]): Outcome {
  if (problem === undefined || outcome.exitCode === 1) return outcome;
  return { ...outcome, exitCode: 4, sentence: problem };
}

const coverBytesMax = 65_536;

/** A config file holds the facts themselves, which arrive as JSON. */
function readCover(given: string | undefined): Cover {
  if (given === undefined) return {};
  const text = given.startsWith('{') ? given : readNamed(`--report-note: ${given}`, given, coverBytesMax);
  return parseCover(text, '--report-note');
}

// The file of the user's repository that started a run: code scanning shows its alerts there.

/** The current workflow, or the first of these files in the repository; undefined without either. */
export function startedBy(environment: Env, files: readonly (string | undefined)[]): string | undefined {
  return workflowOf(environment) ?? files.map(withinRepository).find((file) => file !== undefined);
}

/** From `acme/shop/.github/workflows/judge.yml@refs/heads/main`; ignores files of other repositories. */
function workflowOf({ GITHUB_WORKFLOW_REF: ref, GITHUB_REPOSITORY: repository }: Env): string | undefined {
  const [, file] = /^[^/]+\/[^/]+\/(.+?)@/.exec(ref ?? '') ?? [];
  return repository !== undefined && ref?.startsWith(`${repository}/`) ? file : undefined;
}

/** With slashes, as an address has them. */
function withinRepository(file: string | undefined): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const folder = realpathSync('.');
  const path = relative(rootOf(folder) ?? folder, realpathSync(file));
  return path === '' || path.startsWith('..') || /^([a-z]:|[\\/])/i.test(path) ? undefined : path.split(sep).join('/');
}

/** The nearest folder with `.git`; null outside of a repository. */
function rootOf(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? null : rootOf(dirname(folder));
}
