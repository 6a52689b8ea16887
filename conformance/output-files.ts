// Where reports go: files, or `-` for standard output.
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nearest } from './nearest.ts';
import type { Outcome } from './outcome.ts';
import type { Report } from './report.ts';
import { reporters } from './reporters/index.ts';
import { UsageError } from './usage-error.ts';

export interface Output {
  readonly kind: string;
  readonly file: string;
}

const kinds = reporters.map(({ kind }) => kind);

/** Reads `KIND=FILE` and makes sure that the folder can be written to: nobody shall wait for a run and get no report. */
export function openOutputs(texts: readonly string[]): Output[] {
  const outputs = texts.map(readOutput);
  const twice = outputs.find(({ file }, index) => outputs.findIndex((other) => other.file === file) !== index);
  if (twice) throw new UsageError(`--report: two reports cannot both go to ${twice.file}.`);
  for (const { file } of outputs) if (file !== '-') openFolder(dirname(resolve(file)), file);
  return outputs;
}

function readOutput(text: string): Output {
  const [, kind = text, file] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!kinds.includes(kind)) {
    const near = nearest(kind, kinds);
    const hint = near === null ? '' : ` Did you mean ${near}?`;
    throw new UsageError(`--report: there is no report of kind "${kind}", only ${kinds.join(', ')}.${hint}`);
  }
  if (file === undefined) throw new UsageError(`--report ${kind} needs a file: --report ${kind}=FILE`);
  return { kind, file };
}

function openFolder(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--report: ${file} cannot be written (${code}).`);
  }
}

/** One sentence for each report that could not be written. */
export function writeReports(
  report: Report,
  outcome: Outcome,
  { outputs, out }: { readonly outputs: readonly Output[]; out(text: string): void },
): string[] {
  return outputs.flatMap(({ kind, file }) => {
    try {
      const text = reporters.find((reporter) => reporter.kind === kind)?.render(report, outcome) ?? '';
      if (file === '-') out(text);
      else writeFileSync(file, text);
      return [];
    } catch (error) {
      return [`The ${kind} report could not be written to ${file}: ${(error as Error).message}`];
    }
  });
}
