// Mutants by checks: every mutant against the whole suite, and the quality of the checks. Servers without a fault
// are checked next to them, and nothing may fail there.

import { checks } from '../../conformance/checks/index.ts';
import { rules } from '../../conformance/checks/rules/index.ts';
import type { Level } from '../../conformance/judge/result.ts';
import {
  failuresOf,
  remarksOn,
  runSuite,
  startIndependentTarget,
  startMockTarget,
  type Target,
} from '../../fixtures/test-kit/targets.ts';
import { namedVariants } from '../independent/index.ts';
import type { Kill } from './kill.ts';

export interface CheckRow {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly cites: readonly string[];
}

export interface CleanRun {
  readonly name: string;
  /** False failures, warnings and notes. */
  readonly failures: readonly string[];
}

export interface Matrix {
  readonly kills: readonly Kill[];
  /** Checks in the order of a run, then rules. */
  readonly checks: readonly CheckRow[];
  readonly clean: readonly CleanRun[];
  readonly seconds: number;
}

/** Rules are rows too: they detect mutants like checks. */
export const checkRows: readonly CheckRow[] = [
  ...checks.map(({ id, title, level = 'must', clauses: cites }) => ({ id, title, level, cites })),
  ...rules.map(({ id, title, level, cites }) => ({ id, title, level, cites })),
];

/** The servers without a fault. More of them, in more worlds and with more seeds, are in silence.deep.test.ts. */
const cleanServers: readonly (readonly [name: string, start: () => Promise<Target>])[] = [
  ['the mock', () => startMockTarget()],
  ...[1, 2, 3].map((grease) => [`the mock, greased with seed ${grease}`, () => startMockTarget({ grease })] as const),
  ...Object.keys(namedVariants).map(
    (variant) => [`the second implementation, ${variant}`, () => startIndependentTarget({ variant })] as const,
  ),
];

/** Some of the servers, each in turn. */
export async function runCleanServers(from: number, end?: number): Promise<CleanRun[]> {
  const runs: CleanRun[] = [];
  for (const [name, start] of cleanServers.slice(from, end)) {
    const report = await runSuite(await start());
    runs.push({ name, failures: [...failuresOf(report), ...remarksOn(report, name)] });
  }
  return runs;
}
