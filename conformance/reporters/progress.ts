// Tells a person how far a run is: one line that is written over on a terminal, a line for each check elsewhere.
import type { CheckResult } from '../check.ts';
import type { RunEvent } from '../events.ts';
import type { Step } from '../plan.ts';
import { planText } from '../plan-text.ts';
import { visible } from '../visible.ts';
import type { Paint } from './paint.ts';
import { styleOf } from './paint.ts';
import { reasonOf } from './quoted.ts';

export interface ProgressOutput {
  readonly isTty: boolean;
  readonly columns: number;
  write(text: string): void;
}

const BAR_WIDTH = 20;
const LONG_WAIT_MS = 3000;

export function showProgress(output: ProgressOutput, paint: Paint): (event: RunEvent) => void {
  let steps: readonly Step[] = [];
  let secondsMax = 0;
  const ended = new Set<string>();
  let sent = 0;
  let at = { index: 0, total: 1, id: '' };
  let line = '';
  const draw = (text: string) => {
    if (!output.isTty) return;
    line = [...text].slice(0, Math.max(0, output.columns - 1)).join('');
    output.write(`\r\u001b[2K${line}`);
  };
  const print = (text: string) => output.write(line === '' ? `${text}\n` : `\r\u001b[2K${text}\n${line}`);
  const drawBar = (doing: string) => {
    const filled = Math.round((BAR_WIDTH * (at.index - 1)) / Math.max(1, at.total));
    const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
    draw(
      `${bar} ${at.index}/${at.total} · ${sent} sent · up to ${Math.min(secondsMax, secondsLeft(steps, ended))} s left · ${doing}`,
    );
  };

  return (event) => {
    switch (event.kind) {
      case 'plan':
        steps = event.steps;
        secondsMax = event.plan.seconds.ceiling;
        output.write(`${event.target}\n${planText(event.plan)}`);
        return;
      case 'exchange':
        sent += 1;
        if (at.id !== '') drawBar(at.id);
        return;
      case 'check-start':
        at = { index: event.index, total: event.total, id: event.check.id };
        drawBar(at.id);
        return;
      case 'check-end':
        ended.add(event.result.id);
        if (!output.isTty || isTrouble(event.result)) print(describe(event.result, paint));
        return;
      case 'waiting':
        if (event.ms < LONG_WAIT_MS) return;
        if (output.isTty) drawBar(`waiting ${Math.ceil(event.ms / 1000)} s for ${event.why}`);
        else print(paint('dim', `waiting ${Math.ceil(event.ms / 1000)} s for ${event.why}`));
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

/** At most: what the checks that have not ended may take, each for itself. */
function secondsLeft(steps: readonly Step[], ended: ReadonlySet<string>): number {
  const left = steps.filter(({ check }) => !ended.has(check));
  return left.reduce((total, { seconds }) => total + seconds.ceiling, 0);
}

function isTrouble({ verdict }: CheckResult): boolean {
  return verdict.kind === 'fail' || verdict.kind === 'error' || verdict.kind === 'warn';
}

function describe(result: CheckResult, paint: Paint): string {
  const { kind, message } = result.verdict;
  const why = message === undefined ? result.title : reasonOf(result).slice(kind.length).replace(/^: /, '').trim();
  return `${paint(styleOf[kind], kind.padEnd(12))} ${result.id}  ${paint('dim', visible(why))}`;
}
