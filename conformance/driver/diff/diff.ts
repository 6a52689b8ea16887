// Compares two deployments. Each gets the requests of an audit and a calibration, with its own key and pace.
// Differences are repeated: A again, then B and A, twice. A difference counts only if A always shows it and B never
// does.
import { readVersion } from '../../../src/terminal/version.ts';
import { checks as ownChecks } from '../../checks/index.ts';
import type { Keys } from '../../exchange/request.ts';
import { type Difference, type DiffSide, type Dimension, isDifferent, type SideName } from '../../report/difference.ts';
import { type Abort, contractVersion, type Report, type StoredExchange } from '../../report/report.ts';
import { keyRows } from '../../scenarios/capabilities.ts';
import { newRunId, runConformance } from '../audit.ts';
import type { RunEvent, RunOptions } from '../options.ts';
import { systemClock } from '../pace/clock.ts';
import type { Traces, TrafficFile } from '../pace/traffic.ts';
import {
  type Again,
  agreesWithItself,
  differsStill,
  dimensionsOf,
  exchangeId,
  suspectsOf,
  timesMin,
} from './compare.ts';
import { type Round, roundFor, type Suspect } from './relation.ts';

/** One side: how to reach it, and its name. */
export interface Side {
  readonly label: string;
  /** The variables that hold its keys, for sentences and for lines that repeat a request. */
  readonly keyVariables?: Partial<Record<keyof Keys, string>>;
  readonly options: Omit<RunOptions, 'runId' | 'calibrate' | 'reads' | 'onEvent' | 'signal'>;
  /** Its first run, if it already exists. */
  readonly first?: Report;
}

/** Events for a progress display. */
export type DiffEvent =
  | { readonly kind: 'round'; readonly side: SideName; readonly round: number; readonly again: readonly string[] }
  | {
      readonly kind: 'end';
      readonly side: SideName;
      readonly round: number;
      readonly requests: number;
      readonly seconds: number;
    }
  | { readonly kind: 'run'; readonly side: SideName; readonly event: RunEvent };

/** Of the programmatic entry, `casa-kit/conformance`. */
export interface DiffOptions {
  readonly a: Side;
  readonly b: Side;
  /** Made up when absent. */
  readonly runId?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: DiffEvent) => void;
}

export const diffToolName = 'casa-kit conformance diff';

/** Compares two deployments. Errors of the deployments are part of the result and never thrown. */
export async function diff(given: DiffOptions): Promise<Difference> {
  // If one side cannot be reached, the other one is stopped.
  const stop = new AbortController();
  const options = { ...given, signal: AbortSignal.any([stop.signal, ...(given.signal ? [given.signal] : [])]) };
  const aborts: Abort[] = [];
  const clock = clockOf(given);
  const startMs = clock.now();
  // Behind one host both sides share the window of our address.
  const isOneHost = new URL(given.a.options.baseUrl).host === new URL(given.b.options.baseUrl).host;
  const traffic = memoryTraffic();
  const a = openSide('A', options, { traffic });
  const b = openSide('B', options, { traffic: isOneHost ? traffic : memoryTraffic() });
  const openRun = async (name: SideName, side: OpenSide, round: Round | null = null) => {
    const report = await side.run(round);
    if (report.abort === null) return report;
    // Advice in a run uses the flags of an audit: here each side has a separate URL flag and variable.
    const sentence = namedFor(report.abort.sentence, name === 'A' ? given.a : given.b)
      .replace('use --base-url ', 'use ')
      .replaceAll('--base-url', 'its address');
    aborts.push({ ...report.abort, sentence: given.signal?.aborted ? stopped : `${name}: ${sentence}` });
    stop.abort();
    return report;
  };
  const both = isOneHost ? inTurn : atOnce;
  const [first, other] = await both(
    () => openRun('A', a),
    () => openRun('B', b),
  );
  const rounds = new Map<Suspect, { times: number; why: string | null }>();
  const again = (name: SideName, side: OpenSide): OpenSide => ({ ...side, run: (round) => openRun(name, side, round) });
  if (aborts.length === 0)
    await confirm({ a: again('A', a), b: again('B', b), first, other, both, rounds, signal: options.signal });
  const [abortOfSide = null] = aborts;
  const abort: Abort | null = given.signal?.aborted ? { exitCode: 4, sentence: stopped } : abortOfSide;
  const results = (suspect: Suspect) => rounds.get(suspect) ?? { times: 0, why: null };
  const dimensions = abort === null ? dimensionsOf(first, other, results).map(withoutProofOfSame) : [];
  const shown = new Set(dimensions.flatMap((each) => each.exchanges));
  const stored = (side: SideName, report: Report) =>
    report.exchanges
      .map((exchange) => ({
        ...keyedFor(exchange, side === 'A' ? given.a : given.b),
        id: exchangeId(side, exchange.id),
      }))
      .filter(({ id }) => shown.has(id));
  return {
    tool: diffToolName,
    toolVersion: readVersion(),
    contractVersion,
    runId: options.runId ?? newRunId(),
    startedAt: first.startedAt,
    seconds: Math.round((clock.now() - startMs) / 100) / 10,
    a: a.summary(first),
    b: b.summary(other),
    dimensions,
    exchanges: [...stored('A', first), ...stored('B', other)],
    abort,
    keepsBodies: first.keepsBodies && other.keepsBodies,
  };
}

const stopped = 'The comparison was stopped before its end.';

const names = new RegExp(
  `\\b(${Object.values(keyRows)
    .map(({ variable }) => variable)
    .join('|')})\\b`,
  'g',
);

/** Each side has separate variables for its keys. */
function namedFor(text: string, { keyVariables = {} }: Side): string {
  return text.replace(names, (usual) => {
    const [key] = Object.entries(keyRows).find(([, { variable }]) => variable === usual) ?? [];
    return keyVariables[key as keyof Keys] ?? usual;
  });
}

/** Replaces the key variable, so the curl line works when copied. */
function keyedFor(exchange: StoredExchange, side: Side): StoredExchange {
  const headers = Object.entries(exchange.requestHeaders).map(([name, value]) => [name, namedFor(value, side)]);
  return { ...exchange, requestHeaders: Object.fromEntries(headers), repeatOf: null };
}

/** The shared clock of both sides, or that of the machine. Our mock has a clock that the suite controls. */
function clockOf({ a, b }: DiffOptions) {
  const { clock } = a.options;
  return clock !== undefined && clock === b.options.clock ? clock : systemClock();
}

/** Only what differs must be shown. */
function withoutProofOfSame(dimension: Dimension): Dimension {
  return isDifferent(dimension) ? dimension : { ...dimension, exchanges: [] };
}

interface OpenSide {
  /** `null` runs everything. */
  run(round: Round | null): Promise<Report>;
  summary(first: Report): DiffSide;
}

/** Seed and traffic are the same in all rounds of a side. */
function openSide(
  name: SideName,
  { a, b, signal, onEvent }: DiffOptions,
  { traffic }: { traffic: TrafficFile },
): OpenSide {
  const { label, options, first } = name === 'A' ? a : b;
  const used = { requests: 0, seconds: 0, rounds: 0 };
  const trafficFile = options.trafficFile ?? traffic;
  const run = async (narrow: Partial<RunOptions>, again: readonly string[], made?: Report) => {
    used.rounds += 1;
    const round = used.rounds;
    onEvent?.({ kind: 'round', side: name, round, again });
    const follow = { onEvent: (event: RunEvent) => onEvent?.({ kind: 'run', side: name, event }) };
    const report =
      made ?? (await runConformance({ ...options, trafficFile, ...(signal ? { signal } : {}), ...narrow, ...follow }));
    used.requests += report.used.requests;
    used.seconds += report.used.seconds;
    onEvent?.({ kind: 'end', side: name, round, ...report.used });
    return report;
  };
  return {
    run: (round) =>
      round === null
        ? run({ calibrate: true }, [], first)
        : run(narrowed(round, options), [...round.checks, ...round.behaviors, ...round.reads]),
    summary: ({ target, isMockTime }) => ({
      name,
      label,
      target,
      ...used,
      seconds: Math.round(used.seconds * 10) / 10,
      isMockTime,
    }),
  };
}

export function narrowed(round: Round, { checks = ownChecks }: Pick<RunOptions, 'checks'>): Partial<RunOptions> {
  const chosen = checks.filter(({ id }) => round.checks.includes(id));
  return { checks: chosen, only: [], skip: [], calibrate: round.behaviors, reads: round.reads };
}

/** Sessions follow each other within a minute, and each follows the limits that the one before has used. */
function memoryTraffic(): TrafficFile {
  let traces: Traces = { uses: [], latencyMs: null };
  return {
    read: () => traces,
    write(given) {
      traces = given;
    },
  };
}

type Both = <T>(one: () => Promise<T>, other: () => Promise<T>) => Promise<readonly [T, T]>;

const atOnce: Both = (one, other) => Promise.all([one(), other()]);
const inTurn: Both = async (one, other) => [await one(), await other()];

interface Confirming {
  readonly a: OpenSide;
  readonly b: OpenSide;
  readonly first: Report;
  readonly other: Report;
  readonly both: Both;
  readonly rounds: Map<Suspect, { times: number; why: string | null }>;
  readonly signal: AbortSignal | undefined;
}

/** A, then B and A, then B and A: with the first runs these are three times A, B, A. Noise is dropped on the way. */
async function confirm({ a, b, first, other, both, rounds, signal }: Confirming): Promise<void> {
  let open: readonly Suspect[] = suspectsOf(first, other);
  const settle = (judge: (suspect: Suspect) => Again) => {
    open = open.filter((suspect) => {
      const again = judge(suspect);
      if (!again.isShown) rounds.set(suspect, { times: rounds.get(suspect)?.times ?? 0, why: again.why });
      return again.isShown;
    });
  };
  for (let times = 1; times <= timesMin && open.length > 0 && !signal?.aborted; times += 1) {
    const runA = () => a.run(roundFor(open, first, other));
    const runB = () => b.run(roundFor(open, other, first));
    if (times === 1) {
      const again = await runA();
      settle((suspect) => agreesWithItself(suspect, first, again));
    } else {
      const [againB, againA] = await both(runB, runA);
      settle((suspect) => differsStill(suspect, first, againB));
      settle((suspect) => agreesWithItself(suspect, first, againA));
    }
    for (const suspect of open) rounds.set(suspect, { times, why: null });
  }
}
