// Tells a person how far a run is: one line that is written over on a terminal, a line for each trouble elsewhere.
import { planText } from '../cli-texts.ts';
import type { RunEvent } from '../events.ts';
import type { Paint } from './paint.ts';
import { styleOf } from './paint.ts';

export interface ProgressOutput {
  readonly isTty: boolean;
  readonly columns: number;
  write(text: string): void;
}

const BAR_WIDTH = 20;
const LONG_WAIT_MS = 3000;

export function showProgress(output: ProgressOutput, paint: Paint): (event: RunEvent) => void {
  let seconds = { floor: 0, ceiling: 0 };
  let requests = 0;
  let sent = 0;
  let line = '';
  const draw = (text: string) => {
    if (!output.isTty) return;
    line = text.slice(0, Math.max(0, output.columns - 1));
    output.write(`\r\u001b[2K${line}`);
  };
  const print = (text: string) => {
    output.write(output.isTty && line !== '' ? `\r\u001b[2K${text}\n${line}` : `${text}\n`);
  };
  const secondsLeft = () => Math.ceil((seconds.ceiling * Math.max(0, requests - sent)) / Math.max(1, requests));

  return (event) => {
    switch (event.kind) {
      case 'plan':
        seconds = event.plan.seconds;
        requests = event.plan.requests.ceiling;
        print(`${event.target}: ${planText(event.plan)}`);
        return;
      case 'exchange':
        sent += 1;
        return;
      case 'check-start': {
        const filled = Math.round((BAR_WIDTH * (event.index - 1)) / Math.max(1, event.total));
        const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
        draw(`${bar} ${event.index}/${event.total} ${event.check.id} · about ${secondsLeft()} s left`);
        return;
      }
      case 'check-end': {
        const { kind } = event.result.verdict;
        if (kind === 'fail' || kind === 'error')
          print(`${paint(styleOf[kind], kind.toUpperCase())} ${event.result.id}  ${event.result.title}`);
        return;
      }
      case 'waiting':
        if (event.ms >= LONG_WAIT_MS) print(paint('dim', `waiting ${Math.ceil(event.ms / 1000)} s for ${event.why}`));
        return;
      case 'announce':
        print(paint('bold', event.text));
        return;
      case 'done':
        draw('');
        line = '';
        return;
      default:
        return;
    }
  };
}
