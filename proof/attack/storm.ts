// The storm: attacks of all kinds at once, on a mock in its own process, with the outcomes and the memory.

import fc from 'fast-check';
import { openClient, type RawClient } from '../../fixtures/test-kit/client.ts';
import { createRandom, type Random } from '../../src/domain/random.ts';
import type { CoreRequest } from '../../src/http/message.ts';
import { heavyRequests } from './heavy.ts';
import type { Measured } from './inside.ts';
import { type MockProcess, startMockProcess } from './mock-process.ts';
import { apiRequest, bytesOf, heads, mcpRequest, plainRequest } from './requests.ts';
import { type WireTraffic, wireAttacks } from './wire.ts';
import { accountIds, hex, toBytes } from './words.ts';

/** Flags of the mock: each set opens ways that the others keep shut. */
export const optionSets: Readonly<Record<string, readonly string[]>> = {
  'with its limits': ['--strict', '--quiet'],
  'greased, without limits': ['--strict', '--quiet', '--grease=7', '--relaxed'],
  saved: ['--strict', '--relaxed', '--save', 'FOLDER/storm.state'],
};

/** `requests` are those of all sets of flags together. */
export interface StormOptions {
  readonly requests: number;
  readonly seed: number;
  /** Parts of the names of attacks; all attacks when empty. */
  readonly only: readonly string[];
  readonly onProgress?: (line: string) => void;
}

export interface StormResult {
  readonly options: string;
  readonly attacks: Readonly<Record<string, ReturnType<Tally['toRow']>>>;
  readonly all: ReturnType<Tally['toRow']>;
  /** After each quarter. */
  readonly memory: readonly Measured['memory'][];
  /** The reasons why it failed, in sentences. */
  readonly faults: readonly string[];
}

/** More at once than a test suite is likely to send. */
const attackersAtOnce = 24;
/** Maximum growth of the mock's memory under any requests. */
const grownMbMax = 64;
const waitMs = 30_000;

/** A status; or the connection was closed or reset, or nothing came in time. */
type Outcome = number | 'closed' | 'reset' | 'silent';

/** Responses by outcome; `unexpected` are a 5xx that was not ordered, or follow an error inside the mock. */
class Tally {
  unexpected = 0;
  requests = 0;
  readonly outcomes = new Map<string, number>();

  note(outcome: string | number, count = 1): void {
    this.requests += count;
    this.outcomes.set(String(outcome), (this.outcomes.get(String(outcome)) ?? 0) + count);
  }

  add(other: Tally): void {
    this.unexpected += other.unexpected;
    for (const [outcome, count] of other.outcomes) this.note(outcome, count);
  }

  toRow() {
    const outcomes = [...this.outcomes].map(([outcome, count]) => `${outcome}: ${count}`);
    return { requests: this.requests, unexpected: this.unexpected, outcomes: outcomes.sort().join(' ') };
  }
}

/** One attacker, with one connection that it uses again where it can. */
function openAttacker(port: number, random: Random) {
  let kept: RawClient | null = null;
  const close = () => {
    kept?.socket.destroy();
    kept = null;
  };
  const exchange = async (bytes: Buffer, bodiless: boolean, tally: Tally): Promise<Outcome> => {
    kept ??= await openClient(port);
    kept.write(bytes);
    const outcome = await readOutcome(kept, tally, bodiless);
    if (typeof outcome === 'string' || kept.socket.readableEnded) close();
    return outcome;
  };
  const ask = async (request: CoreRequest, tally: Tally): Promise<void> => {
    const bytes = bytesOf(request, `10.${[0, 0, 0].map(() => random.below(250)).join('.')}`);
    const send = () => exchange(bytes, request.method === 'HEAD', tally);
    const isReused = kept !== null;
    const outcome = await send();
    // The mock may close an idle connection just when a request is on its way: any client sends it again.
    tally.note(isReused && (outcome === 'closed' || outcome === 'reset') ? await send() : outcome);
  };
  const send = async ({ pieces, end, responses = 1 }: WireTraffic, tally: Tally): Promise<void> => {
    const client = await openClient(port);
    const isAwaited = end === 'wait' || end === 'half-close';
    for (const piece of pieces) {
      client.write(piece);
      if (end === 'close') await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (end === 'half-close') client.socket.end();
    if (end === 'reset') client.socket.resetAndDestroy();
    for (let i = 0; isAwaited && i < responses; i += 1) tally.note(await readOutcome(client, tally));
    if (!isAwaited) tally.note('not awaited');
    client.socket.destroy();
  };
  return { ask, send, close };
}

async function readOutcome(client: RawClient, tally: Tally, bodiless = false): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, waitMs, null);
  });
  try {
    const response = await Promise.race([client.response({ bodiless }), silence]);
    if (response === null) return 'silent';
    if (response.status === 100) return await readOutcome(client, tally, bodiless);
    const { status, headers } = response;
    if (headers['x-casa-bug'] !== undefined || (status >= 500 && headers['x-casa-fault'] === undefined))
      tally.unexpected += 1;
    return status;
  } catch {
    return (await client.ended) === 'closed' ? 'closed' : 'reset';
  } finally {
    clearTimeout(timer);
  }
}

export async function storm(options: StormOptions): Promise<StormResult[]> {
  const sets = Object.entries(optionSets);
  const requests = Math.ceil(options.requests / sets.length);
  const results: StormResult[] = [];
  for (const [name, flags] of sets) results.push(await stormOn(name, flags, { ...options, requests }));
  return results;
}

/** Each attack twice first, so lazy loading does not look like a leak. Then four equal parts. */
async function stormOn(name: string, flags: readonly string[], options: StormOptions): Promise<StormResult> {
  const { requests, seed, only, onProgress } = options;
  const chosen = Object.entries(attacks).filter(
    ([attack]) => only.length === 0 || only.some((part) => attack.includes(part)),
  );
  const tallies = new Map(chosen.map(([attack]) => [attack, new Tally()]));
  const sent = () => [...tallies.values()].reduce((sum, tally) => sum + tally.requests, 0);
  const draw = drawFrom(chosen, seed);
  const mock = await startMockProcess(flags);
  const memory: Measured['memory'][] = [];
  try {
    const queue = [...chosen, ...chosen];
    await wave(mock, { tallies, draw, next: () => queue.shift() });
    memory.push(await mock.measure('memory'));
    for (let quarter = 1; quarter <= 4 && mock.died() === null; quarter += 1) {
      const until = sent() + requests / 4;
      await wave(mock, { tallies, draw, next: () => (sent() < until ? draw.attack() : undefined) });
      if (mock.died() === null) memory.push(await mock.measure('memory'));
      onProgress?.(`${name}: ${sent()} requests, ${memory.at(-1)?.heldMb.toFixed(0)} MB held`);
    }
    const all = new Tally();
    for (const tally of tallies.values()) all.add(tally);
    return {
      options: `${name}: casa mock ${flags.join(' ')}`,
      attacks: Object.fromEntries([...tallies].map(([attack, tally]) => [attack, tally.toRow()])),
      all: all.toRow(),
      memory,
      faults: faultsOf(all, memory, mock.died()),
    };
  } finally {
    await mock.stop();
  }
}

/** Random values that repeat with the seed: attacks by their shares, and samples of each in batches. */
function drawFrom(chosen: readonly (readonly [string, Attack])[], seed: number) {
  const total = chosen.reduce((sum, [, [share]]) => sum + share, 0);
  const random = createRandom(seed);
  const pools = new Map(chosen.map(([name, [, sample]]) => [name, pool(sample, seed)]));
  return {
    random,
    sample: (name: string) => pools.get(name)?.() as CoreRequest | WireTraffic,
    attack: () => {
      let left = random.next() * total;
      return chosen.find(([, [share]]) => {
        left -= share;
        return left < 0;
      });
    },
  };
}

function pool<Value>(arbitrary: fc.Arbitrary<Value>, seed: number): () => Value {
  let batch: Value[] = [];
  let turn = seed * 1_000_003;
  return () => {
    if (batch.length === 0) batch = fc.sample(arbitrary, { numRuns: 32, seed: turn++, unbiased: true });
    return batch.pop() as Value;
  };
}

interface Batch {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly draw: ReturnType<typeof drawFrom>;
  readonly next: () => readonly [string, Attack] | undefined;
}

async function wave(mock: MockProcess, { tallies, draw, next }: Batch): Promise<void> {
  const work = async () => {
    const attacker = openAttacker(mock.port, draw.random);
    for (let attack = next(); attack !== undefined && mock.died() === null; attack = next()) {
      const [name] = attack;
      const tally = tallies.get(name) as Tally;
      const sample = draw.sample(name);
      await ('pieces' in sample ? attacker.send(sample, tally) : attacker.ask(sample, tally));
    }
    attacker.close();
  };
  await Promise.all(Array.from({ length: attackersAtOnce }, work));
}

function faultsOf({ unexpected }: Tally, memory: StormResult['memory'], died: string | null): string[] {
  const faults: string[] = [];
  if (died !== null) faults.push(`The mock died: ${died}`);
  if (unexpected > 0) faults.push(`${unexpected} responses are errors that the client did not ask for.`);
  const [before, , , late, after] = memory.map(({ heldMb }) => heldMb);
  if (before === undefined || late === undefined || after === undefined) return faults;
  const grown = after - before;
  // Bounded memory grows less and less; memory that is never freed grows by a quarter in the last quarter.
  if (grown > grownMbMax && after - late > grown / 8) {
    const last = `${(after - late).toFixed(0)} of them in the last quarter`;
    faults.push(`Memory does not level off: ${grown.toFixed(0)} MB more, ${last}.`);
  }
  return faults;
}

/** One kind of misuse: its share, and requests over HTTP or bytes on a connection. */
export type Attack = readonly [share: number, sample: fc.Arbitrary<CoreRequest | WireTraffic>];

const reads = fc.constantFrom('sites', 'articles', 'connect/accounts');
const adminReads = fc.constantFrom('requests?limit=50', 'results', 'health', 'requests?operation=listSites');
const heavy = heavyRequests.filter(({ flags }) => !flags);
const written = fc.tuple(hex(6), fc.boolean()).map(([digits, isLink]) => {
  const [path, values] = isLink
    ? ['', { provider: 'tiktok', label: `Storm ${digits}` }]
    : [`/${accountIds[0]}/posts`, { text: `Storm ${digits}` }];
  return plainRequest('POST', `/api/v1/connect/accounts${path}`, { body: toBytes(values) });
});

export const attacks: Readonly<Record<string, Attack>> = {
  // The measure for the others.
  'plain reads': [120, reads.map((path) => plainRequest('GET', `/api/v1/${path}`, { query: 'limit=20' }))],
  // Something to lose.
  'valid writes': [4, written],
  'admin reads': [1, adminReads.map((path) => plainRequest('GET', `/__admin/${path}`, { headers: {} }))],
  'unexpected requests': [500, apiRequest],
  'unexpected MCP messages': [60, mcpRequest],
  'heavy requests': [1, fc.constantFrom(...heavy).map(({ request }) => request(0))],
  ...shared(heads, () => 40),
  // Slow ones keep an attacker busy for long.
  ...shared(wireAttacks, (name) => (/^(slow|event)/.test(name) ? 4 : 15)),
};

function shared(samples: Readonly<Record<string, Attack[1]>>, shareOf: (name: string) => number) {
  return Object.fromEntries(
    Object.entries(samples).map(([name, sample]): [string, Attack] => [name, [shareOf(name), sample]]),
  );
}
