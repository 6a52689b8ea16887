// Tells a person how far a run is: one line that is written over on a terminal, a line for each check elsewhere.

import { count } from '../../src/terminal/count.ts';
import type { Paint } from '../../src/terminal/paint.ts';
import { visible } from '../../src/terminal/visible.ts';
import type { CheckResult } from '../judge/result.ts';
import { type Plan, type PlanLine, type Range, requestsInAll, type Step } from '../plan/plan.ts';
import type { Opener } from '../report/coverage.ts';
import type { RunEvent } from '../run/options.ts';
import { reasonOf } from './quoted.ts';
import { align, styleOf } from './terminal.ts';

/** A terminal, or something that keeps every line; `columns` bounds the line that is written over. */
export interface ProgressOutput {
  readonly isTty: boolean;
  readonly columns: number;
  write(text: string): void;
}

const BAR_WIDTH = 20;
const BAR_WIDTH_NARROW = 8;
const NARROW_COLUMNS = 100;
const LONG_WAIT_MS = 3000;

/** State of one run in a closure: each event may redraw the bar or print a line above it. */
export function showProgress(output: ProgressOutput, paint: Paint): (event: RunEvent) => void {
  let steps: readonly Step[] = [];
  let secondsMax = 0;
  const ended = new Set<string>();
  let sent = 0;
  let at = { index: 0, id: '' };
  let line = '';
  const draw = (text: string) => {
    if (!output.isTty) return;
    line = [...text].slice(0, Math.max(0, output.columns - 1)).join('');
    output.write(`\r\u001b[2K${line}`);
  };
  const print = (text: string) => output.write(line === '' ? `${text}\n` : `\r\u001b[2K${text}\n${line}`);
  const drawBar = (doing: string) => {
    const width = output.columns < NARROW_COLUMNS ? BAR_WIDTH_NARROW : BAR_WIDTH;
    const filled = Math.round((width * (at.index - 1)) / Math.max(1, steps.length));
    const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
    draw(
      `${bar} ${at.index}/${steps.length} · ${sent} sent · up to ${Math.min(secondsMax, secondsLeft(steps, ended))} s left · ${doing}`,
    );
  };

  return (event) => {
    switch (event.kind) {
      case 'plan':
        steps = event.steps;
        secondsMax = event.plan.seconds.ceiling;
        output.write(`${visible(event.target)}\n${planText(event.plan)}`);
        return;
      case 'exchange':
        sent += 1;
        if (at.id !== '') drawBar(at.id);
        return;
      case 'check-start':
        // Only what runs is counted: what is left out stands in the summary, by what would open it.
        if (!steps.some(({ check }) => check === event.check.id)) return;
        at = { index: at.index + 1, id: event.check.id };
        drawBar(at.id);
        return;
      case 'check-end':
        ended.add(event.result.id);
        if (event.result.result.kind === 'skipped') return;
        if (!output.isTty || isTrouble(event.result)) print(describe(event.result, paint));
        return;
      case 'waiting':
        if (event.ms < LONG_WAIT_MS) return;
        if (output.isTty) drawBar(waitText(event));
        else print(paint('dim', waitText(event)));
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

const waitReasons: Readonly<Record<string, string>> = {
  'the limits': 'to stay below the limits',
  interference: 'as a limiter asks',
  platform: 'for a platform in trouble',
  unreachable: 'for a response',
};

/** Says why, because a run that waits looks like one that hangs. */
function waitText({ ms, why }: Extract<RunEvent, { kind: 'waiting' }>): string {
  return `waiting ${Math.ceil(ms / 1000)} s ${waitReasons[why] ?? `for ${why}`}`;
}

/** At most: what the checks that have not ended may take, each for itself. */
function secondsLeft(steps: readonly Step[], ended: ReadonlySet<string>): number {
  const left = steps.filter(({ check }) => !ended.has(check));
  return left.reduce((total, { seconds }) => total + seconds.ceiling, 0);
}

/** What is shown even next to a bar; the summary has the rest. */
function isTrouble({ result: outcome }: CheckResult): boolean {
  return outcome.kind === 'fail' || outcome.kind === 'error' || outcome.kind === 'warn';
}

function describe(result: CheckResult, paint: Paint): string {
  const { kind, message } = result.result;
  const why = message === undefined ? result.title : reasonOf(result).slice(kind.length).replace(/^: /, '').trim();
  return `${paint(styleOf[kind], kind.padEnd(12))} ${result.id}  ${paint('dim', visible(why))}`;
}

// The plan as it is printed before the first request, and by --plan.

/** A line for each part, and one for all when there are several. */
export function planText(plan: Plan): string {
  const all = { ...plan, name: 'in all', leaves: [] };
  const lines = plan.lines.length > 1 ? [...plan.lines, all] : plan.lines;
  const rows = lines.map((line) => [line.name, count(line.checks, 'check'), requestsOf(line), secondsOf(line)]);
  const table = align(rows);
  const drawn = `  Unexpected inputs are drawn by seed ${plan.seed}; --seed ${plan.seed} draws the same again`;
  return [...table.map((row) => `  ${row}`), ...onTop(plan), drawn, ...worstCase(plan)]
    .map((line) => `${line}\n`)
    .join('');
}

/** The clauses that stay open whatever the target shows, by what would open them. */
export function openersText(openers: readonly Opener[]): string {
  if (openers.length === 0) return '';
  const lines = openers.map(({ way, clauses: [first, ...others] }) => {
    const more = others.length === 0 ? '' : ` and ${count(others.length, 'other')}`;
    return `    ${way}: ${first}${more}\n`;
  });
  return `  Clauses that stay open, by the cheapest way to open them:\n${lines.join('')}`;
}

/** Not part of the plan, because a good server causes none of them. */
function onTop(plan: Plan): string[] {
  const again = plan.onTop.confirmations === 0 ? '' : ' and confirmations of wrong responses';
  return [`  At most ${count(requestsInAll(plan), 'request')} with repeats after a 429, 502 or 503${again}`];
}

/** The changes that the user has permitted, printed before any of them happens. */
function worstCase({ lines, writes }: Plan): string[] {
  if (writes === 0) return [];
  const leaves = [...new Set(lines.flatMap((line) => line.leaves))];
  return [`  At worst ${count(writes, 'write')}, none sent twice:`, ...leaves.map((sentence) => `    ${sentence}`)];
}

function requestsOf({ requests, writes }: PlanLine): string {
  const noun = requests.ceiling === 1 ? 'request' : 'requests';
  return `${words(requests)} ${noun}${writes === 0 ? '' : ` (${count(writes, 'write')} at most)`}`;
}

function secondsOf({ seconds }: PlanLine): string {
  return `${words(seconds)} s`;
}

function words({ floor, ceiling }: Range): string {
  return floor === ceiling ? `${floor}` : `${floor} to ${ceiling}`;
}
