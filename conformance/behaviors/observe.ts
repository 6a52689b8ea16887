// The behaviors of a deployment, from the exchanges of a run. A behavior is known, mixed or unknown. Violations are not
// behaviors: a profile lists them under "not learnt".
import { isTrimmed, joinForms } from '../../src/contract/forms.ts';
import { type BehaviorId, type Behaviors, behaviors, type SeenId } from '../../src/contract/generated/behaviors.ts';
import { clauses } from '../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { inputRows, nearestInputs } from '../../src/contract/input-classes.ts';
import { formMax, type Learnt, type NotLearnt, type Profile, whyNoBehavior } from '../../src/contract/profile.ts';
import { grouped } from '../../src/contract/words.ts';
import { canonical } from '../exchange/canonical.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Look, lookAt, type Observation, ownerOf } from '../exchange/look.ts';
import type { CheckResult } from '../judge/result.ts';
import { connectObservers } from './connect.ts';
import { inputObservers, listObservers } from './lists.ts';
import { responseObservers } from './responses.ts';

type Observer<Id extends BehaviorId> = (look: Look) => readonly Observation<Behaviors[Id]>[];

/** The type requires an observer for each behavior. */
const observers: { readonly [Id in SeenId]: Observer<Id> } = {
  ...inputObservers,
  ...listObservers,
  ...connectObservers,
  ...responseObservers,
};

export type BehaviorState =
  | {
      readonly id: BehaviorId;
      readonly state: 'known';
      readonly value: unknown;
      /** Other inputs of the class had other responses: `value` is that of the input which calibration sends. */
      readonly varies?: true;
      readonly seen: number;
      readonly exchanges: readonly string[];
    }
  | {
      readonly id: BehaviorId;
      readonly state: 'mixed';
      /** The usual one, or all forms together where a mock can write them all. */
      readonly value: unknown;
      readonly shares: Readonly<Record<string, number>>;
      readonly seen: number;
      readonly exchanges: readonly string[];
    }
  | { readonly id: BehaviorId; readonly state: 'unknown'; readonly why: string };

export interface Observed {
  readonly exchanges: readonly Exchange[];
  readonly results: readonly CheckResult[];
  readonly keyPrefix: string | null;
  /** The record that the exchanges are a part of; the exchanges when absent. */
  readonly context?: readonly Exchange[];
}

const ids = Object.keys(behaviors) as BehaviorId[];
/** A mock writes all forms of these, one for each text. */
const joined: ReadonlySet<BehaviorId> = new Set([
  'timestampForm',
  'plainTimestampForm',
  'insightDateForm',
  'callCursor',
]);
const shownMax = 3;
const nameMax = 200;

export function observe({ exchanges, results, keyPrefix, context = exchanges }: Observed): BehaviorState[] {
  const look = lookAt(exchanges, keyPrefix, context);
  const violated = violatedClauses(results);
  return ids.map((id) => stateOf(id, look, violated));
}

export function observeOne(id: BehaviorId, { exchanges, results, keyPrefix }: Observed): BehaviorState {
  return stateOf(id, lookAt(exchanges, keyPrefix), violatedClauses(results));
}

/** One behavior as each account or site shows it by itself, and as all other responses show it. */
export function observeByOwner(
  id: BehaviorId,
  { exchanges, results, keyPrefix }: Observed,
): { owned: BehaviorState[]; rest: BehaviorState } {
  const look = lookAt(exchanges, keyPrefix);
  const violated = violatedClauses(results);
  const byOwner = grouped(look.exchanges, (exchange) => ownerOf(look, exchange));
  const stateIn = (exchanges: readonly Exchange[]) => stateOf(id, { ...look, exchanges }, violated);
  const rest = stateIn(byOwner.get(null) ?? []);
  byOwner.delete(null);
  return { owned: [...byOwner.values()].map(stateIn), rest };
}

function stateOf(id: BehaviorId, look: Look, violated: ReadonlyMap<string, string>): BehaviorState {
  const row = behaviors[id];
  if ('unseen' in row) return { id, state: 'unknown', why: row.unseen };
  const violatedBy = row.clauses.map((clause) => violated.get(clause)).find((check) => check !== undefined);
  if (violatedBy !== undefined) return { id, state: 'unknown', why: `${violatedBy} found a violation there` };
  const all = (observers[id as SeenId] as Observer<BehaviorId>)(look);
  const legal = all.filter(({ value }) => whyNoBehavior(id, value) === null);
  if (legal.length === 0) {
    const [minority] = all;
    const why =
      minority === undefined
        ? `not observed; needs ${row.seen}`
        : `the observed value ${whyNoBehavior(id, minority.value)}`;
    return { id, state: 'unknown', why };
  }
  const own = ofSentInput(id, look, legal);
  if (own !== null) return { ...summarize(id, own), varies: true } as BehaviorState;
  return summarize(id, id === 'insightPoints' ? withoutEmpty(legal) : legal);
}

/** A mixture is one request with two responses. Otherwise the response depends on the input, within its class. */
function ofSentInput(id: BehaviorId, { exchanges }: Look, all: readonly Observation[]): Observation[] | null {
  const input = inputRows.find((row) => row.id === id);
  if (input === undefined || new Set(all.map(({ value }) => value)).size < 2) return null;
  const targets = new Map(exchanges.map((each) => [each.id, each.target]));
  const byTarget = grouped(all, (each) => targets.get(each.exchange));
  if ([...byTarget.values()].some((same) => new Set(same.map(({ value }) => value)).size > 1)) return null;
  const sent = [...byTarget].find(([target]) => target?.endsWith(`=${input.send}`));
  return sent?.[1] ?? [...byTarget.values()][0] ?? null;
}

/** An account without metrics is data, where another one has some. */
function withoutEmpty(sightings: readonly Observation[]): readonly Observation[] {
  const others = sightings.filter(({ value }) => value !== 'no-metrics');
  return others.length > 0 ? others : sightings;
}

function summarize(id: BehaviorId, sightings: readonly Observation[]): BehaviorState {
  const counts = new Map<string, { value: unknown; count: number }>();
  for (const { value, weight = 1 } of sightings) {
    const name = nameOf(value);
    const known = counts.get(name) ?? { value, count: 0 };
    counts.set(name, { value, count: known.count + weight });
  }
  const seen = [...counts.values()].reduce((sum, { count }) => sum + count, 0);
  const exchanges = [...new Set(sightings.map(({ exchange }) => exchange))].slice(0, shownMax);
  const ranked = [...counts].sort(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1));
  const [usual] = ranked;
  const value = usual?.[1].value;
  if (ranked.length === 1) return { id, state: 'known', value, seen, exchanges };
  const forms = joined.has(id)
    ? joinForms(
        ranked.map(([name]) => name),
        formMax,
      )
    : value;
  const isOneForm = joined.has(id) && isTrimmed(String(forms));
  if (isOneForm) return { id, state: 'known', value: forms, seen, exchanges };
  const shares = Object.fromEntries(
    ranked.slice(0, 12).map(([name, { count }]) => [name.slice(0, nameMax), Math.round((100 * count) / seen) / 100]),
  );
  return { id, state: 'mixed', value: forms, shares, seen, exchanges };
}

export const shareName = (value: unknown): string => nameOf(value).slice(0, nameMax);

/** Fields of a shape have no order. */
const nameOf = (value: unknown): string => (typeof value === 'string' ? value : canonical(value));

/** Clause -> the check or rule that found it broken. A warning counts: a mock that learnt it would be warned of too. */
function violatedClauses(results: readonly CheckResult[]): Map<string, string> {
  const violated = new Map<string, string>();
  for (const { id, findings } of results) {
    for (const { severity, clause } of findings)
      if (severity !== 'note' && !violated.has(clause)) violated.set(clause, id);
  }
  return violated;
}

export interface ProfileHead {
  readonly kit: string;
  readonly contract: string;
  readonly target: string;
  /** ISO 8601; the day is kept. */
  readonly startedAt: string;
  /** Of the run; only the successes of each operation are counted. */
  readonly exchanges: readonly Pick<Exchange, 'operation' | 'status' | 'key' | 'mcpEndpoint'>[];
}

/** Sorted, so two profiles can be compared line by line. */
export function profileFrom(
  states: readonly BehaviorState[],
  results: readonly CheckResult[],
  head: ProfileHead,
): Profile {
  const sorted = [...states].sort((a, b) => (a.id < b.id ? -1 : 1));
  const behaviors = learntFrom(sorted);
  const near = nearestInputs(Object.fromEntries(Object.entries(behaviors).map(([id, each]) => [id, each?.value])));
  const unknown = sorted.flatMap((state) => {
    if (state.state !== 'unknown') return [];
    const other = near.get(state.id);
    return [[state.id, other === undefined ? state.why : `${state.why}; the mock uses ${other}`]];
  });
  return {
    casaProfile: 1,
    kit: head.kit,
    contract: head.contract,
    target: hostOf(head.target),
    learntOn: head.startedAt.slice(0, 10),
    responses: successesOf(head.exchanges),
    behaviors,
    unknown: Object.fromEntries(unknown),
    notLearnt: violationsOf(results),
  };
}

/** A field is learnt only where its operation was seen. */
function successesOf(exchanges: ProfileHead['exchanges']): NonNullable<Profile['responses']> {
  const counts: Partial<Record<OperationId, number>> = {};
  for (const { operation, status, key, mcpEndpoint } of exchanges)
    if (operation !== null && status === 200 && key === 'good' && !mcpEndpoint)
      counts[operation] = (counts[operation] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function learntFrom(states: readonly BehaviorState[]): Profile['behaviors'] {
  const learnt = states.flatMap((state): [string, Learnt][] => {
    if (state.state === 'unknown') return [];
    const { value, seen } = state;
    const mixed = state.state === 'mixed' ? { mixed: state.shares } : {};
    const varies = state.state === 'known' && state.varies ? { varies: true } : {};
    return [[state.id, { value: value as Learnt['value'], seen, ...mixed, ...varies }]];
  });
  return Object.fromEntries(learnt);
}

function hostOf(target: string): string {
  if (!URL.canParse(target)) return '';
  const { protocol, origin, host } = new URL(target);
  return protocol === 'http:' ? origin : host;
}

/** One row for each clause that a check found broken; the sentence is the contract's, and quotes no response. */
export function violationsOf(results: readonly CheckResult[]): NotLearnt[] {
  const rows = results.flatMap(({ id, findings }) => {
    const violated = new Set(findings.filter(({ severity }) => severity === 'fail').map(({ clause }) => clause));
    return [...violated].map((clause) => ({
      behavior: ids.find((behavior) => (behaviors[behavior].clauses as readonly string[]).includes(clause)) ?? null,
      check: id,
      clause,
      sentence: clauses[clause].fact,
    }));
  });
  return rows.sort((a, b) => (`${a.clause} ${a.check}` < `${b.clause} ${b.check}` ? -1 : 1));
}
