// The programmatic entry: a run, the same run as tests, and the types of what goes in and comes out.

export type { ConformanceConfig } from './cli/config.ts';
export { newRunId, runConformance } from './driver/audit.ts';
export { type DiffEvent, type DiffOptions, diff, type Side } from './driver/diff/diff.ts';
export type { RunEvent, RunOptions } from './driver/options.ts';
export type { KitClock } from './driver/pace/clock.ts';
export type { Exchange, KeyName, Problem } from './exchange/exchange.ts';
export type { History } from './exchange/history.ts';
export type { PaceSettings } from './exchange/lanes.ts';
export type { Judged as Check } from './judge/judge.ts';
export type { CheckResult, Finding, Level, Result, ResultKind, Severity } from './judge/result.ts';
export type { ClauseCoverage } from './report/coverage.ts';
export { concludeDiff, type Difference, type DiffRules, type Dimension } from './report/difference.ts';
export type { Reporter } from './report/outcome.ts';
export { conclude, type ExitRules, exitCodeOf, type Outcome } from './report/outcome.ts';
export type { ExitCode, Report } from './report/report.ts';
export { reporters } from './reporters/index.ts';
export type { Capability, WriteKind } from './scenarios/capabilities.ts';
export type { Scenario } from './scenarios/scenario.ts';
export { conformanceSuite, type RegisterGroup, type RegisterTest, type SuiteOptions } from './suite.ts';
