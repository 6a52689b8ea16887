// Tested servers, each with its clock: our mock through its transports, and the second implementation. The suite sleeps
// on the same clock, so a run of two minutes takes a moment.

import type { KitClock } from '../../conformance/pace/clock.ts';
import type { RunOptions } from '../../conformance/run/options.ts';
import { createMock, type MockOptions, startMock } from '../../src/index.ts';
import { type Mutant, mutants, type Need } from '../../src/mutants/index.ts';
import { type IndependentOptions, startIndependent } from '../independent/index.ts';
import { ofMockAlone, sharedMutant } from './shared-mutants.ts';
import { virtualClock } from './virtual-clock.ts';

/** The facts about a server that a run needs, and how to stop it. */
export interface Target {
  readonly options: Omit<RunOptions, 'runId'>;
  close(): Promise<void>;
}

/** A server with one violation, and the expected result. */
export interface MutantRow {
  readonly name: string;
  readonly of: 'mock' | 'independent';
  readonly breaks: string;
  readonly shows: string;
  /** All that a client must be allowed, or be given, to see it. */
  readonly needs: Need;
  /** The most that the kit may conclude. */
  readonly result: 'fail' | 'warn';
  start(): Promise<Target>;
}

const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;

/** Everything that the kit may be allowed to do. */
const allowed = {
  allowWrites: ['posts', 'replies', 'links', 'contacts'],
  maxWrites: 60,
  sourceAddresses: addresses,
  watch: true,
} as const satisfies Partial<RunOptions>;

/** In seconds: such a call is in progress when the log is read, and settles while a run watches it. */
const callS = 420;

/**
 * Our mock with limits on, as production has them. The kit's clock moves the mock's. In the default world one more call
 * has just begun: those of the world are over before a run with every permission comes to the log.
 */
export async function startMockTarget(options: MockOptions = {}): Promise<Target> {
  const account = await knownAccount(options);
  const casa = await startMock({ limits: true, ...options });
  if (options.world === undefined) casa.calls.ring({ durationS: callS });
  const clock: KitClock = {
    now: () => casa.clock.now(),
    sleep: async (ms) => casa.clock.advance(Math.max(0, Math.ceil(ms))),
  };
  const { good, list } = casa.keys;
  const organizationId = list.find(({ key }) => key === good)?.organizationId;
  const second = list.find((other) => !other.revoked && other.organizationId !== organizationId)?.key;
  const revoked = list.find((other) => other.revoked)?.key;
  return {
    options: {
      ...allowed,
      baseUrl: casa.baseUrl,
      keys: { good, ...(second === undefined ? {} : { second }), ...(revoked === undefined ? {} : { revoked }) },
      clock,
      mcpUrl: casa.mcpUrl,
      callIdField: 'id',
      callEndedAtField: 'endedAt',
      ...(account === null ? {} : { account }),
    },
    close: () => casa.close(),
  };
}

const known = new Map<string, string | null>();

/** An account that the user knows: read from a clean mock, because a mutant might not list it. */
async function knownAccount({ mutant: _mutant, ...options }: MockOptions): Promise<string | null> {
  const name = JSON.stringify([options.world, options.grease]);
  if (!known.has(name)) known.set(name, await firstReviewable(options));
  return known.get(name) ?? null;
}

/** An account that is connected and has reviews; null in a world without one. */
async function firstReviewable(options: MockOptions): Promise<string | null> {
  const clean = await createMock({ ...options, limits: false });
  const response = await clean.fetch('/connect/accounts', { headers: { authorization: `Bearer ${clean.keys.good}` } });
  const { data } = (await response.json()) as {
    data: { accounts: { accountId: string; provider: string; status: string }[] };
  };
  const usable = data.accounts.find(({ provider, status }) => provider === 'google_business' && status === 'connected');
  return usable?.accountId ?? null;
}

/** The second implementation. Some calls end during the run, because settling cannot be seen otherwise. */
export async function startIndependentTarget(
  options: Pick<IndependentOptions, 'around' | 'sizes'> & {
    readonly variant: string | Exclude<IndependentOptions['variant'], string>;
  },
): Promise<Target> {
  const virtual = virtualClock(Date.UTC(2026, 2, 10, 9));
  const startMs = virtual.now();
  const late: { atMs: number; end(): void }[] = [];
  const clock: KitClock = {
    now: virtual.now,
    sleep: async (ms) => {
      await virtual.sleep(ms);
      for (const call of late.splice(0, late.filter(({ atMs }) => atMs <= virtual.now()).length)) call.end();
    },
  };
  const server = await startIndependent({ now: () => clock.now(), ...options } as Parameters<
    typeof startIndependent
  >[0]);
  if (server.variant.calls === 'many') {
    // Calls that end while the kit looks on, one more that is notified of minutes late.
    for (const minutes of [2, 3, 4, 6, 8]) server.addCall({ startedAt: startMs, endedAt: startMs + minutes * 60_000 });
    server.addCall({ startedAt: startMs - 10 * 60_000, endedAt: startMs - 7 * 60_000 });
    const running = server.addCall({ startedAt: startMs, endedAt: null });
    late.push({ atMs: startMs + 9.5 * 60_000, end: () => running.end(startMs + 3 * 60_000) });
  }
  const { good, second, revoked } = server.keys;
  const { id, endedAt } = server.callFields as { id?: string; endedAt?: string };
  return {
    options: {
      ...allowed,
      baseUrl: server.baseUrl,
      keys: { good, second, revoked },
      clock,
      mcpUrl: server.mcpUrl,
      account: server.accounts.reviewable,
      ...(id === undefined ? {} : { callIdField: id }),
      ...(endedAt === undefined ? {} : { callEndedAtField: endedAt }),
    },
    close: async () => {
      await server.close();
      if (server.faults.length > 0) throw new Error(server.faults[0]);
    },
  };
}

const aboutMcpEndpoint =
  /^(1\.(mcp-door|further-tools)$|4\.tools\.|7\.envelope\.mcp$|8\.(key-window-shared|body-mcp|customers-max)$|8\.import\.)/;

/** The MCP endpoint is included only if it has the violation: testing it doubles the time. */
function atMcpEndpoint(isShown: boolean, start: () => Promise<Target>): () => Promise<Target> {
  if (isShown) return start;
  return async () => {
    const { options, close } = await start();
    const { mcpUrl: _mcpUrl, ...rest } = options;
    return { options: rest, close };
  };
}

/** Each mutant on both servers, under one name; a few are of the mock alone. */
export function allMutants(): MutantRow[] {
  const rowOf = (of: MutantRow['of'], mutant: Mutant, start: () => Promise<Target>): MutantRow => {
    const { name, breaks, shows, wrapMcp, needs = 'nothing', result = 'fail' } = mutant;
    const isOfMcpEndpoint = wrapMcp !== undefined || aboutMcpEndpoint.test(breaks);
    return { name, breaks, shows, of, needs, result, start: atMcpEndpoint(isOfMcpEndpoint, start) };
  };
  const ofMock = mutants.map((mutant) => {
    const world = mutant.world === undefined ? {} : { world: mutant.world };
    return rowOf('mock', mutant, () => startMockTarget({ mutant: mutant.name, ...world }));
  });
  const shared = mutants.filter(({ name }) => !ofMockAlone.has(name));
  const ofOther = shared.map((mutant) =>
    rowOf('independent', mutant, () => startIndependentTarget(sharedMutant(mutant))),
  );
  return [...ofMock, ...ofOther];
}
