// Known failures. Each entry names a finding by check, clause and place, with a reason; other findings of the check
// fail. Obsolete entries must be removed.

import { clauses } from '../../src/contract/generated/clauses.ts';
import { parseJson } from '../../src/contract/json.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { type CheckResult, type Finding, hasConcluded } from '../judge/result.ts';

/** One line of the file. Check, clause and place together name it; two entries of one name are rejected. */
export interface BaselineEntry {
  readonly check: string;
  /** Any clause when absent: then the entry covers the whole check. */
  readonly clause?: string;
  /** As in a report, with `*` for the number of an item; any place when absent. */
  readonly pointer?: string;
  readonly reason: string;
  /** Address of the ticket or decision. */
  readonly link?: string;
  /** ISO 8601 date; from that day on the failure counts again. */
  readonly until: string | null;
}

export interface BaselineOutcome {
  /** Failing checks of whose findings each is known: one entry for each. */
  readonly excused: readonly BaselineEntry[];
  /** Entries whose check has been seen not to fail. */
  readonly stale: readonly BaselineEntry[];
  /** Entries whose check fails after the day until which it might. */
  readonly expired: readonly BaselineEntry[];
  /** All entries, and when they were compared. Absent without a baseline. */
  readonly entries?: readonly BaselineEntry[];
  /** ISO 8601. */
  readonly at?: string;
}

const fields = ['check', 'clause', 'pointer', 'reason', 'link', 'until'];

/**
 * Reads `[{ "check": "sites/list", "clause": "4.json", "pointer": "#body", "reason": "…", "until": "2027-01-31" }]`.
 */
export function parseBaseline(text: string, ids: readonly string[]): BaselineEntry[] {
  const entries = parseJson(text);
  if (!Array.isArray(entries)) {
    const form = 'a JSON list like [{ "check": "area/name", "reason": "why" }]';
    throw new UsageError(`The baseline is not ${form}: create one with --write-baseline.`);
  }
  const parsed = entries.map((entry, index) => parseEntry(entry, index, ids));
  const twice = parsed.find((entry, index) => parsed.findIndex((other) => nameOf(other) === nameOf(entry)) !== index);
  if (twice) throw new UsageError(`The baseline names ${nameOf(twice)} twice.`);
  return parsed;
}

/** Throws a UsageError with the number of the entry and its problem. */
function parseEntry(entry: unknown, index: number, ids: readonly string[]): BaselineEntry {
  const at = `Entry ${index + 1} of the baseline`;
  if (typeof entry !== 'object' || entry === null) throw new UsageError(`${at} is not an object.`);
  const extra = Object.keys(entry).find((name) => !fields.includes(name));
  if (extra !== undefined)
    throw new UsageError(`${at} has an unknown field "${extra}"; it takes ${fields.join(', ')}.`);
  const { check, clause, pointer, reason, link, until = null } = entry as Record<string, unknown>;
  if (typeof check !== 'string' || !ids.includes(check)) {
    throw new UsageError(`${at}: no check is called "${check}".${didYouMean(String(check), ids)}`);
  }
  if (clause !== undefined && (typeof clause !== 'string' || !Object.hasOwn(clauses, clause)))
    throw new UsageError(
      `${at} (${check}): there is no clause "${clause}".${didYouMean(String(clause), Object.keys(clauses))}`,
    );
  if (pointer !== undefined && (typeof pointer !== 'string' || clause === undefined))
    throw new UsageError(`${at} (${check}): "pointer" must be a text, and needs "clause".`);
  if (typeof reason !== 'string' || reason.trim() === '') throw new UsageError(`${at} (${check}) has no reason.`);
  if (link !== undefined && !/^https?:\/\/\S+$/.test(String(link)))
    throw new UsageError(`${at} (${check}): "link" is not an address like https://tickets.example.com/412.`);
  if (
    until !== null &&
    (typeof until !== 'string' || !/^\d{4}-\d\d-\d\d/.test(until) || Number.isNaN(Date.parse(until)))
  ) {
    throw new UsageError(`${at} (${check}): "until" is not a date like 2027-01-31.`);
  }
  return {
    check,
    ...(typeof clause === 'string' ? { clause } : {}),
    ...(typeof pointer === 'string' ? { pointer } : {}),
    reason,
    ...(typeof link === 'string' ? { link } : {}),
    until,
  };
}

/** The mercy is exact: a check is excused only when each of its failures is known. */
export function applyBaseline(
  entries: readonly BaselineEntry[],
  results: readonly CheckResult[],
  nowMs: number,
): BaselineOutcome {
  const resultOf = (entry: BaselineEntry) => results.find(({ id }) => id === entry.check);
  const hasEnded = ({ until }: BaselineEntry) => until !== null && Date.parse(until) <= nowMs;
  const isFound = (entry: BaselineEntry) => failuresOf(resultOf(entry)).some((finding) => names(entry, finding));
  const open = entries.filter((entry) => !hasEnded(entry));
  return {
    excused: results.flatMap((result) => excuse(result, open)),
    expired: entries.filter((entry) => hasEnded(entry) && isFound(entry)),
    // A skipped or inconclusive check can still fail later, and so can checks after another failure.
    stale: entries.filter((entry) => {
      const kind = resultOf(entry)?.result.kind;
      return hasConcluded(kind) && kind !== 'fail';
    }),
    ...(entries.length === 0 ? {} : { entries, at: new Date(nowMs).toISOString() }),
  };
}

/** The entries that cover every failure of a check, merged; none if a failure is new. */
function excuse(result: CheckResult, entries: readonly BaselineEntry[]): BaselineEntry[] {
  const failures = failuresOf(result);
  const used = entries.filter((entry) => entry.check === result.id && failures.some((each) => names(entry, each)));
  const [first, ...more] = used;
  if (!first || !failures.every((finding) => used.some((entry) => names(entry, finding)))) return [];
  if (more.length === 0) return [first];
  // Together they name the whole check, until the first of them ends.
  const { clause: _clause, pointer: _pointer, ...whole } = first;
  const [until = null] = used.flatMap((entry) => entry.until ?? []).sort((a, b) => Date.parse(a) - Date.parse(b));
  return [{ ...whole, reason: [...new Set(used.map(({ reason }) => reason))].join('; '), until }];
}

/** Warnings and notes need no excuse. */
function failuresOf(result: CheckResult | undefined): readonly Finding[] {
  if (result?.result.kind !== 'fail') return [];
  return result.findings.filter(({ severity }) => severity === 'fail');
}

/** An entry without clause or place covers all of them. */
function names({ clause, pointer }: BaselineEntry, finding: Finding): boolean {
  return (
    (clause ?? finding.clause) === finding.clause && placeIn(pointer ?? finding.pointer) === placeIn(finding.pointer)
  );
}

/** The same place in any item of a list. */
function placeIn(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}

/** For messages, and to find doubles. */
function nameOf({ check, clause, pointer }: BaselineEntry): string {
  return [check, clause, pointer].filter((part) => part !== undefined).join(' ');
}

/** A baseline of everything that fails now; what was known keeps its reason, for the rest a person has to write one. */
export function writeBaseline(results: readonly CheckResult[], known: readonly BaselineEntry[]): string {
  const entries = results.flatMap((result) =>
    failuresOf(result).map((finding): BaselineEntry => {
      const before = known.find((entry) => entry.check === result.id && names(entry, finding));
      const place = { check: result.id, clause: finding.clause, pointer: placeIn(finding.pointer) };
      const link = before?.link === undefined ? {} : { link: before.link };
      return { ...place, reason: before?.reason ?? '', ...link, until: before?.until ?? null };
    }),
  );
  const once = entries.filter((entry, at) => entries.findIndex((other) => nameOf(other) === nameOf(entry)) === at);
  return `${JSON.stringify(once, null, 2)}\n`;
}
