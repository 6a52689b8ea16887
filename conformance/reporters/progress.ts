// The progress of a run: one line that is updated on a terminal, and one line for each phase in a log.

import { count } from '../../src/terminal/count.ts';
import type { Paint } from '../../src/terminal/paint.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { CheckResult } from '../judge/result.ts';
import { type Plan, type PlanLine, rangeText, requestsInAll, type Step } from '../plan/plan.ts';
import type { Phase } from '../probe/check.ts';
import type { Opener } from '../report/coverage.ts';
import type { RunEvent } from '../run/options.ts';
import { align, styleOf } from './terminal.ts';

/** A terminal, or something that keeps every line; `columns` bounds the line that is updated. */
export interface ProgressOutput {
  readonly isTty: boolean;
  readonly columns: number;
  write(text: string): void;
}

const barWidth = 20;
const barWidthNarrow = 8;
const narrowColumns = 100;
const longWaitMs = 3000;
/** A log keeps every line, so it gets only waits that would look like a hanging run. */
const longWaitInLogMs = 30_000;

const phaseNames: Readonly<Record<Phase, string>> = {
  discover: 'Discovery',
  read: 'Reads',
  rejections: 'Rejections',
  log: 'Call log',
  writes: 'Writes',
  bursts: 'Rate limits',
  'after bursts': 'Last reads',
};

/**
 * Returns a listener for the events of one run. It prints a line for each check that fails or warns. `reads` is the
 * maximum number of reads of a calibration.
 */
export function showProgress(output: ProgressOutput, paint: Paint, reads = 0): (event: RunEvent) => void {
  let steps: readonly Step[] = [];
  let plan: Plan | undefined;
  // A run comes back to phases when requests are left; a log shows each once.
  const [ended, shown] = [new Set<string>(), new Set<string>()];
  const meter = effortMeter();
  let at = { index: 0, id: '', phase: '' };
  let line = '';
  const draw = (text: string) => {
    if (!output.isTty) return;
    line = [...text].slice(0, Math.max(0, output.columns - 1)).join('');
    output.write(`\r\u001b[2K${line}`);
  };
  const print = (text: string) => output.write(line === '' ? `${text}\n` : `\r\u001b[2K${text}\n${line}`);
  const progress = () => `${at.phase}: ${meter.text(plan, output.isTty ? secondsLeft(steps, ended) : null)}`;
  const drawBar = (doing: string) => {
    const width = output.columns < narrowColumns ? barWidthNarrow : barWidth;
    const filled = Math.round((width * (at.index - 1)) / Math.max(1, steps.length));
    draw(`${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${progress()}, ${doing}`);
  };

  return (event) => {
    switch (event.kind) {
      case 'plan':
        steps = event.steps;
        plan = event.plan;
        output.write(`Testing ${visible(event.target)}\n\n${planText(event.plan, reads)}\n`);
        return;
      case 'exchange':
        meter.add(event.exchange);
        if (at.id !== '') drawBar(at.id);
        return;
      case 'check-start': {
        // Skipped checks are in the summary.
        if (!steps.some(({ check }) => check === event.check.id)) return;
        const isRead = event.check.phase === 'writes' && plan?.writes === 0;
        const phase = isRead ? 'Repeated reads' : phaseNames[event.check.phase];
        at = { index: at.index + 1, id: event.check.id, phase };
        if (output.isTty) drawBar(at.id);
        else if (!shown.has(phase)) print(paint('dim', progress()));
        shown.add(phase);
        return;
      }
      case 'check-end':
        ended.add(event.result.id);
        if (isTrouble(event.result)) print(describe(event.result, paint));
        return;
      case 'waiting':
        if (output.isTty && event.ms >= longWaitMs) drawBar(waitText(event));
        else if (!output.isTty && event.ms >= longWaitInLogMs) print(paint('dim', waitText(event)));
        return;
      case 'announce':
        print(paint('bold', visible(event.text)));
        return;
      case 'done':
        draw('');
        line = '';
        output.write('\n');
        return;
      default:
        return;
    }
  };
}

/** Counts requests, and the time from the first request to the newest response. */
function effortMeter() {
  let [sent, firstMs, lastMs] = [0, 0, 0];
  return {
    add({ sentAt, receivedAt }: Exchange) {
      if (sent === 0) firstMs = sentAt;
      sent += 1;
      lastMs = receivedAt;
    },
    /** With the time left on a terminal. A log has the elapsed time, which stays true. */
    text(plan: Plan | undefined, leftS: number | null): string {
      const elapsedS = Math.round((lastMs - firstMs) / 1000);
      const requests = `${sent}/${Math.max(sent, plan?.requests.ceiling ?? 0)} requests`;
      if (leftS === null) return `${requests} after ${elapsedS} s`;
      return `${requests}, up to ${Math.max(1, Math.min((plan?.seconds.ceiling ?? 0) - elapsedS, leftS))} s left`;
    },
  };
}

const waitReasons: Readonly<Record<string, string>> = {
  'the limits': 'for the rate limit',
  interference: 'because a rate limit was reached',
  platform: 'before a retry after a platform error',
  unreachable: 'before a retry without a response',
};

function waitText({ ms, why }: Extract<RunEvent, { kind: 'waiting' }>): string {
  return `waiting ${Math.ceil(ms / 1000)} s ${waitReasons[why] ?? `for ${why}`}`;
}

/** At most: the sum of the times of the checks that have not ended. */
function secondsLeft(steps: readonly Step[], ended: ReadonlySet<string>): number {
  const left = steps.filter(({ check }) => !ended.has(check));
  return left.reduce((total, { seconds }) => total + seconds.ceiling, 0);
}

function isTrouble({ result: { kind } }: CheckResult): boolean {
  return kind === 'fail' || kind === 'error' || kind === 'warn';
}

const reasonCharactersMax = 300;

function describe(result: CheckResult, paint: Paint): string {
  const { kind, message = result.title } = result.result;
  const why = clip(visible(message), reasonCharactersMax);
  return `${paint(styleOf[kind], kind.padEnd(12))} ${result.id}  ${paint('dim', why)}`;
}

// The plan, before the first request and with --plan.

const lineNames: Readonly<Record<string, string>> = { audit: 'Default' };

/** A row for each part, and the total when there are several. A calibration adds `reads`. */
export function planText(plan: Plan, reads = 0): string {
  const all = { ...plan, name: 'total', leaves: [] };
  const lines = plan.lines.length > 1 ? [...plan.lines, all] : plan.lines;
  const hasWrites = plan.writes > 0;
  const head = ['', 'Checks', 'Requests', 'Seconds', ...(hasWrites ? ['Writes'] : [])];
  const table = align([head, ...lines.map((line) => rowOf(line, hasWrites))], (column) => column > 0);
  return [...table.map((row) => `  ${row}`), '', ...usually(plan, reads), ...onTop(plan, reads), ...worstCase(plan)]
    .map((line) => `${line}\n`)
    .join('');
}

function rowOf({ name, checks, requests, seconds, writes }: PlanLine, hasWrites: boolean): string[] {
  const shown = lineNames[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [shown, `${checks}`, rangeText(requests), rangeText(seconds), ...(hasWrites ? [`0-${writes}`] : [])];
}

/** The clauses that stay untested with any target, by the option that tests them. */
export function openersText(openers: readonly Opener[]): string {
  if (openers.length === 0) return '';
  const rows = openers.map(({ way, clauses }) => [way.replace(/^needs /, ''), count(clauses.length, 'clause')]);
  return `\n  To test more clauses:\n${align(rows)
    .map((row) => `    ${row}\n`)
    .join('')}`;
}

function usually({ expected }: Plan, reads: number): string[] {
  if (expected === undefined) return [];
  const { requests, seconds, defectsFound } = expected;
  const share =
    defectsFound === null
      ? []
      : [`  Such a run detects about ${Math.round(100 * defectsFound)} % of the known defects.`];
  const then = reads === 0 ? '' : `, then up to ${count(reads, 'request')} for unspecified behavior`;
  return [`  Usually ${count(requests, 'request')} in ${seconds === 0 ? 'less than 1' : seconds} s${then}.`, ...share];
}

/** The plan leaves these requests out, because a correct server causes none of them. */
function onTop(plan: Plan, reads: number): string[] {
  const { repeats, confirmations } = plan.onTop;
  const names = confirmations === 0 ? 'Retries' : 'Retries and confirmations';
  return [
    `  ${names} can add ${count(repeats + confirmations, 'request')}: at most ${count(requestsInAll(plan) + reads, 'request')} in total.`,
  ];
}

function worstCase({ lines, writes }: Plan): string[] {
  if (writes === 0) return [];
  const leaves = [...new Set(lines.flatMap((line) => line.leaves))];
  return [
    `  At most ${count(writes, 'write')}. No write is sent twice:`,
    ...leaves.map((sentence) => `    ${sentence}`),
  ];
}
