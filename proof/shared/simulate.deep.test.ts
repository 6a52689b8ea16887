import { describe, expect, it } from 'vitest';
import type { LogConnection, LogEntry } from '../../src/shared/log.ts';
import { makeEngineOf, type ProcessOptions } from './process.ts';
import { simulateShared } from './simulate.ts';

/** Reads other texts, or others of them. */
function reading(
  connection: LogConnection,
  change: (entries: readonly LogEntry[]) => readonly LogEntry[],
): LogConnection {
  return {
    begin: (text) => connection.begin(text),
    append: (text) => connection.append(text),
    read: async (after, wish) => {
      const entries = await connection.read(after, wish);
      return entries === 'gone' ? entries : change(entries);
    },
    checkpoint: () => connection.checkpoint(),
    keep: (checkpoint) => connection.keep(checkpoint),
    close: () => connection.close(),
  };
}

/** A copy looks like the entry of somebody else, on every replica. */
const first = new Map<string, string>();
const disguised = (connection: LogConnection): LogConnection => {
  // The log is asked for an entry by its own text.
  const own = new Map<string, string>();
  const disguise = (entry: LogEntry): LogEntry => {
    const known = first.get(entry.text);
    if (known === undefined) first.set(entry.text, entry.id);
    if (known === undefined || known === entry.id) return entry;
    const text = entry.text.replace('{"from":"', `{"from":"copy${entry.id.replace('-', 'x')}`);
    own.set(entry.id, entry.text);
    return { id: entry.id, text };
  };
  const inner = reading(connection, (entries) => entries.map(disguise));
  return {
    ...inner,
    read: (after, wish) => inner.read(after && { ...after, text: own.get(after.id) ?? after.text }, wish),
  };
};

/** Misses an entry now and then and reads on. */
const forgetful = (connection: LogConnection): LogConnection => {
  let reads = 0;
  return reading(connection, (entries) => {
    reads += 1;
    return reads % 5 === 0 ? entries.slice(1) : entries;
  });
};

/** Takes entries of every version for its own. */
const unfenced = (connection: LogConnection): LogConnection => {
  const asV1 = (text: string) => text.replace('"f":"v2"', '"f":"v1"');
  // The log is asked for an entry by its own text.
  const own = new Map<string, string>();
  const inner = reading(connection, (entries) =>
    entries.map(({ id, text }) => {
      own.set(id, text);
      return { id, text: asV1(text) };
    }),
  );
  return {
    ...inner,
    read: (after, wish) => inner.read(after && { ...after, text: own.get(after.id) ?? after.text }, wish),
  };
};

describe('three replicas for hours', () => {
  it.each([2, 3, 4, 5, 6, 7])('are one mock, with the seed %i', async (seed) => {
    const { failure, ...counts } = await simulateShared({ seed, hours: 20 });
    expect(failure).toBeNull();
    expect(counts.requests).toBeGreaterThan(1000);
  });

  let worldSeeds = 0;
  it.each<[string, Partial<ProcessOptions>, RegExp]>([
    ['answer reads from what they have', { readsAlone: true }, /no order|different states|admitted|poller/],
    ['carry copies out', { wrap: disguised }, /made twice/],
    ['miss entries', { wrap: forgetful }, /different states/],
    ['carry out what another version sent', { wrap: unfenced }, /entry of v2 was applied|written by v2/],
    [
      'draw from different seeds',
      {
        makeEngine: (startMs, now) => {
          worldSeeds += 1;
          return makeEngineOf({ seed: worldSeeds })(startMs, now);
        },
      },
      /different states|not there/,
    ],
    ['have a time of their own', { makeEngine: (startMs) => makeEngineOf()(startMs, () => startMs) }, /./],
  ])('are found out when they %s', async (_what, sabotage, failure) => {
    const [hours, seeds] = [6, [1, 2, 3]];
    const failures: (string | null)[] = [];
    for (const seed of seeds) {
      first.clear();
      const run = await simulateShared({ seed, hours, sabotage }).catch((error: Error) => ({
        failure: error.message,
      }));
      failures.push(run.failure);
    }
    expect(failures.filter((one) => one !== null).join('\n')).toMatch(failure);
  });
});
