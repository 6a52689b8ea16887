// Everything that the evidence page shows, as data: the contract as the manifest, what there is for each clause, and
// the results of the proofs that were run.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { contractVersion } from '../../conformance/report/report.ts';
import { whyUnprovable } from '../../conformance/report/unprovable.ts';
import { find } from '../../spec/where/find.ts';
import { type Houses, readHouses } from '../../spec/where/houses.ts';
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { type Grade, gradeOf } from '../kill/kill.ts';
import { keyOf } from '../kill/kill-gate.ts';
import { unbroken } from '../kill/unbroken.ts';
import { excuses } from '../kill/unkillable.ts';
import { allMutants } from '../rigs/targets.ts';
import { commitNow, type Kept, type ProofName, readProof } from './proofs.ts';

/** A place in the repository that has to do with a clause. */
export interface Trace {
  readonly kind: string;
  readonly path: string;
  readonly line: number;
  readonly name?: string;
}

/** A mutant of a clause; `grade` is null where it was not judged. */
export interface MutantTrace {
  readonly name: string;
  readonly of: 'mock' | 'independent';
  readonly shows: string;
  readonly grade: Grade | null;
  readonly excuse: string | null;
}

/** One sentence of the contract, with everything that leads from it. */
export interface ClauseEvidence {
  readonly id: ClauseId;
  readonly section: string;
  readonly standing: string;
  readonly fact: string;
  /** Why no answer of a server could break it; null where one could. */
  readonly unprovable: string | null;
  /** Why no mutant breaks it, where none does and one could be asked for. */
  readonly unbroken: string | null;
  readonly judges: readonly string[];
  readonly mutants: readonly MutantTrace[];
  readonly traces: readonly Trace[];
}

/** A run against a server without a fault. */
export interface SilentRun {
  readonly server: string;
  readonly from: string;
  readonly alarms: number;
}

/** A run of the test runner. */
export interface TestRun {
  readonly command: string;
  readonly at: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly files: number;
  /** All files that the command would run. */
  readonly filesThere: number;
  readonly silent: readonly SilentRun[];
}

/** The whole page. */
export interface Evidence {
  readonly version: string;
  readonly contractVersion: string;
  readonly madeAt: string;
  readonly commit: string | null;
  readonly clauses: readonly ClauseEvidence[];
  /** All mutants there are, judged or not. */
  readonly mutants: number;
  readonly proofs: { readonly [Name in ProofName]: Kept<Name> | null };
  readonly tests: readonly (TestRun | { readonly command: string; readonly at: null })[];
}

/** Where results lie. */
export interface Folders {
  readonly proofs: string;
  /** Holds what the test runner wrote. */
  readonly tests: string;
}

/** The clauses with their traces, before any mutant was judged. It reads the whole repository. */
export async function traceClauses(): Promise<ClauseEvidence[]> {
  const houses = await readHouses();
  return (Object.keys(clauses) as ClauseId[]).map((id) => traceClause(id, houses));
}

export function gatherEvidence({ proofs: folder, tests }: Folders, traced: readonly ClauseEvidence[]): Evidence {
  const kill = readProof(folder, 'kill');
  const grades = gradesIn(kill);
  return {
    version: readVersion(),
    contractVersion,
    madeAt: new Date().toISOString(),
    commit: commitNow(),
    clauses: traced.map((clause) => ({ ...clause, mutants: clause.mutants.map((one) => graded(one, grades)) })),
    mutants: allMutants().length,
    proofs: {
      kill,
      identify: readProof(folder, 'identify'),
      oracles: readProof(folder, 'oracles'),
      mcp: readProof(folder, 'mcp'),
      runtimes: readProof(folder, 'runtimes'),
      bench: readProof(folder, 'bench'),
    },
    tests: [
      testRun('npm test', `${tests}/test.json`, ['{spec,src,conformance,proof}/**/*.test.ts'], /\.(deep|browser)\./),
      testRun('npm run test:deep', `${tests}/test-deep.json`, ['{spec,src,conformance,proof}/**/*.deep.test.ts']),
      testRun('npm run test:browser', `${tests}/test-browser.json`, [
        '{src,conformance,proof,examples}/**/*.browser.test.ts',
      ]),
    ],
  };
}

function gradesIn(kill: Kept<'kill'> | null): Map<string, Grade> {
  return new Map(kill?.result.kills.map((each) => [keyOf(each.mutant), gradeOf(each)]) ?? []);
}

function keyFor({ of, name }: Pick<MutantTrace, 'of' | 'name'>): string {
  return keyOf({ of, name } as Parameters<typeof keyOf>[0]);
}

function graded(mutant: MutantTrace, grades: ReadonlyMap<string, Grade>): MutantTrace {
  return { ...mutant, grade: grades.get(keyFor(mutant)) ?? null };
}

function traceClause(id: ClauseId, houses: Houses): ClauseEvidence {
  const { standing } = clauses[id];
  const { text, found } = find(id, houses);
  const entries = houses.entries.filter(({ about }) => about.includes(id));
  const own = entries.filter(({ kind }) => kind.startsWith('mutant'));
  return {
    id,
    section: id.split('.')[0] ?? '',
    standing,
    fact: text,
    unprovable: whyUnprovable(id),
    unbroken: own.length === 0 ? (unbroken[id] ?? null) : null,
    judges: entries.filter(({ kind }) => kind === 'check' || kind === 'rule').map(({ name }) => name),
    mutants: own.map(({ kind, name, text: shows }) => {
      const of = kind === 'mutant' ? ('mock' as const) : ('independent' as const);
      const key = keyFor({ of, name });
      const excuse = excuses.unkillable[key] ?? excuses.otherReason[key] ?? null;
      return { name, of, shows, grade: null, excuse };
    }),
    traces: found
      .filter(({ kind }) => !kind.startsWith('mutant'))
      .map(({ kind, path, line, name }) => ({ kind, path, line, ...(name === undefined ? {} : { name }) })),
  };
}

/** As the JSON reporter of vitest writes it. */
interface Written {
  readonly startTime: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function testRun(command: string, file: string, there: string[], except = /^$/): Evidence['tests'][number] {
  if (!existsSync(file)) return { command, at: null };
  const run: Written = JSON.parse(readFileSync(file, 'utf8'));
  return {
    command,
    at: new Date(run.startTime).toISOString(),
    passed: run.numPassedTests,
    failed: run.numFailedTests,
    skipped: run.numPendingTests,
    files: run.testResults.length,
    filesThere: globSync(there).filter((path) => !except.test(path)).length,
    silent: run.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ fullName, status }) => /raises? no alarm/.test(fullName) && status !== 'pending')
        .map(({ fullName, status }) => ({
          server: fullName,
          from: relative(process.cwd(), name),
          alarms: status === 'passed' ? 0 : 1,
        })),
    ),
  };
}
