// From failed checks to causes: findings that one defect explains become one cause. Pure: it reads a report and sends
// nothing. Nothing is hidden, because every failed check belongs to exactly one cause as evidence or as a consequence.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { oncePer } from '../exchange/once.ts';
import type { CheckResult, Finding } from '../judge/result.ts';
import type { Report, StoredExchange } from '../report/report.ts';
import { type Control, controlOf, isSameRequest } from './control.ts';
import { isSameFact } from './same-fact.ts';

/** One defect of the deployment, as far as the run shows it. */
export interface Cause {
  /** The same in each run of a deployment: `listCalls/4.calls.limit-ceiling`. */
  readonly id: string;
  /** Null where the defect concerns several operations. */
  readonly operation: OperationId | 'mcp' | null;
  /** The violated clause first, then the clauses that the same evidence violates. */
  readonly clauses: readonly ClauseId[];
  /** Checks and rules whose findings are about these clauses. The first one has `finding`. */
  readonly checks: readonly string[];
  /** Checks that fail because of the defect and are about something else. */
  readonly consequences: readonly string[];
  /** The finding that names the cause. */
  readonly finding: Finding;
  /** Ids of the exchanges that show it, in the order of sending. */
  readonly exchanges: readonly string[];
  /** For a wrong status, the request that differs in one part and got another result; null when the run sent none. */
  readonly control: Control | null;
  /** Responses that show it, of all responses to the same requests. */
  readonly scope: { readonly seen: number; readonly of: number };
}

/** A finding with the check that has it and the request that it is about. */
interface Symptom {
  readonly check: CheckResult;
  readonly finding: Finding;
  readonly exchange: StoredExchange | undefined;
  readonly operation: OperationId | 'mcp' | null;
}

/** Of one check: a response with hundreds of wrong fields is grouped by the first of them. */
const symptomsMax = 30;

/** The causes of all failures, the worst first; empty when nothing failed. */
export const causesOf = oncePer((report: Report): readonly Cause[] => {
  const groups = grouped(symptomsOf(report)).map(sortedByWeight);
  const blamed = new Set(groups.flat().flatMap(({ exchange }) => exchange?.id ?? []));
  const causes = groups.map((group) => toCause(group, report, blamed));
  return causes
    .sort((one, other) => severityOf(one) - severityOf(other) || sizeOf(other) - sizeOf(one))
    .map((cause, index, all) => {
      const before = all.slice(0, index).filter(({ id }) => id === cause.id).length;
      return before === 0 ? cause : { ...cause, id: `${cause.id}/${before + 1}` };
    });
});

function symptomsOf({ checks, exchanges }: Report): Symptom[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return checks
    .filter(({ result }) => result.kind === 'fail')
    .flatMap((check) =>
      check.findings
        .filter(({ severity }) => severity === 'fail')
        .slice(0, symptomsMax)
        .map((finding) => {
          const exchange = byId.get(finding.exchange ?? '');
          const operation = check.id.startsWith('mcp/') ? 'mcp' : (exchange?.operation ?? null);
          return { check, finding, exchange, operation };
        }),
    );
}

/** The connected components of `isOneDefect`, in the order of the run. */
function grouped(symptoms: readonly Symptom[]): Symptom[][] {
  const groups: Symptom[][] = [];
  for (const symptom of symptoms) {
    const joined = groups.filter((group) => group.some((other) => isOneDefect(symptom, other)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), symptom]);
  }
  return groups;
}

function isOneDefect(one: Symptom, other: Symptom): boolean {
  const [a, b] = [one.finding, other.finding];
  const isSameOperation = one.operation !== null && one.operation === other.operation;
  const isOpen = one.operation === null || other.operation === null;
  return (
    (a.exchange !== null && a.exchange === b.exchange) ||
    isSameFact(a.clause, b.clause) ||
    (one.check === other.check && (isSameOperation || isOpen || a.actual === b.actual)) ||
    (isSameOperation && placeOf(a) === placeOf(b) && (a.pointer !== '#status' || a.actual === b.actual))
  );
}

/** The items of a list, and the list as a whole, are one place. */
const placeOf = ({ pointer }: Finding) => pointer.replace(/\/\d+(?=\/|$)/g, '/*').replace(list, '');
const list = /^(\/data)?(\/(calls|reviews|accounts))?(\/\*)?$/;

/** A rule about one status or body is seen with every other defect of the response, so it names a cause last. */
const general = new Set(['rule/status', 'rule/json']);

/**
 * The finding that most checks of the group agree with comes first. Of two about one fact, a check is more specific
 * than a rule. Of two facts, the one of a rule is usually the root.
 */
function sortedByWeight(group: readonly Symptom[]): readonly Symptom[] {
  const votes = ({ finding }: Symptom) =>
    new Set(group.filter((other) => isSameFact(finding.clause, other.finding.clause)).map(({ check }) => check.id))
      .size;
  const exact = ({ finding }: Symptom) =>
    new Set(group.filter((other) => other.finding.clause === finding.clause).map(({ check }) => check.id)).size;
  const rank = (symptom: Symptom) => (general.has(symptom.check.id) ? 1 : 0);
  const isRule = ({ check }: Symptom) => (check.id.startsWith('rule/') ? 1 : 0);
  const sorted = [...group].sort(
    (a, b) => rank(a) - rank(b) || votes(b) - votes(a) || isRule(b) - isRule(a) || exact(b) - exact(a),
  );
  const [first] = sorted as [Symptom, ...Symptom[]];
  const specific = sorted.find((each) => isRule(each) === 0 && isSameFact(each.finding.clause, first.finding.clause));
  return specific === undefined ? sorted : [specific, ...sorted.filter((each) => each !== specific)];
}

function toCause(group: readonly Symptom[], report: Report, blamed: ReadonlySet<string>): Cause {
  const [first] = group as [Symptom, ...Symptom[]];
  const isDirect = ({ finding }: Symptom) => isSameFact(finding.clause, first.finding.clause);
  const direct = group.filter(isDirect);
  const checks = idsOf(direct);
  const operation =
    operationOf(direct) ?? (direct.every((each) => each.operation === null) ? operationOf(group) : null);
  const shown = group.flatMap(({ exchange }) => exchange ?? []);
  const bad = first.exchange ?? shown[0];
  return {
    id: `${operation ?? 'all'}/${first.finding.clause}`,
    operation,
    clauses: [...new Set([...direct, ...group].map(({ finding }) => finding.clause))],
    checks,
    consequences: idsOf(group).filter((id) => !checks.includes(id)),
    finding: first.finding,
    exchanges: report.exchanges.filter((exchange) => shown.includes(exchange)).map(({ id }) => id),
    control: bad === undefined || first.finding.pointer !== '#status' ? null : controlOf(bad, report.exchanges, blamed),
    scope: scopeOf(first, [...new Set(shown)], report),
  };
}

const idsOf = (symptoms: readonly Symptom[]) => [...new Set(symptoms.map(({ check }) => check.id))];

/** The operation that all of them are about; null where there are several or none. */
function operationOf(symptoms: readonly Symptom[]): Cause['operation'] {
  const operations = new Set(symptoms.flatMap(({ operation }) => operation ?? []));
  const [only = null] = operations;
  return operations.size === 1 ? only : null;
}

/** Only a status can be compared with that of every other response to the same request. */
function scopeOf(first: Symptom, shown: readonly StoredExchange[], { exchanges }: Report): Cause['scope'] {
  const bad = first.exchange;
  if (bad === undefined || first.finding.pointer !== '#status') return { seen: shown.length, of: shown.length };
  const same = exchanges.filter((exchange) => shown.includes(exchange) || isSameRequest(exchange, bad));
  const isAlike = (exchange: StoredExchange) => shown.includes(exchange) || exchange.status === bad.status;
  return { seen: same.filter(isAlike).length, of: same.length };
}

/** 0 is the worst: access to data, then lost or repeated data, then everything else. */
function severityOf({ finding: { clause } }: Cause): number {
  if (/^5\.|^1\.(organization-scope|foreign-record)$/.test(clause)) return 0;
  return /exactly-once|\.walk$|final-outcome|site-id$/.test(clause) ? 1 : 2;
}

const sizeOf = ({ checks, consequences }: Cause) => checks.length + consequences.length;
