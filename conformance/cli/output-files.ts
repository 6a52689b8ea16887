// Where reports go: files, or `-` for standard output.
import { accessSync, appendFileSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { whyUnwritable } from '../../src/terminal/file-trouble.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Outcome } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { type ReportKind, reportKinds } from '../report/reporter.ts';
import { reporters } from '../reporters/index.ts';

/** `file` is `-` for standard output. */
export interface Output {
  readonly kind: ReportKind;
  readonly file: string;
}

/**
 * Reads `KIND=FILE` and makes sure that the file can be written: otherwise a person would wait for a run and get no
 * report.
 */
export function openOutputs(texts: readonly string[]): Output[] {
  const outputs = texts.map(readOutput);
  const twice = outputs.find(({ file }, index) => outputs.findIndex((other) => other.file === file) !== index);
  if (twice) throw new UsageError(`--report: two reports cannot both go to ${twice.file}.`);
  for (const { file } of outputs) if (file !== '-') refuseUnwritable('report', file);
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

/** Makes the folder and tries the permission. The disk may still fill up later; that is told at the end. */
export function refuseUnwritable(flag: string, file: string): void {
  try {
    const folder = dirname(resolve(file));
    mkdirSync(folder, { recursive: true });
    if (existsSync(file) && statSync(file).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(existsSync(file) ? file : folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(`--${flag}: ${file} ${whyUnwritable(error)}.`);
  }
}

/** Where the texts of a finished run go. */
interface Places {
  readonly outputs: readonly Output[];
  out(text: string): void;
  /** Where GITHUB_STEP_SUMMARY points. */
  readonly summaryFile: string | undefined;
}

/** One sentence for each report that could not be written. */
export function writeReports(report: Report, outcome: Outcome, { outputs, out, summaryFile }: Places): string[] {
  return outputs.flatMap(({ kind, file }) => {
    try {
      const text = reporters.find((reporter) => reporter.kind === kind)?.render(report, outcome) ?? '';
      if (file === '-') out(text);
      // A job of several steps has one summary, and each step adds to it.
      else if (summaryFile !== undefined && resolve(file) === resolve(summaryFile)) appendFileSync(file, text);
      else return writeText(`${kind} report`, file, text);
      return [];
    } catch (error) {
      return [problemWith(`${kind} report`, file, error)];
    }
  });
}

/** Never throws: the other reports are still to be written. */
export function writeText(what: string, file: string, text: string): string[] {
  try {
    writeFileSync(file, text);
    return [];
  } catch (error) {
    return [problemWith(what, file, error)];
  }
}

/** One sentence for the last line of the run. */
export function problemWith(what: string, file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `The ${what} could not be written to ${file} (${code ?? message}).`;
}
