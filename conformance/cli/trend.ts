// `conformance trend DIR`: the history that --history keeps, told.
import { count } from '../../src/terminal/count.ts';
import { type FlagTable, parseWords } from '../../src/terminal/flag-parser.ts';
import type { Paint } from '../../src/terminal/paint.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { RunRecord } from '../report/history.ts';
import { trendHead, trendText } from '../reporters/trend.ts';
import { readHistories } from './history-folder.ts';

const flags = {
  json: { help: 'the records themselves, a line each' },
  help: { short: 'h', help: 'this text' },
} as const satisfies FlagTable;

const help = `Usage
  conformance trend DIR [--json]     tell the history that conformance --history DIR has kept

For each target: a row for each run, with the clauses that were broken and those that were proven, then what is new,
what is gone, what comes and goes, and since when.
`;

/** Throws a `UsageError` when there is nothing to tell. */
export function trend(argv: readonly string[], paint: Paint): string {
  const { values, words } = parseWords(argv, flags, { isStrict: true, takesWords: true });
  if (values.help) return help;
  const [folder, ...rest] = words;
  if (folder === undefined) throw new UsageError('conformance trend needs a folder: conformance trend DIR');
  if (rest[0] !== undefined)
    throw new UsageError(`conformance trend takes one folder, so "${rest[0]}" is one too many.`);
  const histories = readHistories(folder);
  const filled = histories.map(({ records }) => records).filter(isFilled);
  const runs = filled.flat();
  if (runs.length === 0) throw new UsageError(`${folder} holds no history; conformance --history ${folder} keeps one.`);
  if (values.json) return runs.map((record) => `${JSON.stringify(record)}\n`).join('');
  const strange = histories.reduce((total, history) => total + history.strange, 0);
  return [
    trendHead(filled.length, runs.length),
    filled.map((records) => trendText(records, paint)).join('\n'),
    ...(strange === 0
      ? []
      : [`\n${count(strange, 'line')} left out, which ${strange === 1 ? 'is' : 'are'} no record.\n`]),
  ].join('');
}

function isFilled(records: readonly RunRecord[]): records is [RunRecord, ...RunRecord[]] {
  return records.length > 0;
}
