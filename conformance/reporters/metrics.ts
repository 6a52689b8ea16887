// The figures of a run for Prometheus' textfile collector, in a form that OpenMetrics readers take as well. Gauges
// only: each file tells of one run. No figure is a share of another.
import { visible } from '../../src/terminal/visible.ts';
import { verdictKinds } from '../judge/verdict.ts';
import { type Outcome, reachOf } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';

/** One name with its rows. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly rows: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** `finishedMs` is of real time, whatever clock the run had. */
export function renderMetrics(report: Report, { exitCode, trend }: Outcome, finishedMs: number): string {
  const { visible: all, proven } = reachOf(report);
  const broken = report.coverage.filter(({ provable, verdict }) => provable && verdict === 'fail').length;
  const only = (value: number): Metric['rows'] => [[{}, value]];
  const metrics: readonly Metric[] = [
    { name: 'clauses_broken', help: 'Clauses that were seen broken.', rows: only(broken) },
    { name: 'clauses_proven', help: 'Clauses that were put to the test and held.', rows: only(proven) },
    { name: 'clauses_visible', help: 'Clauses that a server can show.', rows: only(all) },
    {
      name: 'checks',
      help: 'Checks and rules by verdict.',
      rows: verdictKinds.map((verdict) => [{ verdict }, report.summary[verdict]]),
    },
    ...(trend === undefined
      ? []
      : [{ name: 'failures_new', help: 'Failures that the run before had not.', rows: only(trend.fresh.length) }]),
    {
      name: 'exit_code',
      help: '0 nothing failed, 1 broken, 3 too little proven, 4 unreachable.',
      rows: only(exitCode),
    },
    { name: 'requests', help: 'Requests that the run sent.', rows: only(report.used.requests) },
    { name: 'duration_seconds', help: 'How long the run took.', rows: only(report.used.seconds) },
    { name: 'finished_timestamp_seconds', help: 'When the run ended.', rows: only(finishedMs / 1000) },
  ];
  return `${metrics.flatMap((metric) => linesOf(metric, report.target)).join('\n')}\n# EOF\n`;
}

function linesOf({ name, help, rows }: Metric, target: string): string[] {
  const full = `casa_conformance_${name}`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} gauge`,
    ...rows.map(([labels, value]) => `${full}{${labelsOf({ target, ...labels })}} ${value}`),
  ];
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const escaped = (text: string) => visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}
