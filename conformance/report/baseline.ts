// Known failures. Each names one check and why it may fail; one that no longer fails must go, so that the file stays true.

import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { type CheckResult, hasConcluded } from '../judge/verdict.ts';

export interface BaselineEntry {
  readonly check: string;
  readonly reason: string;
  /** ISO 8601 date; from that day on the failure counts again. */
  readonly until: string | null;
}

export interface BaselineOutcome {
  /** Failing checks that the baseline covers. */
  readonly excused: readonly BaselineEntry[];
  /** Entries whose check has been seen not to fail. */
  readonly stale: readonly BaselineEntry[];
  /** Entries whose check fails after the day until which it might. */
  readonly expired: readonly BaselineEntry[];
}

const MEMBERS = ['check', 'reason', 'until'];

/** Reads `[{ "check": "articles/page-walk", "reason": "ticket 12", "until": "2027-01-31" }]`. */
export function parseBaseline(text: string, ids: readonly string[]): BaselineEntry[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw new UsageError('The baseline is not JSON; it is a list like [{ "check": "area/name", "reason": "why" }].');
  }
  if (!Array.isArray(entries)) throw new UsageError('The baseline is not a list.');
  const parsed = entries.map((entry, index) => parseEntry(entry, index, ids));
  const twice = parsed.find(({ check }, index) => parsed.findIndex((other) => other.check === check) !== index);
  if (twice) throw new UsageError(`The baseline names ${twice.check} twice.`);
  return parsed;
}

function parseEntry(entry: unknown, index: number, ids: readonly string[]): BaselineEntry {
  const at = `Entry ${index + 1} of the baseline`;
  if (typeof entry !== 'object' || entry === null) throw new UsageError(`${at} is not an object.`);
  const extra = Object.keys(entry).find((name) => !MEMBERS.includes(name));
  if (extra !== undefined)
    throw new UsageError(`${at} has an unknown member "${extra}"; it takes ${MEMBERS.join(', ')}.`);
  const { check, reason, until = null } = entry as Record<string, unknown>;
  if (typeof check !== 'string' || !ids.includes(check)) {
    throw new UsageError(`${at}: no check is called "${check}".${didYouMean(String(check), ids)}`);
  }
  if (typeof reason !== 'string' || reason.trim() === '') throw new UsageError(`${at} (${check}) has no reason.`);
  if (
    until !== null &&
    (typeof until !== 'string' || !/^\d{4}-\d\d-\d\d/.test(until) || Number.isNaN(Date.parse(until)))
  ) {
    throw new UsageError(`${at} (${check}): "until" is not a date like 2027-01-31.`);
  }
  return { check, reason, until };
}

export function applyBaseline(
  entries: readonly BaselineEntry[],
  results: readonly CheckResult[],
  nowMs: number,
): BaselineOutcome {
  const verdictOf = (entry: BaselineEntry) => results.find(({ id }) => id === entry.check)?.verdict.kind;
  const hasEnded = ({ until }: BaselineEntry) => until !== null && Date.parse(until) <= nowMs;
  const failing = entries.filter((entry) => verdictOf(entry) === 'fail');
  return {
    excused: failing.filter((entry) => !hasEnded(entry)),
    expired: failing.filter(hasEnded),
    // A check that did not run, or came to no result, may still fail.
    stale: entries.filter((entry) => hasConcluded(verdictOf(entry)) && verdictOf(entry) !== 'fail'),
  };
}
