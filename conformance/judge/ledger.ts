// The record of a check or a rule: its tests, its findings, and the result that follows. Two principles live here: a
// pass needs at least one expectation that could have failed and that proves a clause, and a finding is never graver
// than the basis of its clause allows.
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isDataName } from '../exchange/personal.ts';
import { type Finding, type InconclusiveReason, type Level, type Result, type Severity, severities } from './result.ts';

/** One expectation: the clause it rests on, and the words of a finding should it be broken. */
export interface Claim {
  readonly clause: ClauseId;
  /**
   * Clauses that this claim shows to hold: the clause itself if absent, several if one response shows them all, none if
   * the response has other possible reasons.
   */
  readonly proves?: readonly ClauseId[];
  /** JSON pointer into the body, or `#status`, `#header/<name>`, `#body`; the whole body when absent. */
  readonly pointer?: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange?: Exchange | null;
  readonly message?: string;
}

/** Never throws: a check reports observations, and the ledger decides the result. */
export type Ledger = ReturnType<typeof makeLedger>;

/** So many exchanges are remembered for each clause that held. */
const placesMax = 3;

/** Kept by one check or rule; what comes later is counted by its clause. */
export const findingsMax = 200;

/**
 * Findings that differ only by an index are merged with a count: a list of a thousand wrong rows is one problem.
 * `conclude` orders findings by importance.
 */
export function makeLedger(level: Level) {
  const findings = new Map<string, Finding>();
  /** The exchanges of each finding. */
  const shownBy = new Map<string, Set<string>>();
  const shown = new Set<ClauseId>();
  const shownIn = new Map<ClauseId, string[]>();
  const doubtful = new Set<ClauseId>();
  let [evidence, decisive] = [0, 0];
  let doubt: State['doubt'] = null;
  let crash: string | null = null;

  /** Records a finding without a test; never counts as evidence. */
  const record = (severity: Severity, claim: Claim, places = 1) => {
    const finding = toFinding(lowest(severity, capOf(level), basisCap(claim.clause)), claim);
    const place = `${finding.severity} ${finding.clause} ${finding.pointer.replace(/\/\d+(?=\/|$)/g, '/*')} ${finding.expected}`;
    const own = findings.has(place) ? place : null;
    // After the maximum is reached, the first finding of a clause counts for later ones.
    const kept = own ?? (findings.size < findingsMax ? place : `${finding.severity} ${finding.clause}`);
    const known = findings.get(kept);
    findings.set(kept, { ...(known ?? finding), count: (known?.count ?? 0) + places });
    if (finding.exchange !== null) shownBy.set(kept, (shownBy.get(kept) ?? new Set()).add(finding.exchange));
  };
  /** The same expectation at many places, counted as one claim. */
  const holdsAt = (places: number, isTrue: boolean, claim: Claim, severity: Severity = 'fail'): boolean => {
    evidence += places;
    if (claim.proves?.length !== 0) decisive += places;
    if (!isTrue) record(severity, claim, places);
    const about = (claim.proves ?? [claim.clause]).filter((clause) => couldFail(severity, clause));
    for (const clause of about) (isTrue ? shown : doubtful).add(clause);
    if (isTrue) for (const clause of about) remember(clause, claim.exchange?.id);
    return isTrue;
  };
  const remember = (clause: ClauseId, id: string | undefined) => {
    const known = shownIn.get(clause) ?? [];
    if (id !== undefined && known.length < placesMax && !known.includes(id)) shownIn.set(clause, [...known, id]);
  };
  /** An expectation that could only have been noted proves nothing. */
  const couldFail = (severity: Severity, clause: ClauseId) =>
    lowest(severity, capOf(level), basisCap(clause)) !== 'note';
  return {
    /** Tests an expectation; a failure becomes a finding of the given severity. Returns whether it holds. */
    holds: (isTrue: boolean, claim: Claim, severity?: Severity) => holdsAt(1, isTrue, claim, severity),
    holdsAt,
    record,
    /** Records that something stayed open, and why, so the result is not a pass. */
    doubt(reason: InconclusiveReason, message: string) {
      doubt ??= { reason, message };
    },
    crash(message: string) {
      crash ??= message;
    },
    get evidence() {
      return evidence;
    },
    /** Clauses on which something was seen that could have failed, and held. */
    get shown(): ReadonlySet<ClauseId> {
      return new Set([...shown].filter((clause) => !doubtful.has(clause)));
    },
    /** The first exchanges that showed them, by their ids. */
    shownIn: shownIn as ReadonlyMap<ClauseId, readonly string[]>,
    findings: (): Finding[] =>
      [...findings]
        .map(([place, finding]) => withAlike(finding, shownBy.get(place)))
        .sort((a, b) => rank(a.severity) - rank(b.severity)),
    conclude: () => concluded([...findings.values()], { level, crash, doubt, decisive, evidence }),
  };
}

interface State {
  readonly level: Level;
  readonly crash: string | null;
  readonly doubt: { readonly reason: InconclusiveReason; readonly message: string } | null;
  /** Expectations that were put to the test, and those of them that prove something. */
  readonly evidence: number;
  readonly decisive: number;
}

function concluded(findings: readonly Finding[], { level, crash, doubt, decisive, evidence }: State): Result {
  const has = (severity: Severity) => findings.some((finding) => finding.severity === severity);
  if (has('fail')) return { kind: 'fail' };
  if (crash !== null) return { kind: 'error', message: crash };
  if (doubt !== null) return { kind: 'inconclusive', ...doubt };
  if (has('warn')) return { kind: 'warn' };
  if (level === 'observe' && has('note')) return { kind: 'note' };
  return decisive > 0 ? { kind: 'pass' } : { kind: 'inconclusive', reason: 'vacuous', message: openWords(evidence) };
}

function openWords(evidence: number): string {
  return evidence > 0 ? 'no response that could have shown a violation' : 'no response to test';
}

function withAlike(finding: Finding, exchanges: ReadonlySet<string> = new Set()): Finding {
  return exchanges.size < 2 ? finding : { ...finding, alike: [...exchanges].filter((id) => id !== finding.exchange) };
}

/** Cut here, once, so no report has to bound it again. */
function toFinding(severity: Severity, claim: Claim): Finding {
  return {
    severity,
    clause: claim.clause,
    pointer: brief(claim.pointer ?? ''),
    expected: brief(claim.expected),
    actual: brief(claim.actual),
    exchange: claim.exchange?.id ?? null,
    count: 1,
    ...(claim.message === undefined ? {} : { message: brief(claim.message) }),
  };
}

const textCharactersMax = 2000;

/** A pointer may have the name of a field in it, and that may be a megabyte long. */
function brief(text: string): string {
  return cut(text, textCharactersMax);
}

/** A word that would be cut is omitted: redaction recognizes only whole addresses and numbers. */
export function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax);
  return `${head.replace(/(?<![^\s"',;])[^\s"',;]{1,80}$/, '')}…`;
}

/** 0 is the gravest. */
function rank(severity: Severity): number {
  return severities.indexOf(severity);
}

/** The mildest of several: each of them is an upper bound. */
function lowest(...given: Severity[]): Severity {
  return severities[Math.max(...given.map(rank))] ?? 'note';
}

/** How grave a finding of such a check can be at most. */
function capOf(level: Level): Severity {
  if (level === 'must') return 'fail';
  return level === 'should' ? 'warn' : 'note';
}

/** A clause without a stated basis can never fail a deployment, independent of the check's level. */
function basisCap(clause: ClauseId): Severity {
  const { basis } = clauses[clause];
  if (basis === 'unspecified') return 'note';
  return basis === 'contradictory' ? 'warn' : 'fail';
}

const shownCharactersMax = 160;

/** A value as a finding quotes it. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(beginningOf(value)) ?? String(value));
  return cut(text, shownCharactersMax);
}

/** Enough of a value for the characters that are shown: each item takes two of them at least. */
function beginningOf(value: unknown, space = { left: shownCharactersMax }): unknown {
  space.left -= 1;
  if (typeof value === 'string') return value.slice(0, shownCharactersMax + 1);
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (space.left < 0) break;
    entries.push([
      isDataName(name) ? '<name>' : name.slice(0, shownCharactersMax + 1),
      beginningOf((value as Record<string, unknown>)[name], space),
    ]);
  }
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
