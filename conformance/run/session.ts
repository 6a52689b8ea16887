// Everything that one run shares: the way to the target, the record, and what the user allowed.

import type { Exchange } from '../exchange/exchange.ts';
import { type Spoilt, spoil, spoiltWays } from '../exchange/request.ts';
import { type KitClock, systemClock } from '../pace/clock.ts';
import { type Courier, makeCourier } from '../pace/courier.ts';
import { autoPace, type PaceSettings, unpaced } from '../pace/lanes.ts';
import { makePacer } from '../pace/pacer.ts';
import { keyFingerprint, noTrafficFile } from '../pace/traffic-file.ts';
import type { Capability } from '../probe/check.ts';
import type { ProbeContext, RunSettings } from '../probe/probe.ts';
import { makeRedact, type Redact, type Secret } from '../report/redact.ts';
import { openWire } from '../wire/http.ts';
import { isLoopback } from '../wire/proxy.ts';
import type { RunEvent } from './events.ts';
import type { RunOptions } from './options.ts';

export interface Session extends ProbeContext {
  readonly baseUrl: URL;
  readonly target: string;
  readonly pace: PaceSettings;
  readonly capabilities: ReadonlySet<Capability>;
  readonly exchanges: Exchange[];
  readonly redact: Redact;
  readonly signal: AbortSignal | null;
  onExchange(listener: (exchange: Exchange) => void): void;
  findSecrets(text: string): string[];
  close(): void;
}

const TIMEOUT_MS = 15_000;

export function openSession(options: RunOptions, emit: (event: RunEvent) => void): Session {
  const baseUrl = new URL(options.baseUrl);
  const clock: KitClock = options.clock ?? systemClock();
  const mcpUrl = options.mcpUrl === undefined ? null : new URL(options.mcpUrl);
  const loopback = isLoopback(baseUrl.hostname) && (mcpUrl === null || isLoopback(mcpUrl.hostname));
  const pace = paceOf(options.pace ?? 'auto', loopback);
  const pacer = makePacer(clock, pace, (ms) => {
    if (ms > 2 * pace.spacingMs) emit({ kind: 'waiting', ms, why: 'the limits' });
  });
  const traffic = options.trafficFile ?? noTrafficFile;
  const fingerprints = fingerprintsOf(options);
  pacer.recall(
    traffic.read().map((use) => ({ ...use, lane: { ...use.lane, key: fingerprints.nameOf(use.lane.key) } })),
  );
  const wire = openWire({
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    env: options.env ?? {},
    insecure: options.insecure ?? false,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const exchanges: Exchange[] = [];
  const listeners: ((exchange: Exchange) => void)[] = [];
  const courier: Courier = makeCourier({
    baseUrl,
    mcpUrl,
    keys: options.keys,
    wire,
    pacer,
    clock,
    headers: options.headers ?? {},
    addresses: options.sourceAddresses ?? [],
    onExchange(exchange) {
      exchanges.push(exchange);
      for (const listener of listeners) listener(exchange);
    },
    onWait: (ms, why) => emit({ kind: 'waiting', ms, why }),
  });
  const secrets = secretsOf(options);
  return {
    baseUrl,
    target: baseUrl.href.replace(/\/+$/, ''),
    pace,
    clock,
    courier,
    exchanges,
    writes: { taken: 0 },
    capabilities: capabilitiesOf(options),
    settings: settingsOf(options, loopback),
    unknownId: unknownIdFor(options.runId),
    shared: new Map(),
    redact: makeRedact([...spoiltSecrets(options.keys.good), ...secrets]),
    signal: options.signal ?? null,
    announce: (text) => emit({ kind: 'announce', text }),
    onExchange: (listener) => void listeners.push(listener),
    findSecrets: (text) => secrets.filter(({ value }) => text.includes(value)).map(({ placeholder }) => placeholder),
    close() {
      wire.close();
      traffic.write(
        pacer.recent().map((use) => ({ ...use, lane: { ...use.lane, key: fingerprints.of(use.lane.key) } })),
      );
    },
  };
}

function paceOf(pace: 'auto' | 'off' | PaceSettings, loopback: boolean): PaceSettings {
  if (pace === 'auto') return autoPace(loopback);
  return pace === 'off' ? unpaced : pace;
}

function settingsOf(options: RunOptions, isLoopbackTarget: boolean): RunSettings {
  return {
    runId: options.runId,
    account: options.account ?? null,
    review: options.review ?? null,
    maxWrites: options.maxWrites ?? 40,
    sourceAddresses: options.sourceAddresses ?? [],
    callIdField: options.callIdField ?? null,
    callEndedAtField: options.callEndedAtField ?? null,
    mcpUrl: options.mcpUrl ?? null,
    control: options.control ?? null,
    isLoopback: isLoopbackTarget,
    isWatching: options.watch === true,
  };
}

function capabilitiesOf(options: RunOptions): Set<Capability> {
  const has: [boolean, Capability][] = [
    [options.account !== undefined, 'account'],
    [options.keys.second !== undefined, 'second-key'],
    [options.keys.revoked !== undefined, 'revoked-key'],
    [(options.sourceAddresses?.length ?? 0) > 1, 'source-addresses'],
    [options.mcpUrl !== undefined, 'mcp'],
    [options.watch === true, 'watch'],
    [hasTime(options), 'thorough'],
    [options.callIdField !== undefined, 'call-id-field'],
    [options.callEndedAtField !== undefined, 'call-ended-at-field'],
    [options.control !== undefined, 'control'],
    [options.gentle !== true, 'burst'],
  ];
  const writes = (options.allowWrites ?? []).map((kind): Capability => `writes:${kind}`);
  return new Set([...has.filter(([given]) => given).map(([, name]) => name), ...writes]);
}

/** Who waits, writes, or moves a clock has time; without a pace there is no need of it. */
function hasTime({ watch, allowWrites, pace, control }: RunOptions): boolean {
  return watch === true || (allowWrites?.length ?? 0) > 0 || pace === 'off' || control !== undefined;
}

function secretsOf({ keys, headers, baseUrl }: RunOptions): Secret[] {
  const named: [string | undefined, string][] = [
    [keys.good, '$CONFORMANCE_API_KEY'],
    [keys.second, '$CONFORMANCE_SECOND_KEY'],
    [keys.revoked, '$CONFORMANCE_REVOKED_KEY'],
    // What stands in the address as well is no secret, and without it the address could not be read.
    ...Object.entries(headers ?? {})
      .filter(([, value]) => !baseUrl.includes(value))
      .map(([name, value]): [string, string] => [value, `<${name}>`]),
  ];
  return named.flatMap(([value, placeholder]) => (value ? [{ value, placeholder }] : []));
}

/** Most of a spoilt key is the key: each stands in reports as the shell expression that makes it. */
function spoiltSecrets(good: string): Secret[] {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: what the shell puts in, not we.
  const written: Record<Spoilt, string> = {
    scheme: '$CONFORMANCE_API_KEY',
    'no-scheme': '$CONFORMANCE_API_KEY',
    basic: '$(printf %s: "$CONFORMANCE_API_KEY" | base64 -w0)',
    digit: good.endsWith('0') ? '${CONFORMANCE_API_KEY%?}1' : '${CONFORMANCE_API_KEY%?}0',
    short: '${CONFORMANCE_API_KEY%?}',
    long: '${CONFORMANCE_API_KEY}0',
    'no-prefix': '${CONFORMANCE_API_KEY#*_}',
    'other-prefix': 'other_${CONFORMANCE_API_KEY#*_}',
  };
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the rest is ours.
  return spoiltWays.map((how) => ({ value: spoil(good, how).replace(/^\w+ /, ''), placeholder: written[how] }));
}

/** Keys stand in the traffic file by fingerprint, in lanes by name. */
function fingerprintsOf({ keys }: RunOptions) {
  const names = new Map<string, string>([[keyFingerprint(keys.good), 'good']]);
  if (keys.second !== undefined) names.set(keyFingerprint(keys.second), 'second');
  return {
    nameOf: (fingerprint: string | null) => (fingerprint === null ? null : (names.get(fingerprint) ?? fingerprint)),
    of: (name: string | null) => [...names].find(([, known]) => known === name)?.[0] ?? name,
  };
}

/** A version 4 UUID from the run id: valid everywhere an id is asked for, and nobody's. */
function unknownIdFor(runId: string): string {
  const hex = Buffer.from(runId.padEnd(8, '0')).toString('hex').padEnd(12, '0').slice(-12);
  return `c0ffee00-dead-4bad-8bad-${hex}`;
}
