// Two worlds that are said to be the same, member by member. A value that A does not show twice is noise.
import type { Dimension } from '../report/difference.ts';
import { timesMin } from './compare.ts';
import { type Named, type Naming, nameRecords, namingOf, type Value } from './records.ts';
import { brief } from './relation.ts';
import { clauseOf, type Kind, kinds, type World } from './world.ts';

/** Worlds in the order in which they were read: A, B, A, B, A and so on. */
export interface Worlds {
  readonly a: readonly World[];
  readonly b: readonly World[];
  /** Whether values may be told. */
  readonly keepsValues: boolean;
}

const secondNs = 1_000_000_000n;

/** Whether the first reads differ anywhere, so that both have to be read again. */
export function hasSuspects(a: World, b: World): boolean {
  return valueDimensions({ a: [a], b: [b], keepsValues: true }).some((each) => each.a !== null || each.b !== null);
}

/** A dimension for each member of each kind, and one for which records there are. */
export function valueDimensions({ a, b, keepsValues }: Worlds): Dimension[] {
  const [firstA, firstB] = [a[0], b[0]];
  if (firstA === undefined || firstB === undefined) return [];
  const naming = namingOf(firstA, firstB);
  const all = { a: a.map((world) => byName(world, naming)), b: b.map((world) => byName(world, naming)) };
  const shiftNs = shiftOf(all.a[0] as Records, all.b[0] as Records);
  const context = { ...all, shiftNs, keepsValues, worlds: { a, b } };
  return kinds.flatMap((kind) => [...presence(kind, context), ...members(kind, context)]);
}

type Records = ReadonlyMap<string, Named>;

function byName(world: World, naming: Naming): Records {
  return new Map(nameRecords(world, naming).map((record) => [`${record.kind} ${record.name}`, record]));
}

interface Context {
  readonly a: readonly Records[];
  readonly b: readonly Records[];
  readonly shiftNs: bigint;
  readonly keepsValues: boolean;
  readonly worlds: Pick<Worlds, 'a' | 'b'>;
}

/** Worlds that were made at two moments have all their instants apart by the same time: the one in the middle tells. */
function shiftOf(a: Records, b: Records): bigint {
  const shifts: bigint[] = [];
  for (const [name, { places }] of a) {
    for (const [path, value] of places) {
      const other = b.get(name)?.places.get(path);
      if (value.role === 'instant' && other?.role === 'instant') shifts.push(other.ns - value.ns);
    }
  }
  return shifts.sort((x, y) => (x < y ? -1 : 1))[Math.floor(shifts.length / 2)] ?? 0n;
}

/** null where the two cannot be compared. */
function isSame(a: Value | undefined, b: Value | undefined, shiftNs: bigint): boolean | null {
  if (a === undefined || b === undefined) return a === b;
  if (a.role === 'id' && b.role === 'id') return a.names === null || b.names === null ? null : a.names === b.names;
  if (a.role === 'instant' && b.role === 'instant') {
    const apart = abs(b.ns - a.ns);
    if (apart === 0n || (a.stepNs !== b.stepNs && apart < larger(a.stepNs, b.stepNs))) return true;
    const leewayNs = larger(secondNs, larger(a.stepNs, b.stepNs));
    return shiftNs !== 0n && abs(b.ns - a.ns - shiftNs) <= leewayNs;
  }
  return a.role === b.role && a.role === 'value' && b.role === 'value' && a.text === b.text;
}

/** Not Math.max, which takes no bigint. */
function larger(a: bigint, b: bigint): bigint {
  if (a < b) return b;
  return a;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

interface Tally {
  compared: number;
  noise: number;
  /** Fewest times that a difference was shown. */
  times: number;
  readonly differing: { name: string; a: Value | undefined; b: Value | undefined }[];
}

/** Members of the records that both sides show. */
function members(kind: Kind, context: Context): Dimension[] {
  const [a, b] = [context.a[0] as Records, context.b[0] as Records];
  const tallies = new Map<string, Tally>();
  for (const [name, record] of a) {
    const other = b.get(name);
    if (record.kind !== kind || other === undefined) continue;
    for (const path of new Set([...record.places.keys(), ...other.places.keys()])) {
      const member = path.replace(/\[\d+\]/g, '[]');
      const tally = tallies.get(member) ?? { compared: 0, noise: 0, times: timesMin, differing: [] };
      tallies.set(member, tally);
      weighPlace(tally, { name, path }, context);
    }
  }
  return [...tallies].map(([member, tally]) => memberDimension(kind, { member, tally }, context));
}

/** One place through all rounds: A has to agree with itself, and B to differ. */
function weighPlace(tally: Tally, { name, path }: { name: string; path: string }, { a, b, shiftNs }: Context): void {
  const at = (records: Records | undefined) => records?.get(name)?.places.get(path);
  const [mine, other] = [at(a[0]), at(b[0])];
  const first = isSame(mine, other, shiftNs);
  if (first === null) return;
  tally.compared += 1;
  if (first) return;
  const isNoisy = a.slice(1).some((again) => isSame(mine, at(again), 0n) !== true);
  const isGone = b.slice(1).some((again) => isSame(mine, at(again), shiftNs) !== false);
  if (isNoisy || isGone) {
    tally.compared -= 1;
    tally.noise += 1;
    return;
  }
  tally.times = Math.min(tally.times, b.length, Math.max(0, a.length - 1));
  tally.differing.push({ name, a: mine, b: other });
}

function memberDimension(
  kind: Kind,
  { member, tally }: { member: string; tally: Tally },
  { keepsValues }: Context,
): Dimension {
  const { compared, noise, differing, times } = tally;
  const id = `${kind}.${member}`;
  const [first] = differing;
  const noisy = noise === 0 ? null : `${noise} of ${compared + noise} changed while they were read`;
  const base = {
    layer: 'value',
    id,
    about: `the values of ${id}`,
    clauses: [clauseOf[kind]],
    fault: null,
    answers: null,
    exchanges: [],
  } as const;
  if (first !== undefined) {
    const told = (value: Value | undefined) => (keepsValues ? textOf(value) : typeName(value));
    const where = keepsValues ? ` (${brief(first.name)})` : '';
    return {
      ...base,
      outcome: times >= timesMin ? 'differs legally' : 'not comparable',
      a: told(first.a),
      b: told(first.b),
      why: `${differing.length} of ${compared} differ${where}`,
      times,
    };
  }
  const outcome = compared === 0 ? 'not comparable' : 'same';
  const why = outcome === 'same' ? noisy : (noisy ?? 'nothing tells which record is which');
  return { ...base, outcome, a: null, b: null, why: outcome === 'same' ? null : why, times: compared === 0 ? 0 : 1 };
}

function textOf(value: Value | undefined): string | null {
  if (value === undefined) return null;
  return brief(value.role === 'id' ? (value.names ?? 'an id') : value.text);
}

function typeName(value: Value | undefined): string | null {
  return value === undefined ? null : `a value (--keep-bodies shows it)`;
}

/** Which records there are, where both sides have shown all of them. */
function presence(kind: Kind, { a, b, worlds, keepsValues }: Context): Dimension[] {
  const isWhole = [...worlds.a, ...worlds.b].every((world) => world[kind].isWhole);
  const namesIn = (records: Records) =>
    [...records.values()].filter((each) => each.kind === kind).map(({ name }) => name);
  const [mine, others] = [a.map(namesIn), b.map(namesIn)];
  const base = {
    layer: 'value',
    id: kind,
    about: `which records of ${kind} there are`,
    clauses: [clauseOf[kind]],
    fault: null,
    answers: null,
    exchanges: [],
  } as const;
  const [firstA = [], firstB = []] = [mine[0], others[0]];
  if (firstA.length + firstB.length === 0) return [];
  if (!isWhole)
    return [{ ...base, outcome: 'not comparable', a: null, b: null, why: 'not all of them were read', times: 0 }];
  const always = (lists: readonly (readonly string[])[], name: string) => lists.every((names) => names.includes(name));
  const never = (lists: readonly (readonly string[])[], name: string) => lists.every((names) => !names.includes(name));
  const onlyA = firstA.filter((name) => always(mine, name) && never(others, name));
  const onlyB = firstB.filter((name) => always(others, name) && never(mine, name));
  if (onlyA.length + onlyB.length === 0) return [{ ...base, outcome: 'same', a: null, b: null, why: null, times: 1 }];
  const times = Math.min(timesMin, b.length, Math.max(0, a.length - 1));
  const shown = (names: readonly string[]) => (keepsValues && names[0] !== undefined ? ` (${brief(names[0])})` : '');
  return [
    {
      ...base,
      outcome: times >= timesMin ? 'differs legally' : 'not comparable',
      a: `${firstA.length}, of which B lacks ${onlyA.length}${shown(onlyA)}`,
      b: `${firstB.length}, of which A lacks ${onlyB.length}${shown(onlyB)}`,
      why: 'the lists hold other records',
      times,
    },
  ];
}
