// The history of a deployment as text: a row for each run, then what is new, what is gone, and since when.
import { count } from '../../src/terminal/count.ts';
import { type Paint, plain } from '../../src/terminal/paint.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import { figureOf, newsOf, type RunRecord, type Trend, trendOf } from '../report/history.ts';

const TEXT_CHARACTERS_MAX = 300;

/** Of one target; the records are its runs, the oldest first, one at least. */
export function trendText(records: readonly [RunRecord, ...RunRecord[]], paint: Paint = plain): string {
  const trends = records.map((record, index) => trendOf(records.slice(0, index), record));
  const last = trends.at(-1) as Trend;
  const rows = trends.slice(-last.runs.length).map(rowOf);
  const head = ['run', 'broken', 'proven', 'of', 'new', 'gone', ''];
  const lines = align([head, ...rows]).map((line, index) => (index === 0 ? paint('dim', line) : line));
  return `${[paint('bold', safe(last.current.target)), ...lines, '', ...newsLines(last)].join('\n')}\n`;
}

/** Also behind the result of a run on a terminal, and in the job summary. */
export function newsLines(trend: Trend): string[] {
  return newsOf(trend).map(safe);
}

/** An end that is not one of the contract: the figures of such a run are those of a part. */
function rowOf({ current, previous, fresh, gone }: Trend): string[] {
  const { at, visible: all, aborted } = current;
  const [broken, proven] = [figureOf(current, 'broken'), figureOf(current, 'proven')];
  const change = (names: readonly string[]) => (previous === null ? '' : String(names.length));
  const end = aborted ? 'ended early' : '';
  return [at.slice(0, 16).replace('T', ' '), broken, proven, `${all}`, change(fresh), change(gone), end];
}

function align(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

/** `3 runs of 2 targets`, for a folder. */
export function trendHead(targets: number, runs: number): string {
  return `${count(runs, 'run')} of ${count(targets, 'target')}\n\n`;
}

function safe(text: string): string {
  return clip(visible(text), TEXT_CHARACTERS_MAX);
}
