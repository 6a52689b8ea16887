// Everything that one run shares: the way to the target, the record, and what the user allowed.

import { type Exchange, isAnswered } from '../exchange/exchange.ts';
import { keyPrefixOf } from '../observe/look.ts';
import { type RunClock, systemClock, withTurns } from '../pace/clock.ts';
import { type Courier, makeCourier } from '../pace/courier.ts';
import { type Deadline, makeDeadline } from '../pace/deadline.ts';
import { autoPace, type PaceSettings, unpaced } from '../pace/lanes.ts';
import { makePacer } from '../pace/pacer.ts';
import { noTrafficFile } from '../pace/traffic.ts';
import type { Capability, Settled } from '../probe/capabilities.ts';
import { capabilitiesOf, settle } from '../probe/needs.ts';
import type { ProbeContext } from '../probe/probe.ts';
import { makeFinder, makeRedact, type Redact, type Secret } from '../report/redact.ts';
import { openWire, type Wire } from '../wire/http.ts';
import { findProxy, isLoopback } from '../wire/proxy.ts';
import type { RunEvent } from './events.ts';
import type { RunOptions } from './options.ts';
import { fingerprintsOf, secretsOf, spoiltSecrets } from './secrets.ts';

/** Opened once for a run and closed with it. */
export interface Session extends ProbeContext {
  readonly baseUrl: URL;
  /** The base URL is that of an MCP door, which is judged by itself. */
  readonly isAlone: boolean;
  readonly target: string;
  readonly pace: PaceSettings;
  /** How long an answer took in an earlier run; 0 when nobody knows. */
  readonly latencyMs: number;
  readonly deadline: Deadline;
  readonly capabilities: ReadonlySet<Capability>;
  readonly exchanges: Exchange[];
  readonly redact: Redact;
  /** Taken out of everything that leaves the run. */
  readonly secrets: readonly Secret[];
  readonly signal: AbortSignal | null;
  readonly keepsBodies: boolean;
  /** A reading of the deployment; the key itself is not kept. */
  readonly keyPrefix: string | null;
  onExchange(listener: (exchange: Exchange) => void): void;
  findSecrets(text: string): string[];
  close(): void;
}

/** Puts the parts together and sends nothing: a plan opens one as well. */
export function openSession(options: RunOptions, emit: (event: RunEvent) => void): Session {
  const { isAlone, given, baseUrl, mcpUrl } = placesOf(options);
  const clock = options.clock === undefined ? systemClock() : withTurns(options.clock);
  const loopback = isLoopback(baseUrl.hostname) && (mcpUrl === null || isLoopback(mcpUrl.hostname));
  const pace = paceOf(given.pace, loopback);
  const deadline = makeDeadline(clock);
  const pacer = makePacer(clock, pace, (ms) => {
    deadline.refuseWait(ms);
    if (ms > 2 * pace.spacingMs) emit({ kind: 'waiting', ms, why: 'the limits' });
  });
  const traffic = options.trafficFile ?? noTrafficFile;
  const fingerprints = fingerprintsOf(options.keys);
  const traces = traffic.read();
  pacer.recall(traces.uses.map((use) => ({ ...use, lane: { ...use.lane, key: fingerprints.nameOf(use.lane.key) } })));
  const wire = openWay(given, [baseUrl, mcpUrl], options.env ?? {});
  const exchanges: Exchange[] = [];
  const listeners: ((exchange: Exchange) => void)[] = [];
  const courier: Courier = makeCourier({
    baseUrl,
    mcpUrl,
    isAlone,
    keys: options.keys,
    wire,
    pacer,
    clock,
    deadline,
    isUnpaced: pace.spacingMs === 0,
    headers: given.headers,
    keyHeader: given.keyHeader,
    addresses: given.sourceAddresses,
    onExchange(exchange) {
      exchanges.push(exchange);
      for (const listener of listeners) listener(exchange);
    },
    onWait: (ms, why) => emit({ kind: 'waiting', ms, why }),
  });
  const redaction = redactionOf(options);
  return {
    baseUrl,
    isAlone,
    target: baseUrl.href.replace(/\/+$/, ''),
    pace,
    latencyMs: traces.latencyMs ?? 0,
    clock: { ...clock, sleep: sleepWithin(clock, deadline) },
    deadline,
    courier,
    exchanges,
    writes: { taken: 0 },
    capabilities: capabilitiesOf(given, options.keys, isAlone),
    settings: { ...given, seed: given.seed || minuteOf(clock), runId: options.runId, isLoopback: loopback, isAlone },
    // Off this machine bodies are customer data, unless the user says otherwise.
    keepsBodies: options.keepBodies ?? loopback,
    keyPrefix: keyPrefixOf(options.keys.good),
    unknownId: unknownIdFor(options.runId),
    shared: new Map(),
    ...redaction,
    signal: options.signal ?? null,
    announce: (text) => emit({ kind: 'announce', text: redaction.redact(text) }),
    onExchange: (listener) => void listeners.push(listener),
    close() {
      wire.close();
      const uses = pacer.recent().map((use) => ({ ...use, lane: { ...use.lane, key: fingerprints.of(use.lane.key) } }));
      traffic.write({ uses, latencyMs: usualLatency(exchanges) ?? traces.latencyMs });
    },
  };
}

function redactionOf(options: RunOptions): Pick<Session, 'secrets' | 'redact' | 'findSecrets'> {
  const own = secretsOf(options);
  const secrets = [...spoiltSecrets(options.keys.good), ...own];
  return { secrets, redact: makeRedact(secrets), findSecrets: makeFinder(own) };
}

/** Where the target is. The address of a door that is judged alone is that of the whole target. */
function placesOf(options: RunOptions): { isAlone: boolean; given: Settled; baseUrl: URL; mcpUrl: URL | null } {
  const isAlone = options.door === 'mcp';
  const given = settle(isAlone ? { ...options, mcpUrl: options.baseUrl } : options);
  const mcpUrl = given.mcpUrl === null ? null : new URL(given.mcpUrl);
  return { isAlone, given, baseUrl: new URL(options.baseUrl), mcpUrl };
}

/** Runs of every hour or day draw other inputs: pools have as many kinds as no such span is a multiple of. */
function minuteOf({ now }: RunClock): number {
  return Math.floor(now() / 60_000);
}

/** A proxy that cannot be used is told before the first request. */
function openWay(given: Settled, urls: readonly (URL | null)[], env: NonNullable<RunOptions['env']>): Wire {
  for (const url of urls) if (url !== null) findProxy(url, env);
  return openWire({
    timeoutMs: given.timeoutMs,
    env,
    insecure: given.insecure,
    ...(given.ca === null ? {} : { ca: given.ca }),
    ...(given.cert === null ? {} : { cert: given.cert }),
    ...(given.key === null ? {} : { key: given.key }),
  });
}

/** The median, bursts left out. */
function usualLatency(exchanges: readonly Exchange[]): number | null {
  const all = exchanges.filter((each) => !each.burst && isAnswered(each));
  const times = all.map(({ sentAt, receivedAt }) => receivedAt - sentAt).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? null;
}

/** A check that would sleep past the end of the run is stopped instead. */
function sleepWithin(clock: RunClock, deadline: Deadline): RunClock['sleep'] {
  return (ms) => {
    deadline.refuseWait(ms);
    return clock.sleep(ms);
  };
}

/** A pace of the user is taken as it is, even where it is faster than the limits. */
function paceOf(pace: 'auto' | 'off' | PaceSettings, loopback: boolean): PaceSettings {
  if (pace === 'auto') return autoPace(loopback);
  return pace === 'off' ? unpaced : pace;
}

/** A version 4 UUID from the run id: valid everywhere an id is asked for, and nobody's. */
function unknownIdFor(runId: string): string {
  const hex = Buffer.from(runId.padEnd(8, '0')).toString('hex').padEnd(12, '0').slice(-12);
  return `c0ffee00-dead-4bad-8bad-${hex}`;
}
