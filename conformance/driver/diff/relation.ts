// Compares the results and behaviors of A and B.

import { alternatives, isTrimmed, wholeSeconds } from '../../../src/contract/forms.ts';
import { type BehaviorId, behaviors } from '../../../src/contract/generated/behaviors.ts';
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { Shape } from '../../../src/contract/shape.ts';
import { type BehaviorState, shareName } from '../../behaviors/observe.ts';
import { type CheckResult, type Finding, isTested } from '../../judge/result.ts';
import type { ClauseCoverage } from '../../report/coverage.ts';
import type { SideName } from '../../report/difference.ts';
import type { Report, StoredExchange } from '../../report/report.ts';
import { keyRows } from '../../scenarios/capabilities.ts';
import { furtherBehaviors } from '../../scenarios/further.ts';

/** `open`: the observations fit equal and different behaviors. */
export type Relation =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly why?: string }
  | { readonly kind: 'open'; readonly why: string };

/** As a report shows a value. */
export function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}

const valueMax = 160;

// Timestamps whose fractions lose their trailing zeros: how many digits are left is data.

/** Null where no form is trimmed, or where the rest differs. */
export function relateTrimmed(a: readonly string[], b: readonly string[]): Relation | null {
  if (![...a, ...b].some(isTrimmed)) return null;
  const whole = (forms: readonly string[]) => [...new Set(forms.map(wholeSeconds))].sort().join(' | ');
  if (whole(a) !== whole(b)) return null;
  return a.some(isTrimmed) && b.some(isTrimmed) ? { kind: 'same' } : { kind: 'open', why: 'fractions may be trimmed' };
}

// Results on clauses, side by side. A side that breaks a clause is at fault; where both break it they are the same.

/** Clauses about more than one response: the order of lists, chains of pages, and windows. */
export const laws: readonly RegExp[] = [
  /^4\.articles\.list\.(cursor-value|end|walk|ties|order)$/,
  /^4\.articles\.get\.same-id$|^4\.sites\.get\.same-id$/,
  /^4\.rules\.reviews-(pagination|stop|walk)$|^4\.connect\.list-reviews\.(cursor|order)$/,
  /^4\.calls\.(settled-only|exactly-once|oldest-first|next-cursor-.*|since-meaning|reread|snapshot-.*)$/,
  /^4\.connect\.insights\.range-default$/,
  /^5\.limiter-before-key$/,
  /^8\.(key-window|address-window).*$|^8\.headers\.(remaining|reset)$|^8\.blocked-count$/,
];

const words: Readonly<Record<string, string>> = { pass: 'verified', warn: 'warned', fail: 'violated' };

/** The result as a table cell; null without a result. */
export function showResult({ result }: ClauseCoverage): string | null {
  return isTested(result) ? (words[result ?? ''] ?? null) : null;
}

export function relateClauses(a: ClauseCoverage, b: ClauseCoverage): Relation {
  if (isTested(a.result) && isTested(b.result)) return { kind: a.result === b.result ? 'same' : 'differs' };
  const open = isTested(a.result) ? b : a;
  const side = isTested(a.result) ? 'B: ' : isTested(b.result) ? 'A: ' : '';
  const why = open.why ?? 'no response shows it';
  return { kind: 'open', why: `${side}${why.startsWith('needs ') ? openedHere(why) : why}` };
}

/** A comparison has separate flags; writes and time limits belong to audits. */
function openedHere(needs: string): string {
  if (needs.includes('--allow-writes')) return `a comparison writes nothing: an audit ${needs}`;
  if (needs.includes('--mcp-url')) return 'needs --mcp-url-a URL and --mcp-url-b URL';
  const key = [keyRows.second, keyRows.revoked].find(({ variable }) => needs.includes(variable));
  if (key !== undefined) return `needs ${key.variable}_A and ${key.variable}_B`;
  return `no plain run shows it: an audit ${needs}`;
}

export function faultOf(a: ClauseCoverage, b: ClauseCoverage): SideName | 'both' | null {
  const [isA, isB] = [a.result === 'fail', b.result === 'fail'];
  if (isA && isB) return 'both';
  return isA ? 'A' : isB ? 'B' : null;
}

// Two shapes that were learnt from different data. Fields that one side always has and the other never, and formats,
// count as differences. Nulls, optional fields and vocabularies depend on the data and do not count.

/** `null` means no fields. */
export function relateShapes(a: Shape | null, b: Shape | null): Relation {
  if (a === null || b === null)
    return a === b ? { kind: 'same' } : { kind: 'differs', why: `only ${a === null ? 'B' : 'A'} has any` };
  const found = differencesOf(a, b, '');
  const grave = found.filter(({ isOpen }) => !isOpen);
  if (grave.length > 0) return { kind: 'differs', why: listed(grave) };
  // Two shapes may have nothing to compare but their names.
  return { kind: 'same' };
}

/** As a person writes a shape down: { id: uuid, agent?: text or null, tags: [string] }. */
export function spellShape(shape: Shape): string {
  const { type, form, fields, items, nullable } = shape;
  const orNull = nullable ? ' or null' : '';
  if (fields !== undefined) {
    const rows = Object.entries(fields).map(
      ([name, each]) => `${name}${each.optional ? '?' : ''}: ${spellShape(each)}`,
    );
    return `${rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }`}${orNull}`;
  }
  if (type === 'array') return `[${items === undefined ? '' : spellShape(items)}]${orNull}`;
  return `${form ?? type}${orNull}`;
}

interface Found {
  readonly text: string;
  /** The data may be why. */
  readonly isOpen: boolean;
}

const shownMax = 4;

function listed(found: readonly Found[]): string {
  const rest = found.length - shownMax;
  const texts = found.slice(0, shownMax).map(({ text }) => text);
  return [...texts, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

function differencesOf(a: Shape, b: Shape, at: string): Found[] {
  const place = at === '' ? 'it' : at;
  const isNull = a.type === 'null' || b.type === 'null';
  if (a.type !== b.type) {
    const isNumber = [a.type, b.type].every((type) => type === 'integer' || type === 'number');
    return [{ text: `${place} is ${a.type} on A, ${b.type} on B`, isOpen: isNull || (isNumber && !a.form && !b.form) }];
  }
  if (a.items !== undefined && b.items !== undefined) return differencesOf(a.items, b.items, `${at}[]`);
  const forms = a.form !== b.form && a.form !== undefined && b.form !== undefined;
  return [
    ...(forms ? [{ text: `${place} is written ${a.form} on A, ${b.form} on B`, isOpen: hasShared(a, b) }] : []),
    ...fieldsOf(a, b, at),
  ];
}

/** Of several forms one side may have shown a part; free text may look like anything. */
function hasShared({ form: a = '' }: Shape, { form: b = '' }: Shape): boolean {
  if (relateTrimmed(alternatives(a), alternatives(b)) !== null) return true;
  // Numbers of one country can be grouped in several ways, so the form is ambiguous.
  if (a === 'telephone' || b === 'telephone') return /^telephone/.test(a) && /^telephone/.test(b);
  const forms = new Set(a.split(' | '));
  return b.split(' | ').some((form) => forms.has(form)) || [a, b].some((form) => /^(text|opaque.*|empty)$/.test(form));
}

function fieldsOf({ fields: a }: Shape, { fields: b }: Shape, at: string): Found[] {
  if (a === undefined || b === undefined) return [];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name): Found[] => {
    const [mine, other] = [a[name], b[name]];
    const place = at === '' ? name : `${at}.${name}`;
    if (mine !== undefined && other !== undefined) return differencesOf(mine, other, place);
    const isOptional = (mine ?? other)?.optional === true;
    return [{ text: `${place} is on ${mine === undefined ? 'B' : 'A'} only`, isOpen: isOptional }];
  });
}

// Compares each behavior of two deployments. An unknown or mixed behavior is not comparable.

/** Pairs that depend on the organization's data: without replies, their place is hidden. */
const byData: { readonly [Id in BehaviorId]?: readonly (readonly [string, string])[] } = {
  reviewReplied: [
    ['none', 'when-replied'],
    ['none', 'text-only'],
    ['text-only', 'when-replied'],
  ],
  reviewEnd: [
    ['either', 'null'],
    ['either', 'absent'],
  ],
  insightPoints: [
    ['no-metrics', 'daily'],
    ['no-metrics', 'weekly'],
    ['no-metrics', 'none'],
  ],
  reviewIdForm: [['opaque', 'opaque, to be encoded']],
  inviteIdForm: [['opaque', 'opaque, to be encoded']],
};

/** The state of a behavior as a person reads it; null where it is unknown. */
export function showState(state: BehaviorState): string | null {
  if (state.state === 'unknown') return null;
  if (behaviors[state.id].kind === 'shape' && state.value !== null) {
    const others = state.state === 'mixed' ? Object.keys(state.shares).length - 1 : 0;
    return `${brief(spellShape(state.value as Shape))}${others > 0 ? `, and ${others} more` : ''}`;
  }
  return state.state === 'mixed' ? Object.keys(state.shares).map(brief).join(' or ') : brief(state.value);
}

type Seen = Exclude<BehaviorState, { state: 'unknown' }>;

function valuesOf(state: Seen): ReadonlySet<string> {
  const { kind } = behaviors[state.id];
  const texts = state.state === 'mixed' ? Object.keys(state.shares) : [shareName(state.value)];
  return new Set(kind === 'form' ? texts.flatMap(alternatives) : texts);
}

export function relateBehaviors(a: BehaviorState, b: BehaviorState): Relation {
  if (a.state === 'unknown' && b.state === 'unknown') return { kind: 'open', why: a.why };
  if (a.state === 'unknown') return { kind: 'open', why: `A: ${a.why}` };
  if (b.state === 'unknown') return { kind: 'open', why: `B: ${b.why}` };
  const { id } = a;
  if (id === 'latency') return { kind: 'open', why: 'times are reported, not compared' };
  if (id === 'records')
    return { kind: 'open', why: 'other behaviors compare the formats, and the shares depend on the data' };
  if (behaviors[id].kind === 'shape') return relateMixedShapes(a, b);
  const [mine, others] = [valuesOf(a), valuesOf(b)];
  const trimmed = relateTrimmed([...mine], [...others]);
  if (trimmed !== null) return trimmed;
  const shared = [...mine].filter((value) => others.has(value));
  const isEqual = shared.length === mine.size && shared.length === others.size;
  if (isEqual && (a.state === 'known') === (b.state === 'known')) return { kind: 'same' };
  if (shared.length > 0) return { kind: 'open', why: noisy(mine, others) };
  return doubtsOf(id, [...mine], [...others]) ?? { kind: 'differs' };
}

/** Where a side shows several shapes, the usual ones may differ by chance. */
function relateMixedShapes(a: Seen, b: Seen): Relation {
  const relation = relateShapes(a.value as Shape | null, b.value as Shape | null);
  if (relation.kind !== 'differs' || (a.state === 'known' && b.state === 'known')) return relation;
  const [mine, others] = [valuesOf(a), valuesOf(b)];
  return [...mine].some((value) => others.has(value)) ? { kind: 'open', why: noisy(mine, others) } : relation;
}

function noisy(a: ReadonlySet<string>, b: ReadonlySet<string>): string {
  const who = a.size > 1 && b.size > 1 ? 'A and B each show' : a.size > 1 ? 'A shows' : 'B shows';
  return `${who} now one value, now another`;
}

function doubtsOf(id: BehaviorId, a: readonly string[], b: readonly string[]): Relation | null {
  const row = behaviors[id];
  const blind: Readonly<Record<string, string>> = 'blind' in row ? row.blind : {};
  const hidden = [...a, ...b].find((value) => blind[value] !== undefined);
  if (hidden !== undefined) return { kind: 'open', why: `${blind[hidden]}` };
  const isByData = byData[id]?.some(
    ([one, other]) => (a.includes(one) && b.includes(other)) || (a.includes(other) && b.includes(one)),
  );
  return isByData ? { kind: 'open', why: 'the data of an organization might be the reason' } : null;
}

// The requests to repeat before a difference counts, and the result of the repetitions.

/** A clause or a behavior in which A and B differed in the first run. */
export type Suspect = ClauseId | BehaviorId;

const isBehavior = (suspect: Suspect): suspect is BehaviorId => Object.hasOwn(behaviors, suspect);

/** One narrow run: some checks, some further questions, some reads once more. */
export interface Round {
  readonly checks: readonly string[];
  readonly behaviors: readonly BehaviorId[];
  readonly reads: readonly string[];
}

const readsMax = 3;

/** The least that shows the suspects on one side again. `other` is the run of the other side. */
export function roundFor(suspects: readonly Suspect[], own: Report, other: Report): Round {
  const parts = suspects.map((one) => (isBehavior(one) ? behaviorAgain(one, own) : clauseAgain(one, own, other)));
  const all = <Of>(of: (part: Round) => readonly Of[]) => [...new Set(parts.flatMap(of))].sort();
  return {
    checks: all(({ checks }) => checks),
    behaviors: all((part) => part.behaviors),
    reads: all(({ reads }) => reads),
  };
}

/** The requests of calibrate show most behaviors; the others show in responses like those that showed them before. */
function behaviorAgain(id: BehaviorId, { behaviors, exchanges, checks }: Report): Round {
  if (furtherBehaviors.has(id)) return { checks: [], behaviors: [id], reads: [] };
  const state = behaviors.find((each) => each.id === id);
  const shown = new Set(state === undefined || state.state === 'unknown' ? [] : state.exchanges);
  const shows = exchanges.filter((exchange) => shown.has(exchange.id));
  const reads = shows.filter(isPlainRead);
  if (reads.length > 0)
    return { checks: [], behaviors: [], reads: reads.slice(0, readsMax).map(({ target }) => target) };
  // Responses of a limiter come with the bursts of a check.
  return { checks: sendersOf(shows, checks), behaviors: [], reads: [] };
}

function sendersOf(exchanges: readonly StoredExchange[], checks: Report['checks']): string[] {
  const ids = new Set(exchanges.map(({ id }) => id));
  const senders = checks.filter(({ id, exchanges: sent }) => !id.startsWith('rule/') && sent.some((x) => ids.has(x)));
  return senders.slice(0, 1).map(({ id }) => id);
}

/** Checks are repeated completely; for a rule, only the reads that it reported and equal reads on the other side. */
function clauseAgain(clause: ClauseId, own: Report, other: Report): Round {
  const both = [own, other].map((report) => violationsOf(clause, report));
  const checks = both.flatMap(({ checks: ids }) => ids);
  const violating = both.flatMap(({ exchanges }) => exchanges);
  const round = { checks: [...checks, ...othersFor(clause, own, checks)], behaviors: [], reads: [] };
  const operations = new Set(violating.filter(isPlainRead).map(({ operation }) => operation));
  if (operations.size === 0) return round;
  const reads = own.exchanges.filter((exchange) => isPlainRead(exchange) && operations.has(exchange.operation));
  const again = whatShows(clause, own, { reads, violating });
  // A cursor may be good for a while only: the check that came by it comes by a new one.
  const senders = sendersOf(
    again.filter(({ target }) => /[?&]cursor=/.test(target)),
    own.checks,
  );
  return {
    ...round,
    checks: [...round.checks, ...senders],
    reads: [...new Set(again.map(({ target }) => target))].slice(0, readsMax),
  };
}

/**
 * The responses that violated the clause on this side, or that verified it: other pages of the list may lack such a
 * record.
 */
function whatShows(
  clause: ClauseId,
  { checks }: Report,
  { reads, violating }: { reads: readonly StoredExchange[]; violating: readonly StoredExchange[] },
): readonly StoredExchange[] {
  const own = reads.filter((read) => violating.includes(read));
  if (own.length > 0) return own;
  const showing = new Set(checks.flatMap(({ shownIn }) => shownIn?.get(clause) ?? []));
  const shown = reads.filter(({ id }) => showing.has(id));
  if (shown.length > 0) return shown;
  const targets = new Set(violating.map(({ target }) => target));
  const alike = reads.find(({ status }) => violating.some((each) => each.status === status));
  return [reads.find(({ target }) => targets.has(target)) ?? alike ?? reads[0]].flatMap((read) => read ?? []);
}

/** Evidence of one side for a violated clause: checks to run again, and the responses that a rule reported. */
function violationsOf(clause: ClauseId, { checks, exchanges }: Report) {
  const isOfClause = ({ clause: own, severity }: Finding) => own === clause && severity !== 'note';
  const violated = checks.filter(({ findings }) => findings.some(isOfClause));
  const rules = violated.filter(({ id }) => id.startsWith('rule/'));
  const violating = new Set(
    rules.flatMap(({ findings }) => findings.filter(isOfClause)).map(({ exchange }) => exchange),
  );
  const shown = exchanges.filter(({ id }) => violating.has(id));
  // A response to a write is repeated with the check that sent it.
  const senders = sendersOf(
    shown.filter((exchange) => !isPlainRead(exchange)),
    checks,
  );
  const own = violated.filter(({ id }) => !id.startsWith('rule/'));
  return { checks: [...own.map(({ id }) => id), ...senders], exchanges: shown };
}

/** On the side that keeps the clause another check may have shown it. */
function othersFor(clause: ClauseId, { checks }: Report, known: readonly string[]): string[] {
  const shows = ({ shown, findings }: CheckResult) =>
    shown?.includes(clause) === true || findings.some((finding) => finding.clause === clause);
  if (checks.some((check) => known.includes(check.id) && shows(check))) return [];
  return checks
    .filter((check) => !check.id.startsWith('rule/') && shows(check))
    .map(({ id }) => id)
    .slice(0, 1);
}

function isPlainRead({ method, key, operation, burst, status }: StoredExchange): boolean {
  return method === 'GET' && key === 'good' && operation !== null && !burst && status !== 429;
}
