// The checks and rules of a run, selected by globs, and the scenarios that they judge: one list, best first.
import { didYouMean } from '../../../src/terminal/suggestion.ts';
import { UsageError } from '../../../src/terminal/usage-error.ts';
import { type PaceSettings, repeatsMax } from '../../exchange/lanes.ts';
import type { Target } from '../../exchange/request.ts';
import type { Judged, Rule } from '../../judge/judge.ts';
import { type Capability, needs, planLines, type Settled } from '../capabilities.ts';
import type { Scenario } from '../scenario.ts';
import curve from './generated/curve.json' with { type: 'json' };
import list from './generated/list.json' with { type: 'json' };

export interface Catalog {
  readonly checks: readonly Judged[];
  readonly rules: readonly Rule[];
  readonly scenarios: readonly Scenario[];
  /** Known ids that this run does not offer; a glob can match them without an effect. */
  readonly others?: readonly string[];
}

/** `--skip` wins over `--only`. */
export type Selection = { isSelected(id: string): boolean };

/** Rejects a glob without a match, because a run without checks must not look like a pass. */
export function select(ids: readonly string[], only: readonly string[], skip: readonly string[]): Selection {
  const patterns = { only: only.map((glob) => compile(glob, ids)), skip: skip.map((glob) => compile(glob, ids)) };
  return {
    isSelected: (id) =>
      (only.length === 0 || patterns.only.some((pattern) => pattern.test(id))) &&
      !patterns.skip.some((pattern) => pattern.test(id)),
  };
}

/** Globs of the user match checks and rules alike. */
export function selectFrom(
  { checks, rules, others = [] }: Omit<Catalog, 'scenarios'>,
  { only, skip }: Pick<Settled, 'only' | 'skip'>,
): Selection {
  const ids = [...checks, ...rules].map(({ id }) => id);
  return select([...ids, ...others], only, skip);
}

/** `*` also matches slashes, so `posts*` matches a whole area. */
function compile(glob: string, ids: readonly string[]): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`);
  if (ids.some((id) => pattern.test(id))) return pattern;
  const areas = [...new Set(ids.map((id) => `${id.split('/')[0]}/*`))];
  throw new UsageError(`No check is called "${glob}".${didYouMean(glob, [...ids, ...areas])}`);
}

export function whySkipped({ needs: own = [] }: Pick<Scenario, 'needs'>, capabilities: ReadonlySet<Capability>) {
  const missing = own.filter((need) => !capabilities.has(need));
  return missing.length === 0 ? null : `needs ${listOf(missing.map((need) => needs[need].flag))}`;
}

export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export type Planned = { readonly scenario: Scenario; readonly skipped: string | null };

interface Choice {
  readonly settings: Pick<Settled, 'only' | 'skip'>;
  readonly capabilities: ReadonlySet<Capability>;
  readonly sent?: readonly string[] | undefined;
  /** Scenarios of a replay. */
  readonly asks?: readonly string[];
}

/** The scenarios of the selected checks, best first. Reads the globs of the user. */
export function chooseFrom(catalog: Catalog, { settings, capabilities, sent, asks = [] }: Choice): Planned[] {
  const { isSelected } = selectFrom(catalog, settings);
  const selected = catalog.checks.filter(({ id }) => isSelected(id));
  const wanted = new Set([...asks, ...selected.flatMap(({ scenarios = [] }) => scenarios)]);
  const own = catalog.scenarios.filter(({ id }) => wanted.has(id));
  return bestFirst(own, sent).map((scenario) => ({ scenario, skipped: whySkipped(scenario, capabilities) }));
}

/**
 * The beginning of the list that fits is sent in the order of the catalog, in which reads come before bursts and last
 * looks; then come the others, best first, as long as requests are left.
 */
export function inOrder(planned: readonly Planned[], all: readonly Scenario[], requestsMax: number | null): Planned[] {
  let requests = sharedReads.ceiling;
  const isFirst = new Set(
    planned.filter(({ scenario, skipped }) => {
      if (skipped !== null || requestsMax === null || !isOfAudit(scenario)) return true;
      requests += scenario.cost.most;
      return requests <= requestsMax;
    }),
  );
  const first = all.flatMap((scenario) => planned.filter((one) => one.scenario === scenario && isFirst.has(one)));
  return [...first, ...planned.filter((one) => !isFirst.has(one))];
}

// The plan of a run: the minimum and maximum of requests and seconds. Each further option has its own line.

const audit = 'audit';

/** Every run stays between both ends, except for repeats and confirmations. */
export type Range = { readonly floor: number; readonly ceiling: number };

export interface PlanLine {
  /** `audit`, or the name of an option. */
  readonly name: string;
  readonly checks: number;
  readonly requests: Range;
  readonly seconds: Range;
  readonly writes: number;
  /** The records that these writes leave, a line for each scenario. */
  readonly leaves: readonly string[];
}

/** The sum of its lines, computed without a request. */
export interface Plan extends Omit<PlanLine, 'name' | 'leaves'> {
  readonly lines: readonly PlanLine[];
  /** The maximum number of retries, and of requests that confirm a finding. */
  readonly onTop: { readonly repeats: number; readonly confirmations: number };
  /** Of the known defects, the share that such a run detects; null for a choice of checks. */
  readonly defectsFound: number | null;
}

/** Confirmations have the same limit as retries. */
const confirmationsMax = repeatsMax;

/** Returns the maximum that a run sends, where the client stops. */
export function requestsInAll({ requests, onTop }: Pick<Plan, 'requests' | 'onTop'>): number {
  return requests.ceiling + onTop.repeats + onTop.confirmations;
}

/** `29-60`, or `2` where both ends are the same. */
export const rangeText = ({ floor, ceiling }: Range): string =>
  floor === ceiling ? `${floor}` : `${floor}-${ceiling}`;

const nothing: Range = { floor: 0, ceiling: 0 };

/** For recorded traffic and comparisons. */
export function noPlan(checks: number): Plan {
  const onTop = { repeats: 0, confirmations: 0 };
  return { checks, requests: nothing, seconds: nothing, writes: 0, lines: [], onTop, defectsFound: null };
}

export interface PlanOptions {
  readonly pace: PaceSettings;
  readonly maxWrites: number;
  /** The limit of a default run; null without a limit. */
  readonly requestsMax: number | null;
  /** A run of an MCP endpoint alone has no preflight. */
  readonly target?: Target['kind'];
  /** A choice of checks, or a run for another purpose, has no share of defects. */
  readonly isChoice?: boolean;
}

/** GET /sites of the preflight, and the lists of articles and accounts, which scenarios share. */
const sharedReads: Range = { floor: 1, ceiling: 3 };

export function makePlan(planned: readonly Planned[], checks: readonly Judged[], options: PlanOptions): Plan {
  const { pace, maxWrites, requestsMax, target, isChoice = false } = options;
  const chosen = planned.flatMap(({ scenario, skipped }) => (skipped === null ? [scenario] : []));
  const names = planLines.filter((name) => name === audit || chosen.some((one) => lineOf(one) === name));
  const lines = names.map((name): PlanLine => {
    const own = chosen.filter((one) => lineOf(one) === name);
    const isFirst = name === audit;
    const shared = isFirst && target !== 'mcp' ? sharedReads : nothing;
    const room = isFirst && requestsMax !== null ? requestsMax : Number.POSITIVE_INFINITY;
    const floor = shared.floor + sum(thatFit(own, room - shared.ceiling), ({ cost }) => cost.least);
    const ceiling = shared.ceiling + sum(own, ({ cost }) => cost.most);
    const requests = { floor: Math.min(floor, room), ceiling: Math.min(ceiling, room) };
    const changing = own.filter(({ changes }) => changes !== undefined);
    return {
      name,
      checks: checks.filter((check) => lineOfCheck(check, chosen) === name).length,
      requests,
      seconds: secondsOf(requests, own, { pace, isFirst, room }),
      writes:
        name === 'writes'
          ? Math.min(
              maxWrites,
              sum(changing, ({ cost }) => cost.most),
            )
          : 0,
      leaves: changing.map(({ id, changes }) => `${id}: ${changes}`),
    };
  });
  const used = lines.filter((line) => line.checks > 0 || line.requests.ceiling > 0 || line.name === audit);
  const requests = addUp(used.map((line) => line.requests));
  const own = used[0]?.requests.ceiling ?? 0;
  return {
    lines: used,
    checks: sum(used, (line) => line.checks),
    writes: sum(used, ({ writes }) => writes),
    requests,
    seconds: addUp(used.map(({ seconds }) => seconds)),
    onTop: { repeats: repeatsMax + (pace.spacingMs === 0 ? requests.ceiling : 0), confirmations: confirmationsMax },
    defectsFound: isChoice ? null : shareFound(own),
  };
}

/** A scenario that does not fit is left out, so only those before the limit are sure. */
function thatFit(scenarios: readonly Scenario[], room: number): readonly Scenario[] {
  let sent = 0;
  return scenarios.filter(({ cost }) => {
    sent += cost.most;
    return sent <= room;
  });
}

export function lineOf({ needs: own = [] }: Pick<Scenario, 'needs'>): string {
  const named = new Set(own.map((need) => needs[need].line));
  return planLines.find((name) => name !== audit && named.has(name)) ?? audit;
}

/** Whether a scenario needs no permission, and takes its requests from the minutes of the run. */
export const isOfAudit = (scenario: Pick<Scenario, 'needs'>): boolean => lineOf(scenario) === audit;

/** The first line that has one of its scenarios; null for a check that does not run. */
function lineOfCheck({ scenarios = [] }: Judged, chosen: readonly Scenario[]): string | null {
  if (scenarios.length === 0) return audit;
  const lines = chosen.filter(({ id }) => scenarios.includes(id)).map(lineOf);
  return planLines.find((name) => lines.includes(name)) ?? null;
}

function secondsOf(
  requests: Range,
  scenarios: readonly Scenario[],
  { pace, isFirst, room }: { readonly pace: PaceSettings; readonly isFirst: boolean; readonly room: number },
): Range {
  // The first request has no delay.
  const paced = (count: number) => (Math.max(0, count - (isFirst ? 1 : 0)) * pace.spacingMs) / 1000;
  const waits = sum(thatFit(scenarios, room), ({ cost }) => cost.seconds ?? 0);
  return { floor: Math.floor(paced(requests.floor)), ceiling: Math.ceil(paced(requests.ceiling) + waits) };
}

function addUp(ranges: readonly Range[]): Range {
  return { floor: sum(ranges, ({ floor }) => floor), ceiling: sum(ranges, ({ ceiling }) => ceiling) };
}

function sum<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}

interface Limits {
  readonly settings: Pick<Settled, 'minutes' | 'requests' | 'watch' | 'control'>;
  readonly pace: PaceSettings;
  readonly isOfMcpEndpoint: boolean;
  /** Calibration has additional requests. */
  readonly usualMinutes: 1 | 2;
}

/**
 * The requests of the audit; null if time costs nothing. Permissions have their own requests. They are part of the
 * minutes that the user sets, as long as one minute is left for the audit.
 */
export function requestsMaxOf(planned: readonly Planned[], limits: Limits): number | null {
  const { settings, pace, isOfMcpEndpoint, usualMinutes } = limits;
  const { minutes, requests, watch, control } = settings;
  if (isOfMcpEndpoint) return null;
  const isGiven = minutes > 0 || requests > 0;
  if (!isGiven && (watch || pace.spacingMs === 0 || control !== null)) return null;
  const all = requests || requestsPerMinute * (minutes || usualMinutes);
  const others = planned.filter(({ scenario, skipped }) => skipped === null && !isOfAudit(scenario));
  const ofPermissions = sum(others, ({ scenario }) => scenario.cost.most);
  return isGiven ? Math.max(Math.min(all, requestsPerMinute), all - ofPermissions) : all;
}

// The one list of scenarios, best first: a limited run takes those that fit. It is computed from recorded histories
// (`npm run priorities`), and so is the share of known defects that its beginning finds.

/** The requests of one minute at the contract's limits. Cites 8.key-window. */
export const requestsPerMinute = 60;

const places: ReadonlyMap<string, number> = new Map(list.map((id, place) => [id, place]));
const placeOf = (id: string) => places.get(id) ?? list.length;

/** Those that are not in the list yet come last. `sent` are those of the last runs: after a minute, others first. */
export function bestFirst<One extends { readonly id: string; readonly cost: { readonly most: number } }>(
  scenarios: readonly One[],
  sent: readonly string[] = [],
): readonly One[] {
  const sorted = scenarios.toSorted((one, other) => placeOf(one.id) - placeOf(other.id));
  let requests = 0;
  const first = sorted.filter(({ cost }) => {
    requests += cost.most;
    return requests <= requestsPerMinute;
  });
  const isLater = (one: One) => !first.includes(one) && sent.includes(one.id);
  return [...sorted.filter((one) => !isLater(one)), ...sorted.filter(isLater)];
}

/** The measured share of the known defects; between two rows in proportion, and null below the first. */
export function shareFound(requests: number): number | null {
  const before = curve.rows.findLast((row) => row.requests <= requests);
  const after = curve.rows.find((row) => row.requests > requests) ?? before;
  if (before === undefined || after === undefined) return null;
  const part = (requests - before.requests) / Math.max(1, after.requests - before.requests);
  return before.found + Math.min(1, part) * (after.found - before.found);
}
