// One cell: its own mock, the disturbance, and everything that the client did.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { type PreparedEngine, prepareEngine } from '../engine/prepare-engine.ts';
import { type RequestLogEntry, sufferedFault } from '../engine/request-log-record.ts';
import { violationsOf } from '../engine/violations/judge.ts';
import { digestBytes, type Violation, type Windows, windows } from '../engine/violations/violation.ts';
import { consentToken } from '../http/consent/consent.ts';
import { bodyText } from '../http/message.ts';
import { readJson } from '../mutants/hooks/rewrite.ts';
import { sendTiming } from '../transports/node/outgoing.ts';
import type { TransportEngine } from '../transports/transport.ts';
import {
  type CallPlan,
  type Cell,
  pastCallId,
  pastCalls,
  placeCalls,
  type Restart,
  settleS,
  type Target,
  usualCalls,
  withPast,
} from './cell.ts';

/** One request as the judge sees it. */
export interface Exchange {
  /** In the request log. */
  readonly id: number;
  readonly operation: OperationId | null;
  readonly method: string;
  /** Method, path, query and a digest of the body: the same for a repetition. */
  readonly print: string;
  /** The path and query without the cursor: the same for all pages of a list. */
  readonly list: string;
  readonly status: number;
  readonly hasKey: boolean;
  readonly atMs: number;
  readonly endsMs: number;
  /** Whether the cell disturbed this request. */
  readonly disturbed: boolean;
  /** The status, `late`, `no body`, or the network fault that hid it. */
  readonly outcome: string;
  /** Whether a write was carried out. */
  readonly made: boolean;
  /** The cursor of the response; null without one. */
  readonly cursor: string | null;
  /** Whether the page has as many calls as the request asked for, so the next one is due at once. */
  readonly isFull: boolean;
  /** Numbers of insights: the totals, and the values of points. */
  readonly insights: readonly (readonly number[])[];
  /** The position from which a poll continues; null without one. */
  readonly since: string | null;
  /** The same in epoch milliseconds. */
  readonly sinceMs: number | null;
}

/** How the scenario ended: `running` if the time of the cell was over first, `stalled` if it waits in real time. */
export type Ending = 'returned' | 'failed' | 'running' | 'endless' | 'stalled';

/** Everything that happened in a cell. */
export interface Observation {
  readonly cell: Cell;
  readonly exchanges: readonly Exchange[];
  readonly violations: readonly Violation[];
  readonly ending: Ending;
  /** The error of a scenario that failed. */
  readonly error: string | null;
  /** The last output of an application that did not start, or did not respond. */
  readonly notStarted?: string | undefined;
  /** Everything that the client reported or returned, as JSON. */
  readonly seen: unknown;
  /** Files that the client wrote, by path; without text, the records that they name. */
  readonly files: Readonly<Record<string, unknown>>;
  /** The moment of a restart; null without one. */
  readonly before?: Before | null;
  /** All numbers that the client reported, as it wrote them. */
  readonly numbers?: ReadonlySet<string>;
  /** The nullable numbers of some groups of records. Groups have the same place in each cell. */
  readonly groups?: readonly NumberGroup[];
  /** Errors that the client printed or showed. */
  readonly complaints: readonly string[];
  /** Ids of the records of the cell by kind. Records have the same place in each cell. */
  readonly records: Readonly<Record<RecordKind, readonly (string | null)[]>>;
  /** Ids of reviews that had a reply at the start. */
  readonly answered?: readonly string[];
  /** Whether the client requested a consent page. */
  readonly opensLink?: boolean;
  /** When pollers see each call, in epoch milliseconds. */
  readonly callsVisibleMs: readonly number[];
  /** That of the options. */
  readonly speed: number | null;
  /** How often the client was started; once when absent. */
  readonly runs?: number;
  /** When a job was started, in epoch milliseconds; absent for a client that runs once. */
  readonly startsMs?: readonly number[] | undefined;
  /** Whether a run of a job failed, and the last one did not. */
  readonly recovers?: boolean | undefined;
}

/** The end of the first of two runs: its files, the number of its reports, and its time. */
export interface Before {
  readonly files: Observation['files'];
  readonly reports: number;
  readonly atMs: number;
}

export interface NumberGroup {
  readonly clause: ClauseId;
  readonly values: readonly (number | null)[];
}

export type RecordKind = 'site' | 'article' | 'keyword' | 'account' | 'review' | 'call';

/** More requests in one cell are an endless loop. */
export const requestsMax = 2_000;

/** The settings that all cells of a run share. */
export interface CellOptions {
  readonly world: WorldData;
  /** The operations that the client used in the control cell; null for the control cell. */
  readonly used: ReadonlySet<OperationId> | null;
  /** How much faster than real time the clock runs; null if it is frozen. */
  readonly speed: number | null;
  /** How long the client runs undisturbed, in milliseconds. */
  readonly durationMs: number;
  /** The longest time in addition; none in real time, because a run of a command must end. */
  readonly extraMaxMs?: number;
  /** Starts a job again after each of these seconds, until the time of the cell is over. */
  readonly everyS?: number | undefined;
  /** Ends the cell early. */
  readonly signal?: AbortSignal | undefined;
}

export type OpenCell = Awaited<ReturnType<typeof openCell>>;

/** The part of an observation that the runner of the client knows. */
type End = Pick<Observation, 'ending' | 'error' | 'seen' | 'files' | 'complaints'> & Partial<Observation>;

/** The records have the same timestamps in each cell. */
async function prepareCell(cell: Cell, { world, speed }: CellOptions, onExchange: EngineOptions['onExchange']) {
  const clock = speed === null ? 'frozen' : 'running';
  const startAt = speed === null ? Date.parse(world.anchor) : Date.now();
  const past = cell.past ?? pastCalls;
  const data = { ...withPast(cell.world?.(world) ?? world, past, startAt), anchor: new Date(startAt).toISOString() };
  const { engine }: PreparedEngine = await prepareEngine(
    { world: data, startAt, clock, limits: cell.limits ?? false, behavior: cell.behavior, settleS },
    { onExchange },
  );
  if (speed !== null && speed !== 1) engine.clock.setScale(speed);
  const key = [...engine.world.keys].find(([, { revoked }]) => !revoked)?.[0] ?? '';
  const context = {
    ...{ world: engine.world, limits: engine.limits },
    ...{ nowMs: () => engine.clock.now(), responseAs: () => null },
  };
  const wrapped = cell.wrap?.(engine.handle, context) ?? engine.handle;
  return { engine, key, past, pastMs: visibleMs(past, startAt), wrapped };
}

/** Starts the mock of a cell. `later` runs work after milliseconds of the cell's clock. */
export async function openCell(cell: Cell, options: CellOptions, later: (ms: number, work: () => void) => void) {
  const [entries, log]: [RequestLogEntry[], RequestLogEntry[]] = [[], []];
  let listener = () => {};
  const prepared = await prepareCell(cell, options, (entry, heard) => {
    entries.push(entry);
    if (heard) log.push(heard);
  });
  const { engine, key, past, pastMs, wrapped } = prepared;
  const plans = cell.calls ?? usualCalls;
  const { records, answered } = describeWorld(engine);
  // The line of the clock itself, so a scaled client reads the same time.
  const { baseMs: clockMs, sourceMs: realMs } = engine.clock.state();
  let [calls, startMs]: [(string | null)[], number | null] = [[], null];
  cell.before?.(engine, key);
  [entries.length, log.length] = [0, 0];
  addFaults(cell, options, engine);
  let [pending, opensLink] = [cell.afterFirst, false];
  const handle: Engine['handle'] = (request) => {
    if (startMs === null) {
      startMs = engine.clock.now();
      calls = placeCalls(engine, plans, later);
    }
    opensLink ||= request.method === 'GET' && consentToken(request.path) !== null;
    const response = wrapped(request);
    listener();
    const latest = entries.at(-1);
    if (pending && response.status === 200 && latest && operationOf(latest) === pending[0]) {
      const [, work] = pending;
      pending = undefined;
      work(engine);
    }
    return response;
  };
  const extraMs = (cell.extraMs ?? 0) * (options.used ? disturbedOperations(cell, options.used).length : 0);
  const durationMs = options.durationMs + Math.min(extraMs, options.extraMaxMs ?? extraMs);
  return {
    engine,
    key,
    /** The engine for a transport. */
    served: { ...engine, handle } satisfies TransportEngine,
    /** The clock of the cell at a moment of real time. */
    opened: { clockMs, realMs },
    /** The time begins with the first request, because commands take time to start; null before. */
    endsAtMs: () => (startMs === null ? null : startMs + durationMs),
    /** When the response came from which the time of a restart counts, in epoch milliseconds; undefined before. */
    restartsFromMs: () => restartsFrom(cell.restart?.from, entries),
    /** Whether the client sent more requests than any client needs. */
    isEndless: () => entries.length > requestsMax,
    /** Called after each request. */
    onRequest: (listen: () => void) => {
      listener = listen;
    },
    observe: (end: End): Observation => ({
      ...end,
      cell,
      exchanges: entries.map((entry) => describe(entry, cell)),
      violations: violationsOf(log, { scale: options.speed ?? 1, windows: windowsOf(options.speed) }),
      records: { ...records, call: [...past.map((_, i) => pastCallId(i)), ...calls] },
      ...{ groups: describeWorld(engine).groups, answered, opensLink, speed: options.speed },
      callsVisibleMs: [...pastMs, ...visibleMs(plans, startMs ?? 0)],
    }),
  };
}

/** How late a timer is on a busy machine, and the first request of a process, in real milliseconds. */
export const lateTimerMs = { usual: 100, first: 300 };
/** Timers and clock of Node.js count whole milliseconds. */
const timerMs = 5;
/** Time that a scaled client takes between a response and its next request, in real milliseconds. */
export const reactionMs = 15;
/** The same for a retry at once, on a machine that is busier than usual; a violation is repeated at a lower speed. */
const retryMs = 25;

/** The windows of the client rules in a cell: a page is not reloaded, and a busy machine delays scaled clients. */
export function windowsOf(speed: number | null): Windows {
  const fast = speed !== null && speed > 1 ? speed : 0;
  return {
    ...windows,
    rejectionStandsMs: 59_000,
    lostMin: 20,
    earlyToleranceMs: Math.max(windows.earlyToleranceMs, timerMs * fast),
    pollToleranceMs: Math.max(windows.pollToleranceMs, lateTimerMs.usual * fast),
    ...(fast > 0 && { noiseMs: windows.backOffMinMs + retryMs * fast, atOnceMs: 30_000 }),
  };
}

const visibleMs = (plans: readonly CallPlan[], fromMs: number) =>
  plans.map(({ visibleS }) => fromMs + visibleS * 1_000);

/** The first request, or the first response with calls or to a write. */
function restartsFrom(from: Restart['from'], entries: readonly RequestLogEntry[]): number | undefined {
  const isIt = ({ request: { method }, response: answer }: RequestLogEntry) =>
    answer.status === 200 && (from === 'write' ? method === 'POST' : /"nextCursor":\s*"/.test(bodyText(answer)));
  return (from ? entries.find(isIt) : entries[0])?.trace.nowMs;
}

/** The times of the transport in a cell. */
export function timingOf({ slowBodyMs = sendTiming.slowBodyMs }: Cell): { slowBodyMs: number } {
  return { slowBodyMs };
}

/** The operations that a cell disturbs, of those that the client uses. */
export function disturbedOperations(cell: Cell, used: ReadonlySet<OperationId>): OperationId[] {
  const { target, operations: named, isLater, stated } = cell;
  const fits = (id: OperationId) => (named?.includes(id) ?? true) && (target === undefined || targetOf(id) === target);
  const disturbed = [...used].slice(isLater ? 1 : 0).filter(fits);
  const ofContract = disturbed.filter((id) => stated?.includes(id));
  return ofContract.length > 0 ? ofContract : disturbed;
}

/** Whether the contract states the disturbance of a cell for the operations that it disturbs. */
export function isStated(cell: Cell, used: ReadonlySet<OperationId>): boolean {
  return disturbedOperations(cell, used).some((id) => cell.stated?.includes(id) ?? true);
}

/** Whether a cell disturbs only the call log. */
export function isOfPolls(cell: Cell, used: ReadonlySet<OperationId>): boolean {
  const disturbed = disturbedOperations(cell, used);
  return cell.restart === undefined && disturbed.length > 0 && disturbed.every((id) => targetOf(id) === 'poll');
}

export function targetOf(id: OperationId): Target {
  if (id === 'listCalls') return 'poll';
  return operations[id].method === 'GET' ? 'read' : 'write';
}

/** The fault of a cell, or that of its restart. */
export function addFaults(cell: Cell, { used }: CellOptions, engine: Engine, fault = cell.fault): void {
  if (!fault || !used) return;
  const accountId = (cell.isOfFirstAccount && describeWorld(engine).records.account[0]) || undefined;
  for (const operation of cell.isShared ? [undefined] : disturbedOperations(cell, used))
    engine.faults.add({ ...fault, id: `${cell.id} ${operation}`, match: { operation, accountId } });
}

/** Of articles, when a request has none. */
const limitUsual = 20;

function operationOf({ trace }: RequestLogEntry): OperationId | null {
  return typeof trace.routing === 'string' ? null : (trace.routing.operation.id as OperationId);
}

function describe(entry: RequestLogEntry, cell: Cell): Exchange {
  const { request, response, trace } = entry;
  const { method, path, query, body } = request;
  const { status, network, latencyMs = 0 } = response;
  const operation = operationOf(entry);
  const hasFault = sufferedFault(trace) !== null;
  const isGood = status === 200 && !trace.fired;
  const text = isGood ? bodyText(response) : '';
  const [, cursor = null] = /"(?:cursor|nextCursor)":\s*"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  const parameters = new URLSearchParams(query);
  const since = parameters.get('since');
  const calls = operation === 'listCalls' ? (readJson(text) as { data?: { calls?: unknown[] } })?.data?.calls : null;
  const isFull = (calls?.length ?? 0) >= Number(parameters.get('limit') ?? 50);
  const isDelivery = cell.delivers === 'full' ? isFull : cell.delivers !== 'snapshot' || since === null;
  const sinceAt = parseTimestamp(since ?? '');
  const isVaried = isGood && operation !== null && (cell.operations?.includes(operation) ?? true);
  return {
    operation,
    id: entry.id,
    method,
    list: `${path}?${query.replace(/&?\bcursor=[^&]*/, '')}`,
    print: `${method} ${path}?${query} ${body === null ? '' : digestBytes(body)}`,
    status,
    hasKey: trace.key !== null,
    atMs: trace.nowMs,
    endsMs: trace.nowMs + latencyMs,
    disturbed: cell.limits
      ? trace.blockedBy !== null
      : cell.fault
        ? hasFault
        : isVaried &&
          (!cell.needsMore || cursor !== null) &&
          Number(parameters.get('limit') ?? limitUsual) >= (cell.leastLimit ?? 1) &&
          (!cell.delivers || (!!calls?.length && isDelivery)),
    outcome:
      network ?? (trace.fired && status === 200 ? 'no body' : latencyMs > 0 && status === 200 ? 'late' : `${status}`),
    made: isGood && method === 'POST',
    cursor: cursor === null ? null : String(readJson(`"${cursor}"`)),
    isFull,
    insights: operation === 'getInsights' ? ['total', 'value'].map((name) => numbersOf(text, name)) : [],
    since,
    sinceMs: sinceAt === null ? null : Number(sinceAt / 1_000_000n),
  };
}

function numbersOf(text: string, name: string): number[] {
  return [...text.matchAll(new RegExp(`"${name}":\\s*(-?[\\d.]+)`, 'g'))].map(([, digits]) => Number(digits));
}

/** Ids in the order of the world, which is the same in each cell, and lists whose average a client can show. */
function describeWorld({ world }: Engine) {
  const [first] = world.organizations.values();
  const accounts = [...(first?.accounts.values() ?? [])];
  const [articles, keywords] = [first?.articles.toData() ?? [], first?.keywords.toData() ?? []];
  const reviews = accounts.map((account) => account.reviews.toData());
  const groups: readonly NumberGroup[] = [
    { clause: '2.article.seo-score', values: articles.map(({ seoScore }) => seoScore) },
    { clause: '2.keyword.search-volume', values: keywords.map(({ searchVolume }) => searchVolume) },
    { clause: '2.keyword.difficulty', values: keywords.map(({ difficulty }) => difficulty) },
    ...[...reviews, reviews.flat()].map(
      (all): NumberGroup => ({ clause: '2.review-item.rating', values: all.map(({ rating }) => rating) }),
    ),
  ];
  const records: Omit<Observation['records'], 'call'> = {
    site: first?.sites.list().map(({ id }) => id) ?? [],
    article: articles.map(({ id }) => id),
    keyword: keywords.map(({ id }) => id),
    account: accounts.map(({ accountId }) => accountId),
    review: reviews.flat().map(({ reviewId }) => reviewId),
  };
  return { groups, records, answered: reviews.flat().flatMap((each) => (each.replied ? each.reviewId : [])) };
}

/** The numbers in a text, as it has them: neither parts of words nor of dates. */
export function numbersIn(text: string): string[] {
  return text.match(/(?<![\w.-])-?\d+(\.\d+)?(?![\w-])/g) ?? [];
}

/** The JSON of a line of output; of other text, everything that can be an id, and damaged characters. */
export function readLine(line: string): unknown {
  return readJson(line) ?? [...new Set(line.match(/[\w-]{6,}|\ufffd/g))];
}
