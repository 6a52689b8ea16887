// The claims file of a deployment: capabilities, behavior, known failures and expected results, each with a reason.
// Other findings of a check fail, and an entry that does not match the run must be removed.

import { type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import { clauses } from '../../src/contract/generated/clauses.ts';
import { parseJson } from '../../src/contract/json.ts';
import { whyNoBehavior } from '../../src/contract/profile.ts';
import { optional, type Reader, type Readers, readFields, shown } from '../../src/options/define-options.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { shareName } from '../behaviors/observe.ts';
import { checks } from '../checks/index.ts';
import { canonical } from '../exchange/canonical.ts';
import { type CheckResult, type Finding, hasConcluded, isOpen, type ResultKind } from '../judge/result.ts';
import { type ClaimableCapability, claimable, needs } from '../scenarios/capabilities.ts';
import { scenarios } from '../scenarios/index.ts';
import { countedIn } from './coverage.ts';
import type { Report } from './report.ts';

/** Why an entry is in the file. */
interface Accepted {
  readonly reason: string;
  /** Address of the ticket or decision. */
  readonly link?: string;
  readonly acceptedBy?: string;
  /** ISO 8601 date; from that day on the entry has no effect. */
  readonly until: string | null;
}

/** Check, clause and place together name it; two entries of one name are rejected. */
export interface KnownFailure extends Accepted {
  readonly check: string;
  /** Any clause when absent: then the entry covers the whole check. */
  readonly clause?: string;
  /** As in a report, with `*` for the number of an item; any place when absent. */
  readonly pointer?: string;
}

const expectedResults = ['warn', 'inconclusive', 'skipped'] as const;

/** A result that `--fail-on` does not count. */
export interface Expectation extends Accepted {
  readonly check: string;
  readonly result: (typeof expectedResults)[number];
}

/** The contents of the file. */
export interface Claims {
  readonly $schema?: string;
  readonly capabilities: { readonly [Name in ClaimableCapability]?: boolean };
  readonly behaviors: { readonly [Id in BehaviorId]?: unknown };
  readonly knownFailures: readonly KnownFailure[];
  readonly expected: readonly Expectation[];
}

/** The claims next to the results of a run. */
export interface ClaimsOutcome {
  /** Failing checks of whose findings each is known: one entry for each. */
  readonly excused: readonly KnownFailure[];
  /** Known failures whose check came to another result. */
  readonly stale: readonly KnownFailure[];
  /** Known failures that still fail after their last day. */
  readonly expired: readonly KnownFailure[];
  /** Expected results that occurred. */
  readonly met: readonly Expectation[];
  /** Expected results that did not occur. */
  readonly missed: readonly (Expectation & { readonly observed: ResultKind })[];
  /** Behavior that is claimed and observed otherwise. */
  readonly contradicted: readonly { readonly behavior: string; readonly claimed: unknown; readonly observed: string }[];
  /** Claimed capabilities that no check tested, and how to test them. */
  readonly refused: readonly { readonly capability: string; readonly how: string }[];
  /** Claimed capabilities whose checks have known failures. */
  readonly withdrawn: readonly { readonly capability: string; readonly checks: readonly string[] }[];
  /** The contents of the file, and when they were compared. Absent without a file. */
  readonly claims?: Claims;
  /** ISO 8601. */
  readonly at?: string;
}

export const noClaims: ClaimsOutcome = {
  excused: [],
  stale: [],
  expired: [],
  met: [],
  missed: [],
  contradicted: [],
  refused: [],
  withdrawn: [],
};

// Reading the file.

const reader =
  (isForm: (value: unknown) => boolean, why: string | ((value: unknown) => string)): Reader<unknown> =>
  (value, name) =>
    isForm(value)
      ? { ok: true, value }
      : { ok: false, problem: `${name} ${typeof why === 'string' ? why : why(value)}` };

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isLink = (value: unknown) => /^https?:\/\/\S+$/.test(String(value));
const isDay = (value: unknown) => isText(value) && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));

const oneOf = (noun: string, names: readonly string[]) =>
  reader(
    (value) => names.includes(String(value)),
    (value) => `is ${shown(value)}, and no ${noun} has this name.${didYouMean(String(value), names)}`,
  );

const text = optional(reader(isText, 'must be a text that is not empty.'));
const switched = reader((value) => typeof value === 'boolean', 'must be true or false.');
const accepted: Readers = {
  reason: reader(isText, 'is missing: write why the entry is accepted.'),
  link: optional(reader(isLink, 'is not an address like https://tickets.example.com/412.')),
  acceptedBy: text,
  until: (value = null, name) =>
    reader((day) => day === null || isDay(day), 'is not a date like 2027-01-31.')(value, name),
};

const listOf = (fields: Readers) =>
  optional<unknown>((value, name) => {
    if (!Array.isArray(value)) return { ok: false, problem: `${name} must be a list.` };
    const read = value.map((entry, at) => readFields(entry, fields, { noun: 'field', place: `${name}[${at}]` }));
    return read.find(({ ok }) => !ok) ?? { ok: true, value: read.flatMap((one) => (one.ok ? [one.value] : [])) };
  });

const objectOf = (names: readonly string[], of: (name: string) => Reader<unknown>) =>
  optional<unknown>((value, place) =>
    readFields(value, Object.fromEntries(names.map((name) => [name, optional(of(name))])), { noun: 'claim', place }),
  );

function behaviorReader(id: string): Reader<unknown> {
  const why = (value: unknown) => whyNoBehavior(id as BehaviorId, value);
  return reader(
    (value) => why(value) === null,
    (value) => `${why(value)}: it is ${shown(value)}.`,
  );
}

function fieldsFor(ids: readonly string[]): Readers {
  const check = oneOf('check', ids);
  const clause = optional(oneOf('clause', Object.keys(clauses)));
  // The pointer to a whole body is empty.
  const pointer = optional(reader((value) => typeof value === 'string', 'must be a text.'));
  return {
    $schema: text,
    capabilities: objectOf(capabilityNames, () => switched),
    behaviors: objectOf(Object.keys(behaviors), behaviorReader),
    knownFailures: listOf({ check, clause, pointer, ...accepted }),
    expected: listOf({ check, result: oneOf('expected result', expectedResults), ...accepted }),
  };
}

/** Reads the file, or a list of known failures alone. Throws a UsageError with the problem. */
export function parseClaims(json: string, ids: readonly string[]): Claims {
  const given = parseJson(json);
  const reject = (problem: string) => new UsageError(`The claims file cannot be used: ${problem}`);
  if (typeof given !== 'object' || given === null)
    throw reject('it is not JSON like { "knownFailures": [] }. Create one with --write-claims.');
  const fields = Array.isArray(given) ? { knownFailures: given } : given;
  const read = readFields(fields, fieldsFor(ids), { noun: 'field' });
  if (!read.ok) throw reject(read.problem);
  const claims: Claims = { capabilities: {}, behaviors: {}, knownFailures: [], expected: [], ...read.value };
  for (const list of [claims.knownFailures, claims.expected] as const) {
    const names = list.map(nameOf);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw reject(`it names ${twice} twice.`);
  }
  const placed = claims.knownFailures.find(({ clause, pointer }) => pointer !== undefined && clause === undefined);
  if (placed !== undefined) throw reject(`the "pointer" of ${placed.check} needs a "clause".`);
  return claims;
}

// Comparing it with a run.

type Judged = Pick<Report, 'checks' | 'scenarios' | 'behaviors' | 'recorded' | 'requirements'>;
type Check = (typeof checks)[number];

/** A check is excused only when each of its failures is known. */
export function applyClaims(claims: Claims | null, report: Judged, nowMs: number): ClaimsOutcome {
  if (claims === null) return noClaims;
  const kindOf = ({ check }: { readonly check: string }) => report.checks.find(({ id }) => id === check)?.result.kind;
  const isOn = ({ until }: Accepted) => until === null || Date.parse(until) > nowMs;
  const excused = countedIn(report).flatMap((result) => excuse(result, claims.knownFailures.filter(isOn)));
  const expected = claims.expected.filter(isOn);
  return {
    excused,
    expired: claims.knownFailures.filter((entry) => {
      const result = report.checks.find(({ id }) => id === entry.check);
      return !isOn(entry) && failuresOf(result).some((finding) => names(entry, finding));
    }),
    // A skipped or inconclusive check can still fail later, and so can checks after another failure.
    stale: claims.knownFailures.filter((entry) => hasConcluded(kindOf(entry)) && kindOf(entry) !== 'fail'),
    met: expected.filter((entry) => kindOf(entry) === entry.result),
    missed: expected.flatMap((entry) => {
      const observed = kindOf(entry);
      return observed !== undefined && isMissed(entry.result, observed) ? [{ ...entry, observed }] : [];
    }),
    contradicted: contradictions(claims, report),
    ...capabilityClaims(claims, report, excused),
    claims,
    at: new Date(nowMs).toISOString(),
  };
}

/** A failure is reported anyway, and a check that did not run can still warn. */
function isMissed(expected: Expectation['result'], observed: ResultKind): boolean {
  if (observed === expected || observed === 'fail' || observed === 'error') return false;
  return !(expected === 'warn' && isOpen(observed));
}

/** A behavior that the run did not observe contradicts nothing. */
function contradictions({ behaviors: claimed }: Claims, { behaviors: states }: Judged): ClaimsOutcome['contradicted'] {
  return states.flatMap((state) => {
    const value = claimed[state.id];
    if (value === undefined || state.state === 'unknown') return [];
    const shares = state.state === 'mixed' ? state.shares : {};
    const isSame = canonical(state.value) === canonical(value) && !Object.hasOwn(shares, shareName(value));
    const observed = state.state === 'mixed' ? Object.keys(shares).join(' or ') : shareName(state.value);
    return isSame ? [] : [{ behavior: state.id, claimed: value, observed }];
  });
}

/** Recorded traffic tests a capability by chance, so every claim is accepted. */
function capabilityClaims({ capabilities }: Claims, report: Judged, excused: readonly KnownFailure[]) {
  const claimed = capabilityNames.filter((name) => capabilities[name]);
  const isExcused = (id: string) => excused.some(({ check }) => check === id);
  const withdrawn = claimed.map((capability) => ({
    capability,
    checks: resultsOf(capability, report)
      .map(({ id }) => id)
      .filter(isExcused),
  }));
  const refused = report.recorded === null ? claimed.filter((name) => !isTested(name, report)) : [];
  return {
    refused: refused.map((capability) => ({ capability, how: howToTest(capability, resultsOf(capability, report)) })),
    withdrawn: withdrawn.filter((each) => each.checks.length > 0),
  };
}

const capabilityNames = Object.keys(claimable) as ClaimableCapability[];

/** The scenarios that need the capability. */
function scenariosOf(capability: ClaimableCapability): string[] {
  const wanted: readonly string[] = claimable[capability];
  return scenarios.filter(({ needs: own = [] }) => own.some((need) => wanted.includes(need))).map(({ id }) => id);
}

/** The results of checks without other scenarios. */
function resultsOf(capability: ClaimableCapability, report: Judged): CheckResult[] {
  const asking = scenariosOf(capability);
  const isOwn = ({ scenarios: own = [] }: Check) => own.length > 0 && own.every((id) => asking.includes(id));
  const ids = checks.filter(isOwn).map(({ id }) => id);
  return report.checks.filter(({ id }) => ids.includes(id));
}

/** A check also judges the requests of other scenarios, so its scenarios must have sent some. */
function isTested(capability: ClaimableCapability, report: Judged): boolean {
  const asking = scenariosOf(capability).filter((id) =>
    report.scenarios?.some((one) => one.id === id && one.kind === 'asked' && one.exchanges.length > 0),
  );
  const isAsked = (id: string) =>
    checks.some((one) => one.id === id && one.scenarios?.some((own) => asking.includes(own)));
  return resultsOf(capability, report).some(({ id, result }) => hasConcluded(result.kind) && isAsked(id));
}

/** The easiest way: the shortest message of a skipped check, or why a check came to no result. */
function howToTest(capability: ClaimableCapability, own: readonly CheckResult[]): string {
  const messages = (kind: ResultKind) =>
    own
      .flatMap(({ result }) => (result.kind === kind ? (result.message ?? []) : []))
      .sort((a, b) => a.length - b.length);
  const [message] = [...messages('skipped'), ...messages('inconclusive'), ...messages('error')];
  return message ?? `no selected check tests it; it needs ${needs[claimable[capability][0]].flag}`;
}

/** The entries that cover every failure of a check, merged; none if a failure is new. */
function excuse(result: CheckResult, entries: readonly KnownFailure[]): KnownFailure[] {
  const failures = failuresOf(result);
  const used = entries.filter((entry) => entry.check === result.id && failures.some((each) => names(entry, each)));
  const [first, ...more] = used;
  if (!first || !failures.every((finding) => used.some((entry) => names(entry, finding)))) return [];
  if (more.length === 0) return [first];
  // Together they name the whole check, until the first of them ends.
  const { clause: _clause, pointer: _pointer, ...whole } = first;
  const [until = null] = used.flatMap((entry) => entry.until ?? []).sort((a, b) => Date.parse(a) - Date.parse(b));
  const all = (of: readonly string[]) => [...new Set(of)].join('; ');
  const acceptedBy = all(used.flatMap((entry) => entry.acceptedBy ?? []));
  return [
    { ...whole, reason: all(used.map(({ reason }) => reason)), ...(acceptedBy === '' ? {} : { acceptedBy }), until },
  ];
}

/** Warnings and notes need no excuse. */
function failuresOf(result: CheckResult | undefined): readonly Finding[] {
  if (result?.result.kind !== 'fail') return [];
  return result.findings.filter(({ severity }) => severity === 'fail');
}

/** An entry without clause or place covers all of them. */
function names({ clause, pointer }: KnownFailure, finding: Finding): boolean {
  return (
    (clause ?? finding.clause) === finding.clause && placeIn(pointer ?? finding.pointer) === placeIn(finding.pointer)
  );
}

/** The same place in any item of a list. */
function placeIn(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}

/** For messages, and to find doubles. */
function nameOf({ check, clause, pointer }: Pick<KnownFailure, 'check' | 'clause' | 'pointer'>): string {
  return [check, clause, pointer].filter((part) => part !== undefined).join(' ');
}

/** A sentence about an entry of the claims, for every format. */
export interface ClaimNote {
  /** A check, a behavior or a capability. */
  readonly about: string;
  readonly sentence: string;
  /** Whether the claims must be changed, or the run tests too little. */
  readonly isWrong: boolean;
}

/** Known failures first, because they must not be forgotten. */
export function claimNotes(outcome: ClaimsOutcome): ClaimNote[] {
  const wrong = (about: string, sentence: string): ClaimNote => ({ about, sentence, isWrong: true });
  return [
    ...outcome.excused.map((entry) => ({ about: entry.check, sentence: excuseText(entry), isWrong: false })),
    ...outcome.withdrawn.map(({ capability, checks: ids }) => ({
      about: capability,
      sentence: `is claimed, and the claim is withdrawn because of known failures: ${ids.join(', ')}.`,
      isWrong: false,
    })),
    ...outcome.refused.map(({ capability, how }) => wrong(capability, `is claimed, and was not tested: ${how}.`)),
    ...outcome.contradicted.map(({ behavior, claimed, observed }) =>
      wrong(behavior, `is claimed as ${shareName(claimed)}, and the deployment shows ${observed}.`),
    ),
    ...outcome.expired.map(({ check, until }) => wrong(check, `was a known failure until ${until}; it counts again.`)),
    ...outcome.stale.map(({ check }) => wrong(check, 'no longer fails: remove it from the claims.')),
    ...outcome.missed.map(({ check, result, observed }) =>
      wrong(check, `has the result ${observed} instead of ${result}: change the claims.`),
    ),
  ];
}

function excuseText({ reason, link, acceptedBy, until }: KnownFailure): string {
  const by = acceptedBy === undefined ? '' : ` (accepted by ${acceptedBy})`;
  const end = until === null ? '' : ` until ${until}`;
  return `is a known failure${end}${by}: ${[reason, link].filter((part) => part !== undefined).join(' ')}`;
}

/** The claims that this run supports. Known entries stay; for new failures, a person has to write the reason. */
export function writeClaims(report: Judged, before: Claims | null): string {
  const { $schema = 'urn:casa-kit:claims', ...known } = before ?? parseClaims('{}', []);
  const capabilities = capabilityNames.map(
    (name) => [name, known.capabilities[name] ?? isTested(name, report)] as const,
  );
  const entries = report.checks.flatMap((result) =>
    failuresOf(result).map((finding): KnownFailure => {
      const place = { check: result.id, clause: finding.clause, pointer: placeIn(finding.pointer) };
      const own = known.knownFailures.find((entry) => entry.check === result.id && names(entry, finding));
      return { reason: '', until: null, ...own, ...place };
    }),
  );
  const knownFailures = entries.filter((entry, at) => entries.findIndex((one) => nameOf(one) === nameOf(entry)) === at);
  const { missed } = applyClaims({ ...known, capabilities: {} }, report, 0);
  const expected = known.expected.filter(({ check }) => !missed.some((entry) => entry.check === check));
  const claims = { $schema, capabilities: Object.fromEntries(capabilities), behaviors: known.behaviors };
  return `${JSON.stringify({ ...claims, knownFailures, expected }, null, 2)}\n`;
}
