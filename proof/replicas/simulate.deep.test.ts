import { describe, expect, it } from 'vitest';
import type { LogConnection, LogEntry } from '../../src/replicas/log.ts';
import { type ModelOptions, makeEngineOf } from './model-replica.ts';
import { simulate } from './simulate.ts';

type Wrap = NonNullable<ModelOptions['wrap']>;

/** Reads changed entries. The log is requested for an entry by its own text. */
function behavior(change: (entries: readonly LogEntry[]) => readonly LogEntry[]): Wrap {
  return (connection: LogConnection) => {
    const texts = new Map<string, string>();
    return {
      begin: (text) => connection.begin(text),
      append: (text) => connection.append(text),
      read: async (after, waits) => {
        const entries = await connection.read(after && { ...after, text: texts.get(after.id) ?? after.text }, waits);
        if (entries === 'gone') return entries;
        for (const { id, text } of entries) texts.set(id, text);
        return change(entries);
      },
      checkpoint: () => connection.checkpoint(),
      keep: (checkpoint) => connection.keep(checkpoint),
      close: () => connection.close(),
    };
  };
}

/** A copy looks like the entry of another replica, on every replica. */
const first = new Map<string, string>();
const disguised = behavior((entries) =>
  entries.map((entry) => {
    const known = first.get(entry.text) ?? entry.id;
    first.set(entry.text, known);
    if (known === entry.id) return entry;
    return { id: entry.id, text: entry.text.replace('{"from":"', `{"from":"copy${entry.id.replace('-', 'x')}`) };
  }),
);

/** Misses an entry now and then and reads on. */
let reads = 0;
const forgetful = behavior((entries) => {
  reads += 1;
  return reads % 5 === 0 ? entries.slice(1) : entries;
});

describe('three replicas for hours', () => {
  // `SEED` plays another run.
  it.each(process.env.SEED ? [Number(process.env.SEED)] : [2])('are one mock, with the seed %i', async (seed) => {
    const counts = await simulate({ seed, hours: 12 });
    expect(counts.requests).toBeGreaterThan(1000);
    for (const kind of ['restored', 'duplicates', 'checkpoints', 'blocked', 'posts', 'calls'] as const)
      expect([kind, counts[kind]]).toEqual([kind, expect.toSatisfy((count: number) => count > 0)]);
    expect(Object.keys(counts.disturbances).length).toBeGreaterThan(6);
  });

  it('play the same with the same seed', async () => {
    expect(await simulate({ seed: 3, hours: 2 })).toEqual(await simulate({ seed: 3, hours: 2 }));
  });

  it.each<[string, Partial<ModelOptions>, RegExp]>([
    ['respond to reads from their current state', { readsAlone: true }, /no order|different states|poller/],
    ['carry copies out', { wrap: disguised }, /made twice|no order/],
    ['miss entries', { wrap: forgetful }, /different states/],
    ['have separate clocks', { makeEngine: (startMs) => makeEngineOf()(startMs, () => startMs) }, /./],
  ])('are found out when they %s', async (_what, replacements, failure) => {
    const failures: string[] = [];
    for (let seed = 1; seed <= 3 && !failure.test(failures.join('\n')); seed += 1) {
      first.clear();
      await simulate({ seed, hours: 6, replacements }).catch((error: Error) => failures.push(error.message));
    }
    expect(failures.join('\n')).toMatch(failure);
  });
});
