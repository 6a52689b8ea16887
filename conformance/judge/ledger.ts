// The record of a check or a rule: its tests, its findings, and the verdict that follows. Two principles live here:
// a pass needs at least one expectation that could have failed, and a finding is never graver than the standing of its
// clause allows (rulings, "Every clause has a standing").
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import {
  type Finding,
  type InconclusiveReason,
  type Level,
  type Severity,
  severities,
  type Verdict,
} from './verdict.ts';

export interface Claim {
  readonly clause: ClauseId;
  /**
   * Clauses that are shown to hold when this holds, and none of which is shown when it does not: the clause itself when
   * absent, several where one answer tells of them all, none where the answer may have come about without the clause.
   */
  readonly proves?: readonly ClauseId[];
  /** JSON pointer into the body, or `#status`, `#header/<name>`, `#body`; the whole body when absent. */
  readonly pointer?: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange?: Exchange | null;
  readonly message?: string;
}

export interface Ledger {
  /** Puts an expectation to the test; a broken one becomes a finding of the given severity. Returns whether it holds. */
  holds(isTrue: boolean, claim: Claim, severity?: Severity): boolean;
  /** Records a finding without a test; never counts as evidence. */
  record(severity: Severity, claim: Claim): void;
  /** Records that something stayed open, and why, so that the verdict is not a pass. */
  doubt(reason: InconclusiveReason, message: string): void;
  crash(message: string): void;
  readonly evidence: number;
  /** Clauses on which something was seen that could have failed, and held. */
  readonly shown: ReadonlySet<ClauseId>;
  findings(): Finding[];
  conclude(): Verdict;
}

export function makeLedger(level: Level): Ledger {
  const findings = new Map<string, Finding>();
  const shown = new Set<ClauseId>();
  const doubtful = new Set<ClauseId>();
  let evidence = 0;
  let doubt: { reason: InconclusiveReason; message: string } | null = null;
  let crash: string | null = null;

  const record = (severity: Severity, claim: Claim) => {
    const finding = toFinding(lowest(severity, capOf(level), standingCap(claim.clause)), claim);
    const place = `${finding.severity} ${finding.clause} ${finding.pointer.replace(/\/\d+(?=\/|$)/g, '/*')} ${finding.expected}`;
    const known = findings.get(place);
    findings.set(place, known ? { ...known, count: known.count + 1 } : finding);
  };
  /** An expectation that could only have been noted proves nothing. */
  const couldFail = (severity: Severity, clause: ClauseId) =>
    lowest(severity, capOf(level), standingCap(clause)) !== 'note';
  const has = (severity: Severity) => [...findings.values()].some((finding) => finding.severity === severity);
  return {
    holds(isTrue, claim, severity = 'fail') {
      evidence += 1;
      if (!isTrue) record(severity, claim);
      const about = (claim.proves ?? [claim.clause]).filter((clause) => couldFail(severity, clause));
      for (const clause of about) (isTrue ? shown : doubtful).add(clause);
      return isTrue;
    },
    record,
    doubt(reason, message) {
      doubt ??= { reason, message };
    },
    crash(message) {
      crash ??= message;
    },
    get evidence() {
      return evidence;
    },
    get shown() {
      return new Set([...shown].filter((clause) => !doubtful.has(clause)));
    },
    findings: () => [...findings.values()].sort((a, b) => rank(a.severity) - rank(b.severity)),
    conclude() {
      if (has('fail')) return { kind: 'fail' };
      if (crash !== null) return { kind: 'error', message: crash };
      if (doubt !== null) return { kind: 'inconclusive', ...doubt };
      if (has('warn')) return { kind: 'warn' };
      if (level === 'observe' && has('note')) return { kind: 'note' };
      if (evidence > 0) return { kind: 'pass' };
      return { kind: 'inconclusive', reason: 'vacuous', message: 'nothing was seen that could have failed' };
    },
  };
}

function toFinding(severity: Severity, claim: Claim): Finding {
  return {
    severity,
    clause: claim.clause,
    pointer: claim.pointer ?? '',
    expected: claim.expected,
    actual: claim.actual,
    exchange: claim.exchange?.id ?? null,
    count: 1,
    ...(claim.message === undefined ? {} : { message: claim.message }),
  };
}

function rank(severity: Severity): number {
  return severities.indexOf(severity);
}

function lowest(...given: Severity[]): Severity {
  return severities[Math.max(...given.map(rank))] ?? 'note';
}

function capOf(level: Level): Severity {
  if (level === 'must') return 'fail';
  return level === 'should' ? 'warn' : 'note';
}

function standingCap(clause: ClauseId): Severity {
  const { standing } = clauses[clause];
  if (standing === 'silent') return 'note';
  return standing === 'conflicting' ? 'warn' : 'fail';
}

const SHOWN_CHARACTERS_MAX = 160;

/** A value as a finding quotes it. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…`;
}
