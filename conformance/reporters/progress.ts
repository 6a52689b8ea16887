// The progress of a run: one line that is updated on a terminal, and one line for each phase in a log.

import { count } from '../../src/terminal/count.ts';
import type { Paint } from '../../src/terminal/paint.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import type { RunEvent } from '../driver/options.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { CheckResult } from '../judge/result.ts';
import type { Opener } from '../report/coverage.ts';
import { type Plan, type PlanLine, rangeText, requestsInAll } from '../scenarios/plan/plan.ts';
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

const areas: Readonly<Record<string, string>> = {
  calls: 'Call log',
  limits: 'Rate limits',
  auth: 'API keys',
  mcp: 'MCP',
};

/** The first part of an id, as a heading. */
function areaOf(id: string): string {
  const [area = ''] = id.split('/');
  return areas[area] ?? `${area.charAt(0).toUpperCase()}${area.slice(1)}`;
}

/**
 * Returns a listener for the events of one run. It prints a line for each check that fails or warns. `reads` is the
 * maximum number of reads of a calibration.
 */
export function showProgress(output: ProgressOutput, paint: Paint, reads = 0): (event: RunEvent) => void {
  let plan: Plan | undefined;
  // A run comes back to areas; a log shows each once.
  const [told, shown] = [new Set<string>(), new Set<string>()];
  const meter = effortMeter();
  let at = { index: 0, total: 1, id: '', area: '' };
  let line = '';
  const draw = (text: string) => {
    if (!output.isTty) return;
    line = [...text].slice(0, Math.max(0, output.columns - 1)).join('');
    output.write(`\r\u001b[2K${line}`);
  };
  const print = (text: string) => output.write(line === '' ? `${text}\n` : `\r\u001b[2K${text}\n${line}`);
  const progress = () => `${at.area}: ${meter.text(plan)}`;
  const drawBar = (doing: string) => {
    const width = output.columns < narrowColumns ? barWidthNarrow : barWidth;
    const filled = Math.round((width * (at.index - 1)) / at.total);
    draw(`${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${progress()}, ${doing}`);
  };

  return (event) => {
    switch (event.kind) {
      case 'plan':
        plan = event.plan;
        output.write(`Testing ${visible(event.target)}\n\n${planText(event.plan, reads)}\n`);
        return;
      case 'exchange':
        meter.add(event.exchange);
        if (at.id !== '') drawBar(at.id);
        return;
      case 'scenario': {
        const area = areaOf(event.id);
        at = { ...event, area };
        if (output.isTty) drawBar(at.id);
        else if (!shown.has(area)) print(paint('dim', progress()));
        shown.add(area);
        return;
      }
      case 'failure':
      case 'check-end':
        if (/^(fail|error|warn)$/.test(event.result.result.kind) && !told.has(event.result.id))
          print(`${describe(event.result, paint)}  ${paint('dim', `(${meter.text(plan)})`)}`);
        told.add(event.result.id);
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
    text(plan: Plan | undefined): string {
      const elapsedS = Math.round((lastMs - firstMs) / 1000);
      const requests = `${sent}/${Math.max(sent, plan?.requests.ceiling ?? 0)} requests`;
      return `${requests}, ${elapsedS} s, up to ${Math.max(1, (plan?.seconds.ceiling ?? 0) - elapsedS)} s left`;
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

function usually({ requests, seconds, defectsFound }: Plan, reads: number): string[] {
  const share =
    defectsFound === null
      ? []
      : [`  Such a run detects about ${Math.round(100 * defectsFound)} % of the known defects.`];
  const then = reads === 0 ? '' : `, then up to ${count(reads, 'request')} for unspecified behavior`;
  const inTime = seconds.ceiling === 0 ? 'less than 1' : seconds.ceiling;
  return [`  Up to ${count(requests.ceiling, 'request')} in ${inTime} s${then}.`, ...share];
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
