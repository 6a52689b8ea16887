// Where reports go: files, or `-` for standard output.
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { whyUnwritable } from '../../src/terminal/file-trouble.ts';
import { type FileKind, rejectUnwritable, writeOwn } from '../../src/terminal/own-file.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { type Outcome, type ReportKind, reportKinds } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { reporters } from '../reporters/index.ts';

/** `file` is `-` for standard output. */
export interface Output {
  readonly kind: ReportKind;
  readonly file: string;
}

/** Reads `KIND=FILE` and opens the file before the run, to report problems before the user waits. */
export function openOutputs(texts: readonly string[], summaryFile: string | undefined): Output[] {
  const outputs = texts.map(readOutput);
  const twice = outputs.find(({ file }, index) => outputs.findIndex((other) => other.file === file) !== index);
  if (twice) throw new UsageError(`--report: two reports cannot both go to ${twice.file}.`);
  for (const { kind, file } of outputs) {
    if (file !== '-' && !isSummary(file, summaryFile)) rejectUnwritable('report', file, fileKindOf(kind));
  }
  return outputs;
}

/** The kind may be misspelt, the file may hold an equals sign. */
function readOutput(text: string): Output {
  const [, kind = text, file] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const known = reportKinds.find((name) => name === kind);
  if (known === undefined) {
    const hint = didYouMean(kind, reportKinds, (name) => name);
    throw new UsageError(`--report: there is no report of kind "${kind}", only ${reportKinds.join(', ')}.${hint}`);
  }
  if (!file) throw new UsageError(`--report ${kind} needs a file: --report ${kind}=FILE`);
  return { kind: known, file };
}

interface Destinations {
  readonly outputs: readonly Output[];
  out(text: string): void;
  /** Where GITHUB_STEP_SUMMARY points. */
  readonly summaryFile: string | undefined;
}

/** For programs: the others name these files with their digests. */
const isData = ({ kind, file }: Output) => (kind === 'json' || kind === 'har') && file !== '-';

/** One sentence for each report that could not be written. */
export function writeReports(report: Report, outcome: Outcome, { outputs, out, summaryFile }: Destinations): string[] {
  const files: NonNullable<Outcome['files']>[number][] = [];
  const inOrder = [...outputs.filter(isData), ...outputs.filter((output) => !isData(output))];
  return inOrder.flatMap((output) => {
    const { kind, file } = output;
    try {
      const text = reporters.find((reporter) => reporter.kind === kind)?.render(report, { ...outcome, files }) ?? '';
      if (file === '-') out(text);
      else if (isSummary(file, summaryFile)) appendFileSync(file, text);
      else {
        const problems = writeText(file, text, fileKindOf(kind));
        const isKept = isData(output) && problems.length === 0;
        if (isKept) files.push({ kind, name: basename(file), sha256: sha256Of(text) });
        return problems;
      }
      return [];
    } catch (error) {
      return [problemWith(`${kind} report`, file, error)];
    }
  });
}

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

/** A job of several steps has one summary, and each step adds to it. */
function isSummary(file: string, summaryFile: string | undefined): boolean {
  return summaryFile !== undefined && resolve(file) === resolve(summaryFile);
}

/** Findings quote values of the deployment, so a report is for its owner alone. */
export function fileKindOf(kind: ReportKind): FileKind {
  const { start } = reporters.find((reporter) => reporter.kind === kind) as (typeof reporters)[number];
  return { name: `${kind} report of this command`, start, isPrivate: true };
}

/** Never throws: the other reports are still to be written. */
export function writeText(file: string, text: string, kind: FileKind): string[] {
  try {
    writeOwn(file, text, kind);
    return [];
  } catch (error) {
    return [problemWith(kind.name, file, error)];
  }
}

/** One sentence for the last line of the run. */
export function problemWith(what: string, file: string, error: unknown): string {
  return `The ${what} was not written: ${file} ${whyUnwritable(error)}.`;
}
