// From failed checks to causes: findings that one defect explains become one cause. Pure: it reads a report and sends
// nothing. Nothing is hidden, because every failed check belongs to exactly one cause as evidence or as a consequence.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { oncePer } from '../../exchange/history.ts';
import type { Finding } from '../../judge/result.ts';
import { isOfIsolation } from '../coverage.ts';
import { evidenceIn, type Report, type StoredExchange } from '../report.ts';
import { isSameFact } from './same-fact.ts';
import { type Control, controlOf, type Evidence, isSameRequest, ruledOutBy, type Scope, scopeOf } from './scope.ts';

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
  readonly scope: Scope;
  /** Other explanations that the run has ruled out: `chance`, `one particular record`. */
  readonly ruledOut: readonly string[];
}

interface Symptom extends Evidence {
  readonly operation: OperationId | 'mcp' | null;
}

/** Of one check: a response with hundreds of wrong fields is grouped by the first of them. */
const symptomsMax = 30;

type Run = Pick<Report, 'checks' | 'exchanges'> & Partial<Pick<Report, 'abort'>>;

/** The causes of all failures, the worst first; empty when nothing failed. */
export const causesOf = oncePer((whole: Run): readonly Cause[] => {
  const report = { ...whole, exchanges: evidenceIn(whole.exchanges, whole.abort) };
  const groups = grouped(symptomsOf(report)).map(sortedByWeight);
  const blamed = blamedBy(groups.flat());
  const causes = groups.map((group) => toCause(group, report, blamed));
  return causes
    .sort((one, other) => severityOf(one) - severityOf(other) || sizeOf(other) - sizeOf(one))
    .map((cause, index, all) => {
      const before = all.slice(0, index).filter(({ id }) => id === cause.id).length;
      return before === 0 ? cause : { ...cause, id: `${cause.id}/${before + 1}` };
    });
});

function symptomsOf({ checks, exchanges }: Pick<Report, 'checks' | 'exchanges'>): Symptom[] {
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

/**
 * Findings about one fact are about one defect, and so are findings with a key in common. Causes are thus sets of
 * clauses. A hostile service can cause thousands of findings, so findings are never compared in pairs.
 */
function grouped(symptoms: readonly Symptom[]): Symptom[][] {
  const causeOf = new Map(symptoms.map(({ finding: { clause } }) => [clause, new Set([clause])]));
  const join = (one: ClauseId, other: ClauseId) => {
    const [mine, its] = [causeOf.get(one) ?? [], causeOf.get(other) ?? []];
    if (mine === its) return;
    const both = new Set([...mine, ...its]);
    for (const clause of both) causeOf.set(clause, both);
  };
  const clauses = [...causeOf.keys()];
  for (const one of clauses) for (const other of clauses) if (isSameFact(one, other)) join(one, other);
  const leaks = symptoms.filter(({ check }) => isOfIsolation(check.id));
  const leaked = new Set(leaks.flatMap(({ exchange }) => exchange?.target ?? []));
  const open = new Set(symptoms.flatMap(({ check, operation }) => (operation === null ? check.id : [])));
  const first = new Map<string, ClauseId>();
  for (const symptom of symptoms) {
    const { clause } = symptom.finding;
    for (const key of [...keysOf(symptom, open), ...readsOf(symptom, leaked)]) {
      join(first.get(key) ?? clause, clause);
      first.set(key, clause);
    }
  }
  const groups = new Map<object | undefined, Symptom[]>();
  for (const symptom of symptoms) {
    const cause = causeOf.get(symptom.finding.clause);
    const group = groups.get(cause);
    if (group === undefined) groups.set(cause, [symptom]);
    else group.push(symptom);
  }
  return [...groups.values()];
}

/** A part of the response, the check with its operation or result, and the place in the responses of an operation. */
function keysOf({ check: { id }, finding, operation, exchange: shown }: Symptom, open: ReadonlySet<string>): string[] {
  const { exchange, pointer, alike = [] } = finding;
  // A rule that all rejections violate explains every check that expected a proper one, and a leak what else differs.
  const others = (isRule(id) && !general.has(id)) || isOfIsolation(id) ? alike : [];
  const actual = finding.actual.slice(0, actualCharactersMax);
  const place = `${placeOf(finding)} ${pointer === '#status' ? actual : ''}`;
  // Limits, and fields of a success response that rules validate, are independent of the rest of the response.
  const fields = shown !== undefined && shown.status < 300 ? fieldOfSuccess : fieldOfError;
  const isField = isRule(id) && !general.has(id) && fields.test(placeOf(finding));
  const part = isOfWindow(finding) ? 'limits' : isField ? place : '';
  return [
    ...(exchange === null ? [] : [exchange, ...others]).map((each) => `response ${each} ${part}`),
    open.has(id) ? `check ${id}` : `check ${id} of ${operation}`,
    `check ${id} with ${actual}`,
    ...(operation === null ? [] : [`place ${operation} ${place}`]),
  ];
}

// Cursors are not independent of the pages after them.
const fieldOfSuccess = /^(\/(?!error$)(?!.*cursor$)|#headers)/i;
const fieldOfError = /^(\/error\/(?!code)|#headers)/;
const isOfWindow = ({ clause, pointer }: Finding) =>
  /^#header\/(x-ratelimit|retry)/.test(pointer) || /^8\.(address|key|headers|retry)/.test(clause);

/** A check that compares reads of a list meets a leak in one of them as a record that comes and goes. */
function readsOf({ check: { id }, finding: { pointer }, exchange }: Symptom, leaked: ReadonlySet<string>): string[] {
  const isRead = exchange !== undefined && !isRule(id) && pointer !== '#status';
  return isRead && leaked.has(exchange.target) ? [`leak ${exchange.target}`] : [];
}

const actualCharactersMax = 500;

/** The items of a list, and the list as a whole, are one place. */
const placeOf = ({ pointer }: Pick<Finding, 'pointer'>) => pointer.replace(/\/\d+(?=\/|$)/g, '/*').replace(list, '');
const list = /^(\/data)?(\/(calls|reviews|accounts))?(\/\*)?$/;

/** A rule about one status or body is seen with every other defect of the response, so it names a cause last. */
const general = new Set(['rule/status', 'rule/json']);

/**
 * The finding that most checks of the group agree with comes first. Of two about one fact, a check is more specific
 * than a rule. Of two facts, the one of a rule is usually the root.
 */
function sortedByWeight(group: readonly Symptom[]): readonly Symptom[] {
  const checksOf = new Map<ClauseId, Set<string>>();
  for (const { finding, check } of group)
    checksOf.set(finding.clause, (checksOf.get(finding.clause) ?? new Set()).add(check.id));
  const weights = new Map(
    [...checksOf].map(([clause, exact]) => {
      const votes = [...checksOf].flatMap(([other, checks]) => (isSameFact(clause, other) ? [...checks] : []));
      return [clause, { votes: new Set(votes).size, exact: exact.size }];
    }),
  );
  const crashed = new Set(group.some(isCrash) ? group.filter(isBodyOfCrash).map(({ finding }) => finding) : []);
  const weightOf = ({ finding, exchange, check: { id } }: Symptom) => ({
    ...(weights.get(finding.clause) ?? { votes: 0, exact: 0 }),
    isGeneral: general.has(id) || isByTheWay(id, finding.clause) || crashed.has(finding) ? 1 : 0,
    covers: isRule(id) && !isOfWindow(finding) && finding.exchange !== null && coversAll(finding, group) ? 1 : 0,
    reach: reachOf(finding, exchange),
    isNamesake: finding.clause.endsWith(`.${id.split('/')[1]}`) ? 1 : 0,
    isRule: isRule(id) ? 1 : 0,
    isLeak: isOfIsolation(id) ? 1 : 0,
  });
  const sorted = group
    .map((symptom) => ({ symptom, weight: weightOf(symptom) }))
    .sort(
      ({ weight: a }, { weight: b }) =>
        a.isGeneral - b.isGeneral ||
        b.isLeak - a.isLeak ||
        b.covers - a.covers ||
        b.reach - a.reach ||
        b.votes - a.votes ||
        b.isRule - a.isRule ||
        b.exact - a.exact ||
        b.isNamesake - a.isNamesake,
    )
    .map(({ symptom }) => symptom);
  const [first] = sorted as [Symptom, ...Symptom[]];
  const specific = sorted.find(
    ({ check, finding }) => !isRule(check.id) && isSameFact(finding.clause, first.finding.clause),
  );
  return specific === undefined ? sorted : [specific, ...sorted.filter((each) => each !== specific)];
}

/** A missing key explains an invalid one, and a limit explains its headers. A walk is explained by its cursors. */
function reachOf({ clause }: Finding, exchange: StoredExchange | undefined): number {
  if (/exactly-once$|\.walk$/.test(clause)) return -1;
  return /^8\.(address|key)-window/.test(clause) || (clause === '5.missing-key' && exchange?.key === 'none') ? 1 : 0;
}

/** An undocumented status is the cause of an invalid body. */
const isCrash = ({ finding: { pointer, actual }, check: { id } }: Symptom) =>
  pointer === '#status' && actual.startsWith('500') && !general.has(id);
const isBodyOfCrash = ({ finding: { pointer }, exchange, check: { id } }: Symptom) =>
  isRule(id) && pointer !== '#status' && exchange?.status === 500;

/** A check of the limits that meets another wrong status sees it with every request of that kind. */
const isByTheWay = (id: string, clause: ClauseId) => id.startsWith('limits/') && !/^[58]\./.test(clause);

/** Whether a finding is about every response of its group, and there are several. */
function coversAll({ exchange, alike = [] }: Finding, group: readonly Symptom[]): boolean {
  const own = new Set([exchange, ...alike]);
  const all = group.flatMap(({ finding }) => finding.exchange ?? []);
  return own.size > 1 && all.every((id) => own.has(id));
}

const isRule = (id: string) => id.startsWith('rule/');

/** Ids of the exchanges that findings are about. */
function blamedBy(symptoms: readonly Symptom[]): Set<string> {
  return new Set(
    symptoms.flatMap(({ finding: { exchange, alike = [] } }) => [...(exchange ? [exchange] : []), ...alike]),
  );
}

type Sent = Pick<Report, 'exchanges'>;

function toCause(group: readonly Symptom[], { exchanges }: Sent, blamed: ReadonlySet<string>): Cause {
  const [first] = group as [Symptom, ...Symptom[]];
  const isDirect = ({ finding }: Symptom) => isSameFact(finding.clause, first.finding.clause);
  const direct = group.filter(isDirect);
  const checks = idsOf(direct);
  const operation =
    operationOf(direct) ?? (direct.every((each) => each.operation === null) ? operationOf(group) : null);
  const ids = blamedBy(group);
  const cited = new Set(group.flatMap(({ exchange }) => exchange?.id ?? []));
  const { exchange: bad, finding } = first;
  const { unsteady } = finding;
  for (const id of unsteady?.exchanges ?? []) cited.add(id);
  const isStatus = bad !== undefined && finding.pointer === '#status';
  const ofStatus = isStatus ? controlOf(bad, exchanges, blamed) : null;
  const control = finding.firstRead === undefined ? ofStatus : { exchange: finding.firstRead, differsIn: 'path' };
  const shown = new Set(exchanges.filter(({ id }) => ids.has(id)));
  const scope =
    unsteady === undefined
      ? scopeOf(first, { shown, blamed, exchanges })
      : { seen: unsteady.without.length, of: unsteady.exchanges.length, varied: [] };
  const isRejection = /\b[45]\d\d\b/.test(finding.expected);
  const isKind = !isStatus || isRejection === bad.status < 400;
  const consequences = idsOf(group).filter((id) => !checks.includes(id));
  return {
    id: `${operation ?? 'all'}/${first.finding.clause}`,
    operation,
    clauses: [...new Set([...direct, ...group].map(({ finding }) => finding.clause))],
    checks,
    consequences,
    finding,
    exchanges: exchanges.flatMap(({ id }) => (cited.has(id) ? [id] : [])),
    control,
    scope,
    ruledOut: unsteady === undefined ? ruledOutBy(scope, control, isKind) : ['a change of the data'],
  };
}

const idsOf = (symptoms: readonly Symptom[]) => [...new Set(symptoms.map(({ check }) => check.id))];

/** The operation that all of them are about; null where there are several or none. */
function operationOf(symptoms: readonly Symptom[]): Cause['operation'] {
  const operations = new Set(symptoms.flatMap(({ operation }) => operation ?? []));
  const [only = null] = operations;
  return operations.size === 1 ? only : null;
}

/** 0 is the worst: access to data, then lost or repeated data, then everything else. */
function severityOf({ finding: { clause } }: Cause): number {
  if (/^5\.|^1\.(organization-scope|foreign-record)$/.test(clause)) return 0;
  return /exactly-once|\.walk$|final-outcome|site-id$/.test(clause) ? 1 : 2;
}

const sizeOf = ({ checks, consequences }: Cause) => checks.length + consequences.length;

// The shortest sequence of requests that shows a defect, for example the read that fills a cache before the request
// that must be rejected. A run sends it again at its end.

export interface Sequence {
  readonly requests: readonly StoredExchange[];
  /** How often the run sent exactly these requests again in order, and how often the result was the same. */
  readonly sent: number;
  readonly same: number;
}

type SentRequest = readonly StoredExchange[];

/** Empty for a finding without an exchange; one request where no earlier one matters. */
export function sequenceOf({ finding }: Pick<Cause, 'finding'>, exchanges: SentRequest): Sequence {
  const { unsteady } = finding;
  const at = exchanges.findIndex(({ id }) => id === (unsteady?.exchanges[0] ?? finding.exchange));
  const own = exchanges[at];
  if (own === undefined) return { requests: [], sent: 0, same: 0 };
  if (unsteady !== undefined)
    return { requests: [own], sent: unsteady.exchanges.length, same: unsteady.without.length };
  const before = exchanges.slice(0, at).filter(({ method }) => method === 'GET');
  const isStatus = finding.pointer === '#status';
  const proof = new Set((finding.proof ?? []).map(({ exchange }) => exchange));
  const opener = isStatus ? openerOf(own, before) : undefined;
  // The key that has the record may have read it later.
  const isWitness = ({ id, key, method }: StoredExchange) => proof.has(id) && key !== own.key && method === 'GET';
  const witnesses = exchanges
    .slice(at + 1)
    .filter((each) => finding.clause === '1.organization-scope' && isWitness(each));
  const requests = [...(opener ? [opener] : [...before.filter(({ id }) => proof.has(id)), ...witnesses]), own];
  const runs = exchanges.flatMap((_, from) => {
    const run = exchanges.slice(from, from + requests.length);
    const isRun = from > at && requests.every((each, index) => run[index] && isSameRequest(each, run[index]));
    return isRun ? [{ run, fresh: exchanges[from - 1] }] : [];
  });
  const isOpen = runs.some(({ fresh }) => fresh && isOther(fresh, own) && fresh.status < 400);
  const twin = requests.findLastIndex((each) => each !== own && isSameRequest(each, own));
  const isLike = (one: StoredExchange, other: StoredExchange) =>
    one.status === other.status && (isStatus || one.bodySha256 === other.bodySha256);
  // Two responses to one request contradict each other. Any other response is compared with the first one.
  const same = runs.filter(({ run }) => {
    const [last, earlier] = [run.at(-1) ?? own, run[twin]];
    return earlier === undefined ? isLike(last, own) : !isLike(last, earlier);
  }).length;
  return { requests: opener && isOpen ? [own] : requests, sent: runs.length, same };
}

/** The read with the valid key that might have opened the response to others. */
function openerOf({ key, target, status }: StoredExchange, before: SentRequest): StoredExchange | undefined {
  if (key === 'good' || status >= 400) return undefined;
  return before.findLast((each) => each.target === target && each.key === 'good' && each.status === 200);
}

const isOther = (fresh: StoredExchange, own: StoredExchange) =>
  fresh.key === own.key && fresh.operation === own.operation && fresh.target !== own.target;
