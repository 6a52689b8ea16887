// The programmatic entry: a run, the same run as tests, and the types of what goes in and comes out.
export { newRunId, runConformance } from './audit.ts';
export type {
  Capability,
  Check,
  CheckResult,
  Cost,
  Finding,
  Level,
  Phase,
  Severity,
  Verdict,
  VerdictKind,
} from './check.ts';
export type { KitClock } from './clock.ts';
export type { ClauseCoverage } from './coverage.ts';
export type { Reporter, RunEvent } from './events.ts';
export type { Exchange, KeyName, Problem } from './exchange.ts';
export type { RunOptions, WriteKind } from './options.ts';
export { conclude, type ExitRules, exitCodeOf, type Outcome } from './outcome.ts';
export type { PaceSettings } from './pacer.ts';
export type { Probe } from './probe.ts';
export type { ExitCode, Report } from './report.ts';
export { reporters } from './reporters/index.ts';
export { conformanceSuite, type RegisterGroup, type RegisterTest, type SuiteOptions } from './suite.ts';
