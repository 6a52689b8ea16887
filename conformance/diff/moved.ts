// Has a deployment moved since its profile was learnt? The profile and what is learnt now are two sides of a
// comparison: what the data of the day decide moves nothing.
import { alternatives } from '../../src/contract/forms.ts';
import { type ReadingId, readings } from '../../src/contract/generated/readings.ts';
import type { Learnt, Profile } from '../../src/contract/profile.ts';
import { type ReadingState, shareName } from '../observe/observe.ts';
import { relateReadings } from './readings.ts';
import { relateTrimmed } from './trimmed.ts';

/** How the readings of a deployment stand to its profile. */
export interface Moved {
  readonly moved: readonly MovedReading[];
  /** Readings that the two share and that can be told apart, moved ones included. */
  readonly compared: number;
  /** Known on both sides; the data may be why they differ. */
  readonly open: readonly ReadingId[];
  /** Known before, and not seen now. */
  readonly lost: readonly string[];
}

export interface MovedReading {
  readonly id: ReadingId;
  readonly was: unknown;
  readonly is: unknown;
  /** Where the two differ, in words; null where the values say it. */
  readonly why: string | null;
}

/** A habit of every other answer stays hidden in so many with 3%. */
const seenEnough = 5;
const ids = Object.keys(readings) as ReadingId[];

/** Counts, shares and latency move from day to day. */
export function movedReadings(before: Profile['readings'], now: Profile['readings']): Moved {
  const moved: MovedReading[] = [];
  const open: ReadingId[] = [];
  let compared = 0;
  for (const id of ids) {
    const [was, is] = [before[id], now[id]];
    if (id === 'latency' || was === undefined || is === undefined) continue;
    const relation = relateReadings(stateOf(id, was), stateOf(id, is));
    const isNew = relation.kind === 'open' && hasNewValue(id, was, is);
    if (relation.kind === 'open' && !isNew) {
      open.push(id);
      continue;
    }
    compared += 1;
    if (relation.kind === 'same') continue;
    const why = relation.kind === 'differs' && relation.why !== undefined ? inTime(relation.why) : null;
    moved.push({ id, was: was.value, is: is.value, why });
  }
  const lost = Object.keys(before).filter((id) => !(id in now));
  return { moved, compared, open, lost };
}

function stateOf(id: ReadingId, { value, seen, mixed }: Learnt): ReadingState {
  const common = { id, value, seen, exchanges: [] };
  return mixed === undefined ? { ...common, state: 'known' } : { ...common, state: 'mixed', shares: mixed };
}

/** A mixture moves when a value appears that the profile did not know: half of the servers may be of a new release. */
function hasNewValue(id: ReadingId, was: Learnt, is: Learnt): boolean {
  const { kind } = readings[id];
  // What was seen a few times may have hidden what comes now.
  if (kind === 'shape' || was.seen < seenEnough) return false;
  const [known, shown] = [was, is].map(({ value, mixed }) => {
    const values = mixed === undefined ? [shareName(value)] : Object.keys(mixed);
    return kind === 'form' ? values.flatMap(alternatives) : values;
  }) as [string[], string[]];
  if (relateTrimmed(known, shown) !== null) return false;
  return (is.mixed !== undefined || kind === 'form') && shown.some((value) => !known.includes(value));
}

/** A is the profile, B the deployment of today. */
function inTime(why: string): string {
  return why
    .replace(/\bon A\b/g, 'before')
    .replace(/\bon B\b/g, 'now')
    .replace(/^only A has any$/, 'there are none any more')
    .replace(/^only B has any$/, 'there were none before');
}
