// The hostile storm: many attacks at once on a mock in a process of its own, with the outcomes and the cost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attacks } from './attacks/index.ts';
import { type Attack, Field } from './field.ts';
import type { Measured } from './inside.ts';
import { type MockProcess, startMockProcess } from './mock-process.ts';
import { Tally, type Told } from './tally.ts';

/** Flags of the mock: each set opens ways that the others keep shut. `FOLDER` is one of its own. */
export const optionSets: Readonly<Record<string, readonly string[]>> = {
  'with its limits': ['--strict', '--quiet'],
  'greased, without limits': ['--strict', '--quiet', '--grease=7', '--relaxed'],
  'saved and talkative': ['--strict', '--relaxed', '--verbose', '--save', 'FOLDER/storm.state'],
};

/** `requests` are those of all sets of flags together. */
export interface StormOptions {
  readonly requests: number;
  readonly seed: number;
  /** Attacks whose name contains one of these; all when there is none. */
  readonly only?: readonly string[];
  readonly onProgress?: (line: string) => void;
}

/** The mock's own figures at one moment. */
export interface Memory {
  readonly when: string;
  readonly rssMb: number;
  readonly heldMb: number;
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}

/** A storm on one set of flags. */
export interface StormOf {
  readonly options: string;
  readonly seconds: number;
  readonly attacks: Readonly<Record<string, Told>>;
  readonly all: Told;
  readonly memory: readonly Memory[];
  /** The reasons why it is not a success, in sentences. */
  readonly faults: readonly string[];
}

/**
 * More at once than a test suite is likely to send, and few enough that latencies are those of the mock and not of this
 * client.
 */
const fieldsAtOnce = 24;
/** The most that clients may make the mock remember, whatever they send. */
const grownMbMax = 64;
const quarters = ['before', 'a quarter', 'half', 'three quarters', 'after'] as const;

/** One set of flags after the other, each with a mock of its own. */
export async function storm(options: StormOptions): Promise<StormOf[]> {
  const sets = Object.entries(optionSets);
  const requests = Math.ceil(options.requests / sets.length);
  const results: StormOf[] = [];
  for (const [name, flags] of sets) results.push(await stormOn(name, flags, { ...options, requests }));
  return results;
}

/**
 * Each attack twice first, so that what is loaded or compiled only once is not taken for a leak; then four equal parts,
 * with the memory measured after each.
 */
async function stormOn(name: string, flags: readonly string[], options: StormOptions): Promise<StormOf> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-storm-'));
  const mock = await startMockProcess(flags.map((flag) => flag.replace('FOLDER', folder)));
  const tallies = new Map<Attack, Tally>();
  const memory: Memory[] = [];
  const startedMs = performance.now();
  try {
    const random = mulberry(options.seed);
    await wave(mock, { tallies, random, queue: [...chosenOf(options), ...chosenOf(options)] });
    memory.push(memoryOf(quarters[0], await mock.measure()));
    for (const when of quarters.slice(1)) {
      const share = options.requests / (quarters.length - 1);
      await wave(mock, { tallies, random, until: sentIn(tallies) + share, from: chosenOf(options) });
      if (mock.died() !== null) break;
      memory.push(memoryOf(when, await mock.measure()));
      options.onProgress?.(`${name}: ${sentIn(tallies)} requests, ${memory.at(-1)?.heldMb.toFixed(0)} MB held`);
    }
    const all = new Tally();
    for (const tally of tallies.values()) all.add(tally);
    const told = all.told();
    return {
      options: `${name}: casa mock ${flags.join(' ')}`,
      seconds: (performance.now() - startedMs) / 1000,
      attacks: Object.fromEntries([...tallies].map(([attack, tally]) => [attack.name, tally.told()])),
      all: told,
      memory,
      faults: faultsOf(told, memory, mock.died()),
    };
  } finally {
    await mock.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function chosenOf({ only = [] }: StormOptions): readonly Attack[] {
  return only.length === 0 ? attacks : attacks.filter(({ name }) => only.some((part) => name.includes(part)));
}

/** What a number of attackers does until it ends. */
interface Wave {
  readonly tallies: Map<Attack, Tally>;
  readonly random: () => number;
  /** Each of these once. */
  readonly queue?: Attack[];
  /** Chosen from by their shares, until so many requests were sent in all. */
  readonly from?: readonly Attack[];
  readonly until?: number;
}

async function wave(mock: MockProcess, { tallies, random, queue = [], from = [], until = 0 }: Wave): Promise<void> {
  const total = from.reduce((sum, { share }) => sum + share, 0);
  const choose = (): Attack | undefined => {
    let left = random() * total;
    return from.find(({ share }) => {
      left -= share;
      return left < 0;
    });
  };
  const next = () => queue.shift() ?? (sentIn(tallies) < until ? choose() : undefined);
  const work = async () => {
    const field = new Field(mock.port, random);
    for (let attack = next(); attack !== undefined && mock.died() === null; attack = next()) {
      const tally = tallies.get(attack) ?? new Tally();
      tallies.set(attack, tally);
      field.tally = tally;
      await attack.run(field);
    }
    field.close();
  };
  await Promise.all(Array.from({ length: fieldsAtOnce }, work));
}

function sentIn(tallies: ReadonlyMap<Attack, Tally>): number {
  let sent = 0;
  for (const { requests } of tallies.values()) sent += requests;
  return sent;
}

/** In the form of the table. */
function memoryOf(when: string, { rssMb, heldMb, loopDelayMs }: Measured): Memory {
  return { when, rssMb, heldMb, loopP99Ms: loopDelayMs.p99, loopMaxMs: loopDelayMs.max };
}

/** What the mock must never do, whatever it is sent. */
function faultsOf(all: Told, memory: readonly Memory[], died: string | null): string[] {
  const faults: string[] = [];
  if (died !== null) faults.push(`The mock died: ${died}`);
  if (all.unwanted > 0) faults.push(`${all.unwanted} answers are errors that nobody asked for.`);
  const [before, , , late, after] = memory.map(({ heldMb }) => heldMb);
  if (before === undefined || late === undefined || after === undefined) return faults;
  const grown = after - before;
  // Memory with a cap grows less and less; memory that is never freed grows by a quarter in the last quarter.
  if (grown > grownMbMax && after - late > grown / 8) {
    faults.push(
      `Memory does not level off: ${grown.toFixed(0)} MB more, ${(after - late).toFixed(0)} of them in the last quarter.`,
    );
  }
  return faults;
}

/** Chance that repeats itself (mulberry32). */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
