// The proof of a finding that one response cannot show: a line for each response, with the values that contradict each
// other. It is made at the end of a run, because reports of remote services keep no bodies.
import { count } from '../../../src/terminal/count.ts';
import { type Exchange, nameOfResponse } from '../../exchange/exchange.ts';
import { valueAt } from '../../exchange/pointer.ts';
import { bodyOf, idAt, idsIn, listIn, placeIn, recordIn } from '../../exchange/records.ts';
import { show } from '../../judge/ledger.ts';
import type { CheckResult, Finding, Unsteady, Witness } from '../../judge/result.ts';
import { isOfIsolation } from '../coverage.ts';
import type { Report } from '../report.ts';
import { causesOf } from './causes.ts';
import { isSameRequest, unsteadyOf } from './scope.ts';

const causesMax = 50;
const linesMax = 5;
/** Fewer concurrent requests are shown one by one. */
const burstMin = 6;

/** The report with a proof for each finding that names a cause and is about several responses. */
export function withProofs<Some extends Pick<Report, 'checks' | 'exchanges'>>(
  report: Some,
  exchanges: readonly Exchange[],
): Some {
  const proofs = new Map<Finding, Finding>();
  for (const { finding, checks } of causesOf(report).slice(0, causesMax)) {
    const check = report.checks.find(({ id }) => id === checks[0]);
    if (check === undefined) continue;
    const unsteady = checks.some(isOfIsolation) ? null : unsteadyOf(finding, exchanges);
    const proof = unsteady === null ? proofOf(finding, check, exchanges) : unsteadyLines(finding, unsteady, exchanges);
    const firstRead = firstReadFor(finding, exchanges);
    const more = { ...(unsteady === null ? {} : { unsteady }), ...(firstRead === undefined ? {} : { firstRead }) };
    if (proof.length > 1) proofs.set(finding, { ...finding, proof, ...more });
  }
  if (proofs.size === 0) return report;
  const proven = ({ findings, ...check }: CheckResult) => ({
    ...check,
    findings: findings.map((finding) => proofs.get(finding) ?? finding),
  });
  return { ...report, checks: report.checks.map(proven) };
}

/** The same query of a record that was not read before, if it returns another range: the query is not ignored. */
function firstReadFor(finding: Finding, exchanges: readonly Exchange[]): string | undefined {
  const at = exchanges.findIndex(({ id }) => id === finding.exchange);
  const own = exchanges[at];
  const [path, query] = own?.target.split('?') ?? [];
  const span = (each: Exchange) => spanOf(valueAt(bodyOf(each), finding.pointer));
  if (own === undefined || query === undefined || span(own) === 0) return undefined;
  const isFirst = (each: Exchange, index: number) =>
    index > at && !exchanges.slice(0, index).some((other) => pathOf(other) === pathOf(each));
  return exchanges.find((each, index) => {
    const isSame = isLike(each, own) && each.status === 200 && each.target.split('?')[1] === query;
    return (
      isSame && pathOf(each) !== path?.toLowerCase() && isFirst(each, index) && ![0, span(own)].includes(span(each))
    );
  })?.id;
}

/** The time between a pair of dates; 0 for any other value. */
function spanOf(value: unknown): number {
  const { startDate = '', endDate = '' } = (value ?? {}) as { startDate?: string; endDate?: string };
  return Date.parse(endDate) - Date.parse(startDate) || 0;
}

/** Begins with the first response that differs from the next one. */
function unsteadyLines(finding: Finding, { record, exchanges: ids, without }: Unsteady, all: readonly Exchange[]) {
  const from = ids.findIndex((id, index) => without.includes(id) !== without.includes(ids[index + 1] ?? id));
  const shown = all.filter(({ id }) => ids.slice(from, from + linesMax).includes(id));
  return shown.map((each) => ({
    exchange: each.id,
    shows: `returned ${textOf(each, { finding, focus: record, field: null })}`,
  }));
}

/** Empty where one response shows it all. A rule looks at one response, so it has no proof. */
function proofOf(finding: Finding, check: CheckResult, exchanges: readonly Exchange[]): Witness[] {
  const own = exchanges.find(({ id }) => id === finding.exchange);
  if (own === undefined || check.id.startsWith('rule/')) return [];
  const ids = new Set(check.exchanges);
  // A check of the whole run lists no exchanges.
  const seen = exchanges.filter((each) =>
    ids.size === 0 ? isLike(each, own) || namedBy(finding).has(each.id) : ids.has(each.id),
  );
  const concurrent = seen.filter(({ burst }) => burst);
  if (own.burst && concurrent.length >= burstMin) return burstLines(concurrent, own);
  const story: Story = { finding, own, seen, values: valuesOf(finding, own) };
  // For limits, which headers and times show.
  const others = /^8\./.test(finding.clause)
    ? story.seen.filter((each) => each.key === story.own.key && orderOf(each) < orderOf(story.own)).slice(-2)
    : related(story);
  const all = [...new Set([...others.slice(0, linesMax - 1), own])].sort((a, b) => orderOf(a) - orderOf(b));
  const focus = focusOf(story, all);
  const field = focus === null ? null : changedField(focus, all);
  return all.map((each, index) => {
    const before = all[index - 1];
    const isTimed = before !== undefined && /^8\./.test(finding.clause);
    const wait = isTimed ? `, ${((each.sentAt - before.receivedAt) / 1000).toFixed(1)} s later` : '';
    return { exchange: each.id, shows: `returned ${textOf(each, { finding, focus, field })}${wait}` };
  });
}

interface Story {
  readonly finding: Finding;
  readonly own: Exchange;
  /** The responses that the check looked at. */
  readonly seen: readonly Exchange[];
  /** Ids and other values that the finding names. */
  readonly values: readonly string[];
}

const orderOf = ({ id }: Exchange) => Number(id.slice(1));
const isLike = (one: Exchange, other: Exchange) =>
  one.operation === other.operation && one.mcpEndpoint === other.mcpEndpoint;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Ids, cursors and timestamps have a digit; a word is the value of many records. */
const quoted = /"(?=[^"\s]*\d)([^"\s]{6,80})"/g;
/** A call that the finding names by its number, and its id in any form. */
const calls = /\bcall \d+ \("?([^"()\s]{1,80})"?\)/g;
const valuesMax = 4;
/** `25 articles` is wrong without another response. */
const amount = /^\d+ [a-z]+$/;

function valuesOf({ expected, actual }: Finding, own: Exchange): string[] {
  const texts = [actual, expected, ...(own.key === 'second' ? [own.target] : [])];
  const found = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, value = '']) => value));
  const ids = texts.flatMap((text) => text.match(uuid) ?? []);
  return [...new Set([...found(calls), ...ids, ...found(quoted)])].slice(0, valuesMax);
}

/** Responses that contradict the own one, or without which it cannot be understood. */
function related(story: Story): Exchange[] {
  const { finding, own, seen } = story;
  if (amount.test(finding.actual)) return [];
  const others = seen.filter(({ id, status }) => id !== own.id && status > 0);
  const named = namedBy(finding);
  const same = others.filter((each) => isSameRequest(each, own) && isUnlike(each, own));
  const isEarlier = (each: Exchange) => orderOf(each) < orderOf(own);
  const ofRequest = [...same.filter(isEarlier).slice(-1), ...same.filter((each) => !isEarlier(each)).slice(0, 1)];
  if (own.key === 'second') return [...ofOtherKey(story), ...ofRequest];
  if (finding.pointer === '#status') return ofRequest;
  const pages = others.filter((each) => isEarlier(each) && isPageBefore(each, own));
  const found = [
    ...others.filter(({ id }) => named.has(id)),
    ...holdersOf(story).slice(0, 1),
    ...pages.slice(-1),
    ...ofRequest,
  ];
  if (found.length > 0 || !isPlain(own, finding)) return found;
  const alike = others.filter((each) => pathOf(each) === pathOf(own) && each.status === 200);
  // Of several values, the one that the finding expects.
  const parts = (each: Exchange) => show(valueAt(bodyOf(each), finding.pointer)).split(/[{},]/);
  const expected = alike.filter((each) => parts(each).every((part) => finding.expected.includes(part)));
  return expected.length > 0 ? expected : alike.length < linesMax ? alike : [];
}

/** Exchanges that the finding names. */
const namedBy = ({ actual, expected, message = '' }: Finding) =>
  new Set(`${actual} ${expected} ${message}`.match(/\bx\d+\b/g));
const pathOf = ({ target }: Exchange) => target.split('?')[0]?.toLowerCase();
const namesOf = ({ target }: Exchange) => [...new URLSearchParams(target.split('?')[1]).keys()].sort().join();

/** Responses with the record or value of the finding, the ones to the most similar request first. */
function holdersOf({ finding, own, seen, values }: Story): Exchange[] {
  const id = idAt(own, finding.pointer);
  const record = id === null ? null : recordIn(own, id);
  const isHolder = (each: Exchange) => {
    const same = id === null ? null : recordIn(each, id);
    if (id !== null) return same !== null && record !== null && JSON.stringify(same) !== JSON.stringify(record);
    return values.some(
      (value) => placeIn(each, value) !== null || (each.status === 200 && each.target.includes(value)),
    );
  };
  const holders = seen.filter((each) => each !== own && isHolder(each)).toReversed();
  const score = (each: Exchange) =>
    (orderOf(each) < orderOf(own) ? 4 : 0) +
    (isLike(each, own) && namesOf(each) === namesOf(own) ? 2 : 0) +
    (placeIn(each, values[0] ?? '') === null ? 0 : 1);
  return holders.sort((one, other) => score(other) - score(one));
}

/** The response to the first key with the records, and the same list for the second key. */
function ofOtherKey({ own, seen, values }: Story): Exchange[] {
  const ids = idsIn(own);
  const isTwin = (each: Exchange) =>
    values.some((value) => placeIn(each, value) !== null) ||
    (isLike(each, own) && idsIn(each).some((id) => ids.includes(id)));
  const twin = seen.find((each) => each.key === 'good' && isTwin(each));
  if (twin === undefined) return [];
  const control = seen.find((each) => each.key === own.key && each !== own && each.target === twin.target);
  return [twin, ...(control === undefined ? [] : [control])];
}

/** Another status, or other records: bodies differ in times and orders that do not matter. */
function isUnlike(one: Exchange, other: Exchange): boolean {
  if (one.status !== other.status) return true;
  const [mine, its] = [new Set(idsIn(one)), new Set(idsIn(other))];
  return mine.size !== its.size || [...mine].some((id) => !its.has(id));
}

/** Whether the finding is about one value, which is neither a list nor the record of one. */
function isPlain(exchange: Exchange, { pointer }: Finding): boolean {
  const value = valueAt(bodyOf(exchange), pointer);
  return value !== undefined && !Array.isArray(value) && !/^$|\/\d|cursor$/i.test(pointer);
}

/** Whether a response has the cursor of the other request. */
function isPageBefore(page: Exchange, { operation, target }: Exchange): boolean {
  const query = new URLSearchParams(target.split('?')[1]);
  const position = query.get('cursor') ?? query.get('since');
  return position !== null && page.operation === operation && listIn(page)?.cursor === position;
}

// The record or value that the lines follow from response to response.

/** An id that the finding names, of the record at its place, or of a record that only some of the responses have. */
function focusOf({ finding, own, values }: Story, all: readonly Exchange[]): string | null {
  if (finding.pointer === '#status' && own.key === 'good') return null;
  const isShown = (value: string) => all.some((each) => placeIn(each, value) !== null);
  const isAsked = (value: string) => all.some((each) => each !== own && each.target.includes(value));
  const named = values.find(isShown) ?? values.find(isAsked) ?? idAt(own, finding.pointer);
  if (named !== null) return named;
  const [other] = all.filter((each) => each !== own && listIn(each) !== null);
  // A call without an id that is lost between two pages is on neither of them.
  if (other === undefined || isPlain(own, finding) || finding.clause === '4.calls.exactly-once') return null;
  const [mine, its] = [idsIn(own), idsIn(other)];
  if (isSameRequest(own, other))
    return its.find((each) => !mine.includes(each)) ?? mine.find((each) => !its.includes(each)) ?? null;
  return mine.find((each) => its.includes(each)) ?? mine[0] ?? null;
}

/** The first field that two responses show differently for the record. */
function changedField(id: string, all: readonly Exchange[]): string | null {
  const records = all.map((each) => recordIn(each, id)).filter((each) => each !== null);
  const [first] = records;
  const names = Object.keys(first ?? {});
  return names.find((name) => records.some((each) => show(each[name]) !== show(first?.[name]))) ?? null;
}

interface Look {
  readonly finding: Finding;
  readonly focus: string | null;
  readonly field: string | null;
}

function textOf(exchange: Exchange, { finding, focus, field }: Look): string {
  const { status, headers } = exchange;
  const header = /^#header\/(.+)$/.exec(finding.pointer)?.[1];
  const shown = header ?? (status === 429 ? 'retry-after' : undefined);
  if (shown !== undefined) return `${status} with ${shown} ${headers[shown] ?? 'absent'}`;
  if (status !== 200) return nameOfResponse(exchange);
  const list = listIn(exchange);
  const place = focus === null ? null : placeIn(exchange, focus);
  const position = place === null ? `without ${focus}` : `with ${focus} at ${place}`;
  const value = field === null || focus === null ? undefined : recordIn(exchange, focus)?.[field];
  const isAsked = focus !== null && place === null && exchange.target.includes(focus);
  if (isPlain(exchange, finding) && focus === null)
    return `${show(valueAt(bodyOf(exchange), finding.pointer))} at ${finding.pointer}`;
  return [
    list === null ? `${status}` : count(list.rows.length, 'record'),
    ...(focus === null || isAsked ? [] : [value === undefined ? position : `${position} and ${field} ${show(value)}`]),
    ...(list?.cursor === undefined ? [] : [`cursor ${show(list.cursor)}`]),
  ].join(', ');
}

// Concurrent requests, in groups.

const pauseMs = 500;

/** A line for each burst: when it left, and the statuses that came back. It names a request like `own`. */
function burstLines(exchanges: readonly Exchange[], own: Exchange): Witness[] {
  const bursts: Exchange[][] = [];
  for (const exchange of exchanges) {
    const last = bursts.at(-1);
    const isNext = last !== undefined && exchange.sentAt - (last.at(-1)?.sentAt ?? 0) < pauseMs;
    if (isNext) last.push(exchange);
    else bursts.push([exchange]);
  }
  const [start] = bursts[0] as [Exchange];
  return bursts.slice(0, linesMax).map((burst) => {
    const first = burst[0] as Exchange;
    const isAlike = (each: Exchange) => each.target === own.target && each.key === own.key;
    const like = burst.find((each) => each === own) ?? burst.find(isAlike) ?? first;
    const numbers = burst.map(orderOf);
    const statuses = [...new Set(burst.map(({ status }) => status))].map(
      (status) => `${burst.filter((each) => each.status === status).length} returned ${status}`,
    );
    const seconds = ((first.sentAt - start.sentAt) / 1000).toFixed(1);
    const ids = `x${Math.min(...numbers)} to x${Math.max(...numbers)}`;
    const amount = `one of ${count(burst.length, 'request')} at once (${ids}) at ${seconds} s`;
    return { exchange: like.id, shows: `was ${amount}: ${statuses.join(', ')}` };
  });
}
