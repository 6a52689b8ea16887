// Cases for coding agents: the second implementation with one defect in its source, and a report of it in one of three
// formats. The score is the share of defects that an agent repairs from the report alone.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { conclude } from '../../conformance/index.ts';
import type { Report } from '../../conformance/report/report.ts';
import { markdown } from '../../conformance/reporters/markdown.ts';
import { checksWith, quoteFindings } from '../../conformance/reporters/quoted.ts';
import { failuresOf, runSuite, startIndependentTarget } from '../../fixtures/test-kit/targets.ts';

/** A mistake in one file of the second implementation. */
export interface Defect {
  readonly file: string;
  /** The violated clause. */
  readonly breaks: string;
  /** Text that occurs once in the file, and its replacement. */
  readonly edits: readonly (readonly [string, string])[];
}

export const defects: readonly Defect[] = parse(readFileSync(new URL('defects.yaml', import.meta.url), 'utf8'));

const origin = fileURLToPath(new URL('../independent', import.meta.url));

/** The files of the second implementation by name, without its test, with one defect. */
export function sourceWith({ file, edits }: Defect): Map<string, string> {
  const names = readdirSync(origin).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const files = new Map(names.map((name) => [name, readFileSync(join(origin, name), 'utf8')]));
  for (const [from, to] of edits) {
    const [before, after, ...more] = (files.get(file) ?? '').split(from);
    if (after === undefined || more.length > 0) throw new Error(`${file} must have this text once: ${from}`);
    files.set(file, `${before}${to}${after}`);
  }
  return files;
}

/** The report of today, each failed check with its findings as before causes, and bare titles. */
export const formats: Readonly<Record<string, (report: Report) => string>> = {
  causes: (report) => markdown.render(report, conclude(report)),
  checks: (report) => checksWith(report, 'fail').map(oldBlock(report)).join('\n\n'),
  titles: (report) => checksWith(report, 'fail').map(titleOf).join('\n'),
};

const titleOf = ({ id, title }: Report['checks'][number]) => `FAIL ${id} ${title}`;

const oldBlock = (report: Report) => (check: Report['checks'][number]) => {
  const grave = quoteFindings(check, report).filter(({ finding }) => finding.severity === 'fail');
  const lines = grave.flatMap(({ finding: { clause, pointer, expected, actual }, sentence, curl }) => [
    `  ${clause} ${sentence}`,
    `    expected ${expected}`,
    `    actual   ${actual} at ${pointer}`,
    ...(curl === null ? [] : [`    repeat   ${curl}`]),
  ]);
  return [titleOf(check), ...lines].join('\n');
};

const readme = `The service in source/ is wrong. A report of its failures is in report.md, and the contract is in contract.md.
Fix the source.
`;

/** The MCP endpoint doubles the time of a run, so it is tested where it has the defect. */
async function auditOf(source: string, { file }: Pick<Defect, 'file'>, variant: string): Promise<Report> {
  const { startIndependent } = await import(pathToFileURL(join(source, 'index.ts')).href);
  const { options, close } = await startIndependentTarget({ variant }, startIndependent);
  const { mcpUrl: _mcpUrl, ...rest } = options;
  const tested = file.startsWith('mcp') ? options : rest;
  return runSuite({ options: tested, close: () => close().catch(() => {}) });
}

const nameOf = (index: number) => String(index + 1).padStart(2, '0');

/** Writes a folder for each case and format. Returns the number of cases, without defects that show no failure. */
export async function prepare(folder: string, { contract, cases }: { contract: string; cases: number }) {
  if (existsSync(folder)) throw new Error(`${folder} exists. Name a folder that does not.`);
  let done = 0;
  for (const [index, defect] of defects.entries()) {
    if (done === cases) break;
    const folders = Object.keys(formats).map((format) => join(folder, format, nameOf(index)));
    for (const each of folders) {
      mkdirSync(join(each, 'source'), { recursive: true });
      writeFileSync(join(each, 'README.md'), readme);
      writeFileSync(join(each, 'package.json'), '{ "type": "module" }\n');
      cpSync(contract, join(each, 'contract.md'));
      for (const [name, text] of sourceWith(defect)) writeFileSync(join(each, 'source', name), text);
    }
    const report = await auditOf(join(folders[0] ?? '', 'source'), defect, 'plain');
    const isFound = checksWith(report, 'fail').length > 0;
    for (const [at, write] of Object.values(formats).entries()) {
      if (isFound) writeFileSync(join(folders[at] ?? '', 'report.md'), `${write(report)}\n`);
      else rmSync(folders[at] ?? '', { recursive: true });
    }
    if (isFound) done += 1;
    console.log(`${nameOf(index)} ${defect.file} ${defect.breaks}: ${checksWith(report, 'fail').length} checks failed`);
  }
  return done;
}

export interface Score {
  readonly format: string;
  readonly name: string;
  readonly isTouched: boolean;
  /** The suite and the server's own tests pass. */
  readonly isFixed: boolean;
  /** Changed files that have no defect. */
  readonly wrongFiles: readonly string[];
  readonly characters: number;
  /** The first failure that is left. */
  readonly left: string;
}

/** Legal behaviors with which the repaired server is tested. */
const variants = ['plain', 'strict', 'mixed'] as const;

export async function scoresIn(folder: string): Promise<Score[]> {
  const scores: Score[] = [];
  for (const format of Object.keys(formats))
    for (const name of readdirSync(join(folder, format)).sort())
      scores.push(await scoreOf(join(folder, format, name), { format, name }));
  return scores;
}

async function scoreOf(folder: string, { format, name }: Pick<Score, 'format' | 'name'>): Promise<Score> {
  const defect = defects[Number(name) - 1];
  if (defect === undefined)
    throw new Error(`${folder} does not count as a case: defects.yaml has ${defects.length} defects.`);
  const given = sourceWith(defect);
  const source = join(folder, 'source');
  const names = new Set([...given.keys(), ...readdirSync(source)]);
  const textOf = (file: string) =>
    readdirSync(source).includes(file) ? readFileSync(join(source, file), 'utf8') : null;
  const changed = [...names].filter((file) => textOf(file) !== (given.get(file) ?? null));
  const left = changed.length === 0 ? 'nothing was changed' : await firstFailure(source, defect);
  return {
    ...{ format, name, isTouched: changed.length > 0, isFixed: left === '', left },
    wrongFiles: changed.filter((file) => file !== defect.file),
    characters: readFileSync(join(folder, 'report.md'), 'utf8').length,
  };
}

async function firstFailure(source: string, defect: Defect): Promise<string> {
  try {
    for (const variant of variants) {
      const [failure] = failuresOf(await auditOf(source, defect, variant));
      if (failure !== undefined) return `${variant}: ${failure}`;
    }
  } catch (error) {
    return `the source does not run: ${(error as Error).message}`;
  }
  return ownTestsPass(source) ? '' : 'a test of the server fails';
}

/** The tests need the packages of this repository, so they run inside it. */
function ownTestsPass(source: string): boolean {
  const folder = fileURLToPath(new URL('../../.tmp/repair', import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true });
  cpSync(join(origin, 'independent.test.ts'), join(folder, 'independent.test.ts'));
  return spawnSync('npx', ['vitest', 'run', '--root', folder], { encoding: 'utf8' }).status === 0;
}
