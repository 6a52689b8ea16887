// Compares the client in a disturbed cell with the same client in the control cell. In doubt there is no finding,
// because a false positive costs trust.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { count } from '../terminal/count.ts';
import { control as controlCell } from './cell.ts';
import { type Observation, type RecordKind, requestsMax } from './cell-run.ts';

/** From the worst: lost or duplicated business, then rules of the contract, then errors that the contract spares. */
export const severities = ['business', 'rule', 'fragile'] as const;
export type Severity = (typeof severities)[number];

/** One mistake in one cell. */
export interface CellFinding {
  /** For example `write-repeated`, or the id of a client rule, such as `early-retry`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly clause: ClauseId;
  /** One sentence about the client. */
  readonly message: string;
  /** One sentence: the correct behavior. */
  readonly correct: string;
}

const rank: Readonly<Record<string, Severity>> = {
  'lost-since': 'business',
  'since-backwards': 'business',
};

const clauseOf: Readonly<Record<RecordKind, ClauseId>> = {
  site: '4.sites.list',
  article: '4.articles.list.walk',
  keyword: '4.keywords.list.endpoint',
  account: '4.connect.list-accounts.content',
  review: '4.rules.reviews-walk',
  call: '4.calls.exactly-once',
};

/** Returns the findings of a cell, at most one for each rule. `control` is null for the control cell. */
export function judge(observation: Observation, control: Observation | null): CellFinding[] {
  const found = [
    ...(control ? [...repeatedWrites(observation, control), ...records(observation, control)] : []),
    ...(control ? values(observation, control) : []),
    ...observation.violations.map(({ rule, clause, message }): CellFinding => {
      const [what = message, ...correct] = message.replace(' on the frozen clock of the mock', '').split(/(?<=\.) /);
      return {
        rule,
        clause,
        severity: rank[rule] ?? 'rule',
        message: what,
        correct: correct.join(' ') || remedy(rule),
      };
    }),
    ...burst(observation),
    ...(control ? ending(observation, control) : []),
  ];
  return found.filter(({ rule }, i) => found.findIndex((other) => other.rule === rule) === i);
}

function remedy(rule: string): string {
  return rule === 'no-back-off' ? 'Wait longer before each retry.' : 'Follow the clause.';
}

/** A write that was carried out more often than in the control cell. */
function* repeatedWrites({ exchanges }: Observation, control: Observation): Iterable<CellFinding> {
  const usual = countMade(control);
  for (const [print, count] of countMade({ exchanges })) {
    if (count <= Math.max(1, usual.get(print) ?? 0)) continue;
    const { operation } = exchanges.find((exchange) => exchange.print === print) ?? {};
    yield {
      rule: 'write-repeated',
      severity: 'business',
      clause: '7.retry.back-off',
      message: `Sent ${operation} ${count} times, and each was carried out.`,
      correct: 'After a lost or late response, do not send a write again: only 429, 502 and 503 allow a retry.',
    };
    return;
  }
}

function countMade({ exchanges }: Pick<Observation, 'exchanges'>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { made, print } of exchanges) if (made) counts.set(print, (counts.get(print) ?? 0) + 1);
  return counts;
}

/** Records that the client reported less or more often than in the control cell, and writes that are missing. */
function* records(observation: Observation, control: Observation): Iterable<CellFinding> {
  const [counts, usual] = [countSeen(observation), countSeen(control)];
  const isSilent = observation.ending !== 'failed' && observation.cell.succeeds;
  for (const kind of Object.keys(clauseOf) as RecordKind[]) {
    const ids = observation.records[kind];
    const wanted = control.records[kind].map((id) => usual.get(id ?? '') ?? 0);
    const perCall = kind === 'call' ? usualCount(wanted.slice(0, control.dueCalls)) : null;
    if (kind === 'call' && perCall === null) continue;
    const due = kind === 'call' ? observation.dueCalls : wanted.length;
    const expected = (i: number) => perCall ?? wanted[i] ?? 0;
    const seen = ids.map((id) => counts.get(id ?? '') ?? 0);
    const lost = seen.filter((count, i) => i < due && count < expected(i)).length;
    const repeated = seen.filter(
      (count, i) => i < Math.max(due, kind === 'call' ? ids.length : 0) && count > Math.max(1, expected(i)),
    ).length;
    const of = (count: number) => `${count} of ${Math.max(due, count)} ${kind}s`;
    if (lost > 0 && isSilent) {
      yield {
        rule: `${kind}-lost`,
        severity: 'business',
        clause:
          kind === 'call' && observation.cell.clauses[0].startsWith('6.')
            ? observation.cell.clauses[0]
            : clauseOf[kind],
        message: `Did not report ${of(lost)}, and no error.`,
        correct:
          kind === 'call'
            ? 'Store nextCursor unchanged, and handle each call of each page.'
            : 'Follow the cursors to the end, and keep each record.',
      };
    }
    if (repeated > 0) {
      yield {
        rule: `${kind}-repeated`,
        severity: 'business',
        clause: clauseOf[kind],
        message: `Reported ${of(repeated)} more than once.`,
        correct:
          kind === 'call'
            ? 'Let one poll end before the next begins, and store each nextCursor.'
            : 'Follow each cursor once.',
      };
    }
  }
  if (hidesWrite(observation, control)) yield lostWrite();
}

/** Whether a write is missing, the client continued, and it reported nothing that it does not report otherwise. */
function hidesWrite({ cell, exchanges, ending: end, seen }: Observation, control: Observation): boolean {
  if (end === 'failed' || end === 'endless' || end !== control.ending) return false;
  const missing = exchanges.findLast(({ disturbed, made, print }) => disturbed && !made && isLast(print, exchanges));
  if (!missing || cell.target !== 'write') return false;
  const made = (each: Pick<Observation, 'exchanges'>) => each.exchanges.filter((exchange) => exchange.made).length;
  const wentOn = exchanges.some(({ atMs, print }) => atMs >= missing.atMs && print !== missing.print);
  return made({ exchanges }) < made(control) && wentOn && wordsIn(seen) <= wordsIn(control.seen);
}

/** Whether no later request of this kind was carried out. */
function isLast(print: string, exchanges: Observation['exchanges']): boolean {
  return exchanges.every((exchange) => exchange.print !== print || !exchange.made);
}

/** The number of values in a report. */
function wordsIn(seen: unknown): number {
  let words = 0;
  visit(seen, () => {
    words += 1;
  });
  return words;
}

function lostWrite(): CellFinding {
  return {
    rule: 'write-lost',
    severity: 'business',
    clause: '4.connect.envelope',
    message: 'Went on without an error, although a write was not carried out.',
    correct: 'Show the error of a write, or try it again where the contract allows it.',
  };
}

/** How often the client reports each call; null unless all are alike. */
function usualCount(counts: readonly number[]): number | null {
  const [first = 0] = counts;
  return first > 0 && counts.every((count) => count === first) ? first : null;
}

/** How often each text appears in the client's report. */
function countSeen({ seen }: Observation): Map<string, number> {
  const counts = new Map<string, number>();
  visit(seen, (value) => {
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  });
  return counts;
}

function visit(value: unknown, each: (value: unknown) => void): void {
  each(value);
  if (value !== null && typeof value === 'object') for (const field of Object.values(value)) visit(field, each);
}

/** Numbers and timestamps that the client read from the same records, in another format. */
function* values(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (!observation.cell.sameValues) return;
  const usual = fieldsOf(control);
  for (const [place, fields] of fieldsOf(observation)) {
    for (const [name, value] of Object.entries(fields)) {
      const before = usual.get(place)?.[name];
      if (before === undefined || isSameValue(before, value)) continue;
      yield {
        rule: 'value-changed',
        severity: 'business',
        clause: '2.at-iso',
        message: `Read ${name} as ${JSON.stringify(value)}; it is ${JSON.stringify(before)}.`,
        correct: 'Read every ISO 8601 date-time, with its offset.',
      };
      return;
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Numbers and timestamps next to the id of a record, by the place of the record. */
function fieldsOf({ seen, records: all }: Observation): Map<string, Fields> {
  const places = new Map<string, string>();
  for (const [kind, ids] of Object.entries(all))
    for (const [i, id] of ids.entries()) if (id) places.set(id, `${kind} ${i}`);
  const fields = new Map<string, Fields>();
  visit(seen, (value) => {
    if (value === null || typeof value !== 'object') return;
    const id = Object.values(value).find((field): field is string => typeof field === 'string' && places.has(field));
    if (id !== undefined) fields.set(places.get(id) ?? '', { ...fields.get(places.get(id) ?? ''), ...value });
  });
  return fields;
}

function isSameValue(before: unknown, now: unknown): boolean {
  const instant = (value: unknown) => (typeof value === 'string' ? parseTimestamp(value) : null);
  if (typeof before === 'number') return before === now;
  const earlier = instant(before);
  if (earlier === null || typeof now !== 'string')
    return typeof before !== 'string' || typeof now === 'string' || earlier === null;
  const ms = 1_000_000n;
  return (instant(now) ?? 0n) / ms === earlier / ms;
}

/** More requests at once than an address has in ten seconds. Cites 8.address-window. */
function* burst({ exchanges, cell }: Observation): Iterable<CellFinding> {
  const most = peakOf(exchanges);
  if (cell.id !== 'load/slow' || most <= atOnceMax) return;
  yield {
    rule: 'burst',
    severity: 'rule',
    clause: '8.address-window',
    message: `Sent ${count(most, 'request')} at once; the service accepts ${atOnceMax} in 10 seconds from one address.`,
    correct: 'Limit the number of requests that run at once.',
  };
}

const atOnceMax = 10;

/** The most requests that were under way at one moment. */
export function peakOf(exchanges: Observation['exchanges']): number {
  const slow = exchanges.filter(({ atMs, endsMs }) => endsMs > atMs);
  return Math.max(
    0,
    ...slow.map(({ atMs }) => slow.filter((other) => other.atMs <= atMs && other.endsMs > atMs).length),
  );
}

/** An error, or no end, where the contract lets a client succeed. */
function* ending({ cell, ending: end, error }: Observation, control: Observation): Iterable<CellFinding> {
  if (end === 'endless') {
    yield {
      rule: 'endless',
      severity: 'rule',
      clause: cell.clauses[0],
      message: `Sent more than ${requestsMax} requests without an end.`,
      correct: 'End a list when its cursor is null or absent, and limit retries.',
    };
    return;
  }
  if (!cell.succeeds || cell === controlCell || end === 'returned' || end === control.ending) return;
  yield {
    rule: 'fails',
    severity: 'fragile',
    clause: cell.clauses[0],
    message: end === 'failed' ? `Failed: ${error}.`.replace(/\.\.$/, '.') : 'Did not end.',
    correct: `Go on when the service ${cell.title}.`,
  };
}
