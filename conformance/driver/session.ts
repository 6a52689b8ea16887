// Shared state of one run: the connection to the target, the record, and the permissions of the user.
import { createHash } from 'node:crypto';
import { type Exchange, hasResponse } from '../exchange/exchange.ts';
import { autoPace, type PaceSettings, unpaced } from '../exchange/lanes.ts';
import { keyPrefixOf } from '../exchange/look.ts';
import { isLoopback, type Keys, type Spoilt, spoil, spoiltWays, type Target } from '../exchange/request.ts';
import { makeFinder, makeRedact, type Redact, type Secret } from '../report/redact.ts';
import type { RunInputs } from '../report/report.ts';
import {
  type Capability,
  capabilitiesOf,
  keyRows,
  options as optionRows,
  runTable,
  type Settled,
} from '../scenarios/capabilities.ts';
import type { Catalog } from '../scenarios/plan/plan.ts';
import { ownCatalog, type RunEvent, type RunOptions, targetOf } from './options.ts';
import { type Client, makeClient } from './pace/client.ts';
import { type Deadline, makeDeadline, type RunClock, runClock, systemClock } from './pace/clock.ts';
import { makePacer, type Pacer } from './pace/pacer.ts';
import { noTrafficFile } from './pace/traffic.ts';
import { standInsFor } from './recorded.ts';
import type { SenderContext } from './sender.ts';
import { findProxy, speaksTls } from './wire/agents.ts';
import { openWire, type Wire } from './wire/http.ts';

/** Opened once for a run and closed with it. */
export interface Session extends SenderContext {
  readonly target: Target;
  /** As reports name the target. */
  readonly address: string;
  readonly pace: PaceSettings;
  /** The response time of an earlier run; 0 if unknown. */
  readonly latencyMs: number;
  readonly deadline: Deadline;
  readonly capabilities: ReadonlySet<Capability>;
  readonly exchanges: Exchange[];
  readonly redact: Redact;
  /** Taken out of everything that leaves the run. */
  readonly secrets: readonly Secret[];
  readonly options: RunOptions;
  readonly catalog: Catalog;
  /** A reading of the deployment; the key itself is not kept. */
  readonly keyPrefix: string | null;
  readonly inputs: RunInputs;
  speaksTls(url: URL): Promise<boolean>;
  emit(event: RunEvent): void;
  findSecrets(text: string): string[];
  close(): void;
}

/** Creates the parts and sends nothing: a plan uses it too. */
export function openSession(options: RunOptions): Session {
  const target = targetOf(options);
  const { baseUrl, mcpUrl } = target;
  const isAlone = target.kind === 'mcp';
  const given = runTable.settle({ ...options, ...(mcpUrl === null ? {} : { mcpUrl: mcpUrl.href }) });
  const redaction = redactionOf(options);
  const { signal = null, onEvent: emit = () => undefined } = options;
  const clock = runClock(options.clock ?? systemClock(), signal);
  const loopback = isLoopback(baseUrl.hostname) && (mcpUrl === null || isLoopback(mcpUrl.hostname));
  const pace = paceOf(given.pace, loopback);
  const deadline = makeDeadline(clock, signal);
  const onWait = (ms: number) => {
    deadline.rejectWait(ms);
    if (ms > 2 * pace.spacingMs) emit({ kind: 'waiting', ms, why: 'the limits' });
  };
  const pacer = makePacer(clock, pace, onWait);
  const traffic = openTraffic(options, pacer);
  const wire = openWay(given, [baseUrl, mcpUrl], options.env ?? {});
  const exchanges: Exchange[] = [];
  const client: Client = makeClient({
    target,
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
      emit({ kind: 'exchange', exchange });
    },
    onWait: (ms, why) => emit({ kind: 'waiting', ms, why }),
  });
  const latencyMs = traffic.latencyMs ?? 0;
  return {
    target,
    address: baseUrl.href.replace(/\/+$/, ''),
    pace,
    latencyMs,
    clock: { ...clock, sleep: sleepWithin(clock, deadline) },
    deadline,
    client,
    exchanges,
    capabilities: capabilitiesOf(given, options.keys, isAlone),
    settings: { ...given, runId: options.runId, isLoopback: loopback, isAlone },
    keyPrefix: keyPrefixOf(options.keys.good),
    inputs: { ...inputsOf(options), latencyMs },
    speaksTls,
    unknownId: unknownIdFor(options.runId),
    ...redaction,
    options,
    catalog: {
      checks: options.checks ?? ownCatalog.checks,
      scenarios: options.scenarios ?? ownCatalog.scenarios,
      rules: ownCatalog.rules,
    },
    announce: (text) => emit({ kind: 'announce', text: redaction.redact(text) }),
    emit,
    close() {
      wire.close();
      traffic.close(usualLatency(exchanges));
    },
  };
}

/** The requests of earlier runs count against the limits of this run. */
function openTraffic({ trafficFile = noTrafficFile, keys }: RunOptions, pacer: Pacer) {
  const fingerprints = fingerprintsOf(keys);
  const { uses: earlier, latencyMs } = trafficFile.read();
  pacer.recall(earlier.map((use) => ({ ...use, lane: { ...use.lane, key: fingerprints.nameOf(use.lane.key) } })));
  return {
    latencyMs,
    close(latestMs: number | null) {
      const uses = pacer.recent().map((use) => ({ ...use, lane: { ...use.lane, key: fingerprints.of(use.lane.key) } }));
      trafficFile.write({ uses, latencyMs: latestMs ?? latencyMs });
    },
  };
}

function redactionOf(options: RunOptions): Pick<Session, 'secrets' | 'redact' | 'findSecrets'> {
  const own = secretsOf(options);
  const secrets = [...spoiltSecrets(options.keys.good), ...own];
  return { secrets, redact: makeRedact(secrets), findSecrets: makeFinder(own) };
}

/** Everything that decides the requests, without secrets. */
function inputsOf({ mcpEndpoint, keys, ...options }: RunOptions): Omit<RunInputs, 'latencyMs'> {
  const isKept = (name: string) => name === 'sent' || (name in optionRows && !['ca', 'cert', 'key'].includes(name));
  const given = Object.fromEntries(Object.entries(options).filter(([name]) => isKept(name)));
  const headers = Object.fromEntries(Object.keys(options.headers ?? {}).map((name) => [name, `<${name}>`]));
  return {
    options: { ...given, ...(options.headers === undefined ? {} : { headers }) },
    isOfMcpEndpoint: mcpEndpoint === 'mcp',
    standIns: standInsFor(keys),
  };
}

/** Reports an unusable proxy before the first request. */
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
  const all = exchanges.filter((each) => !each.burst && hasResponse(each));
  const times = all.map(({ sentAt, receivedAt }) => receivedAt - sentAt).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? null;
}

/** A check that would sleep past the end of the run is stopped instead. */
function sleepWithin(clock: RunClock, deadline: Deadline): RunClock['sleep'] {
  return (ms) => {
    deadline.rejectWait(ms);
    return clock.sleep(ms);
  };
}

/** A pace that the user sets is used unchanged, even if it is faster than the limits. */
function paceOf(pace: 'auto' | 'off' | PaceSettings, loopback: boolean): PaceSettings {
  if (pace === 'auto') return autoPace(loopback);
  return pace === 'off' ? unpaced : pace;
}

/** A version 4 UUID from the run id: valid, but not the id of any record. */
function unknownIdFor(runId: string): string {
  const hex = Buffer.from(runId.padEnd(8, '0')).toString('hex').padEnd(12, '0').slice(-12);
  return `c0ffee00-dead-4bad-8bad-${hex}`;
}

// Values that must not appear in a report or a file: keys, spoilt keys, and the values of extra headers.

/** Each is named by the variable or header that holds it, so a curl line of a report can be run. */
export function secretsOf({ keys, headers, baseUrl }: Pick<RunOptions, 'keys' | 'headers' | 'baseUrl'>): Secret[] {
  const named: (readonly [string | undefined, string])[] = [
    ...(['good', 'second', 'revoked'] as const).map((name) => [keys[name], `$${keyRows[name].variable}`] as const),
    // A value that is also part of the address is not a secret, and without it the address could not be read.
    ...Object.entries(headers ?? {})
      .filter(([, value]) => !baseUrl.includes(value))
      .map(([name, value]) => [value, `<${name}>`] as const),
  ];
  return named.flatMap(([value, placeholder]) => (value ? [{ value, placeholder }] : []));
}

/** Most of a spoilt key is the key: reports show the shell expression that makes it. */
export function spoiltSecrets(good: string): Secret[] {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell expands it.
  const written: Record<Spoilt, string> = {
    scheme: '$CONFORMANCE_API_KEY',
    'no-scheme': '$CONFORMANCE_API_KEY',
    basic: '$(printf %s: "$CONFORMANCE_API_KEY" | base64 -w0)',
    digit: good.endsWith('0') ? '${CONFORMANCE_API_KEY%?}1' : '${CONFORMANCE_API_KEY%?}0',
    short: '${CONFORMANCE_API_KEY%?}',
    long: '${CONFORMANCE_API_KEY}0',
    'no-prefix': '${CONFORMANCE_API_KEY##*_}',
    'other-prefix': 'other_${CONFORMANCE_API_KEY##*_}',
    'other-case': '${CONFORMANCE_API_KEY%_*}_$(printf %s "${CONFORMANCE_API_KEY##*_}" | tr a-zA-Z A-Za-z)',
  };
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the rest is ours.
  return (
    spoiltWays
      .map((how) => ({
        value: spoil(good, how).replace(/^\w+ /, ''),
        placeholder: written[how],
        isSpoilt: true as const,
      }))
      // A key without letters has only one case.
      .filter(({ value }, index) => value !== good || spoiltWays[index] !== 'other-case')
  );
}

function keyFingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/** The traffic file has fingerprints of keys, lanes have their names. */
export function fingerprintsOf(keys: Keys) {
  const names = new Map<string, string>([[keyFingerprint(keys.good), 'good']]);
  if (keys.second !== undefined) names.set(keyFingerprint(keys.second), 'second');
  return {
    nameOf: (fingerprint: string | null) => (fingerprint === null ? null : (names.get(fingerprint) ?? fingerprint)),
    of: (name: string | null) => [...names].find(([, known]) => known === name)?.[0] ?? name,
  };
}
