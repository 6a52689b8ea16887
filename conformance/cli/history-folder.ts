// The folder of --history: a file of lines for each target.
import { accessSync, closeSync, constants, fstatSync, mkdirSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../src/contract/json.ts';
import { grouped } from '../../src/contract/words.ts';
import { count } from '../../src/terminal/count.ts';
import { parseDuration } from '../../src/terminal/duration.ts';
import { readNamed, textOf, whyUnreadable, whyUnwritable } from '../../src/terminal/file-trouble.ts';
import { type FlagTable, parseWords } from '../../src/terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../../src/terminal/help.ts';
import { appendOwn, type FileKind } from '../../src/terminal/own-file.ts';
import type { Paint } from '../../src/terminal/paint.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { parseRecord, type RunRecord, recordIn } from '../report/history.ts';
import { trendText } from '../reporters/terminal.ts';
import type { ParsedFlags } from './flags.ts';

/** Some thousand runs: years of a nightly job. Older lines stay in the file and are not read. */
const bytesReadMax = 4_000_000;
const filesMax = 200;

/** The bundled mock, which has another port in each run. */
const selfTarget = 'self';

export function historyTarget(flags: ParsedFlags, baseUrl: string): string {
  return flags.target === selfTarget ? selfTarget : baseUrl.replace(/\/+$/, '');
}

const historyFile: FileKind = { name: 'history', start: /^\s*\{"v":1,/ };

export interface History {
  /** The oldest first. */
  readonly records: readonly RunRecord[];
  /** Number of malformed lines. */
  readonly strange: number;
}

/** Made before the run, so a folder that cannot be written costs none. Throws a `UsageError`. */
export function openHistory(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `--history: ${folder} ${isNoFolder(error) ? 'is a file, not a folder' : whyUnwritable(error)}.`,
    );
  }
}

/** Listing a file, and creating a folder at its path, fail with separate codes. */
function isNoFolder(error: unknown): boolean {
  return ['ENOTDIR', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code));
}

/** Of one target; empty where there has been no run. */
export function readHistory(folder: string, target: string): History {
  return readLines(join(folder, `${nameFor(target)}.jsonl`));
}

/** Of every target of the folder, from lines and from reports. Throws a `UsageError` when it cannot be read. */
function readHistories(folder: string): { all: RunRecord[][]; strange: number } {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /\.jsonl?$/.test(name));
  } catch (error) {
    throw new UsageError(`${folder} ${isNoFolder(error) ? 'is a file, not a folder' : whyUnreadable(error)}.`);
  }
  if (names.length > filesMax) throw new UsageError(`${folder} has more than ${filesMax} histories and reports.`);
  const read = names.map((name) => (name.endsWith('.json') ? readReport : readLines)(join(folder, name)));
  const records = new Map(read.flatMap((each) => each.records).map((record) => [record.runId, record]));
  const inOrder = [...records.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return {
    all: [...grouped(inOrder, ({ target }) => target).values()],
    strange: read.reduce((total, { strange }) => total + strange, 0),
  };
}

/** A JSON report of this or an earlier version. */
function readReport(file: string): History {
  const record = recordIn(parseJson(readNamed(file, file)));
  return { records: record === null ? [] : [record], strange: record === null ? 1 : 0 };
}

/** One write for the line: two runs that end at once do not mix theirs. */
export function keepRecord(folder: string, record: RunRecord): void {
  appendOwn(join(folder, `${nameFor(record.target)}.jsonl`), `${JSON.stringify(record)}\n`, historyFile);
}

/** `staging.example.com_api_v1`: a name for every file system. */
export function nameFor(target: string): string {
  if (target === selfTarget) return target;
  const { host, pathname } = new URL(target);
  return `${host}${pathname}`
    .replace(/\/+$/, '')
    .replace(/[^\w.-]/g, '_')
    .slice(0, 150);
}

function readLines(file: string): History {
  const lines = endOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const records = lines.map(parseRecord).filter((record) => record !== null);
  return { records, strange: lines.length - records.length };
}

/** The newest lines: the first of a part is cut, so it is left out. */
function endOf(file: string): string {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, bytesReadMax));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    const text = textOf(bytes);
    return size > bytes.length ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    closeSync(handle);
  }
}

// `conformance trend DIR`: shows the history that --history records.

const flags = {
  'valid-for': { value: 'DURATION', help: 'How long a result counts (default: 90d)' },
  help: { short: 'h', help: 'Show this help' },
} as const satisfies FlagTable;

const help = `conformance trend: show the results of earlier runs

Usage
  conformance trend DIR [flags]

DIR is the folder of conformance --history DIR, or a folder of JSON reports. For each target, trend
lists its runs with the violated and verified clauses, then the failures that are new, fixed or
intermittent. It says when the newest result is too old to count.

Flags
${describeFlags(flags)}
${describeExits({ 0: 'Shown', 2: 'Invalid flag, or a folder without history' })}`;

/** Throws a `UsageError` without history. */
export function trend(argv: readonly string[], paint: Paint, nowMs: number): string {
  const { values, words } = parseWords(argv, flags, { isStrict: true, takesWords: true });
  if (values.help) return help;
  const [folder, ...rest] = words;
  if (folder === undefined) throw new UsageError('conformance trend needs a folder: conformance trend DIR');
  if (rest[0] !== undefined)
    throw new UsageError(`conformance trend takes one folder, so "${rest[0]}" is one too many.`);
  const { 'valid-for': validFor = '90d' } = values;
  const validMs = parseDuration(validFor);
  if (validMs === null) throw new UsageError(`--valid-for "${validFor}" is not a duration such as 90d or 12h.`);
  const { all, strange } = readHistories(folder);
  const runs = all.flat().length;
  if (runs === 0) throw new UsageError(`${folder} has no history; conformance --history ${folder} creates one.`);
  const isExpired = ({ at }: RunRecord) => nowMs - Date.parse(at) > validMs;
  const expiry = ({ at }: RunRecord) =>
    `  The newest result is of ${at.slice(0, 10)} and older than ${validFor}: test again.\n`;
  return [
    `${count(runs, 'run')} of ${count(all.length, 'target')}\n\n`,
    all
      .filter(isFilled)
      .map((records) => {
        const newest = records.at(-1) ?? records[0];
        return `${trendText(records, paint)}${isExpired(newest) ? expiry(newest) : ''}`;
      })
      .join('\n'),
    ...(strange === 0
      ? []
      : [
          `\n${count(strange, 'record')} left out, because ${strange === 1 ? 'it is' : 'they are'} neither a line of a history nor a report.\n`,
        ]),
  ].join('');
}

function isFilled(records: readonly RunRecord[]): records is [RunRecord, ...RunRecord[]] {
  return records.length > 0;
}
