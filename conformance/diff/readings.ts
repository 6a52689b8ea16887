// Readings of two deployments, reading by reading. A reading that a side does not show, or shows in more than one way,
// is not comparable: what is unknown is never the same.
import { alternatives } from '../../src/contract/forms.ts';
import { type ReadingId, readings } from '../../src/contract/generated/readings.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { type ReadingState, shareName } from '../observe/observe.ts';
import { brief, type Relation } from './relation.ts';
import { relateShapes, spellShape } from './shapes.ts';
import { relateTrimmed } from './trimmed.ts';

/** Pairs that the data of an organization may decide: no reply at all, say, hides where replies would stand. */
const byData: { readonly [Id in ReadingId]?: readonly (readonly [string, string])[] } = {
  reviewReplied: [
    ['none', 'when-replied'],
    ['none', 'text-only'],
    ['text-only', 'when-replied'],
  ],
  reviewEnd: [
    ['either', 'null'],
    ['either', 'absent'],
  ],
  insightPoints: [
    ['no-metrics', 'daily'],
    ['no-metrics', 'weekly'],
    ['no-metrics', 'none'],
  ],
  reviewIdForm: [['opaque', 'opaque, to be encoded']],
  inviteIdForm: [['opaque', 'opaque, to be encoded']],
};

/** The state of a reading as a person reads it; null where it is unknown. */
export function showState(state: ReadingState): string | null {
  if (state.state === 'unknown') return null;
  if (readings[state.id].kind === 'shape' && state.value !== null) {
    const others = state.state === 'mixed' ? Object.keys(state.shares).length - 1 : 0;
    return `${brief(spellShape(state.value as Shape))}${others > 0 ? `, and ${others} more` : ''}`;
  }
  return state.state === 'mixed' ? Object.keys(state.shares).map(brief).join(' or ') : brief(state.value);
}

type Seen = Exclude<ReadingState, { state: 'unknown' }>;

/** Values that a side has shown. */
function valuesOf(state: Seen): ReadonlySet<string> {
  const { kind } = readings[state.id];
  const texts = state.state === 'mixed' ? Object.keys(state.shares) : [shareName(state.value)];
  return new Set(kind === 'form' ? texts.flatMap(alternatives) : texts);
}

/** How one reading of A stands to that of B. */
export function relateReadings(a: ReadingState, b: ReadingState): Relation {
  if (a.state === 'unknown' && b.state === 'unknown') return { kind: 'open', why: a.why };
  if (a.state === 'unknown') return { kind: 'open', why: `A: ${a.why}` };
  if (b.state === 'unknown') return { kind: 'open', why: `B: ${b.why}` };
  const { id } = a;
  if (id === 'latency') return { kind: 'open', why: 'times are told, and not compared' };
  if (readings[id].kind === 'shape') return relateMixedShapes(a, b);
  const [mine, others] = [valuesOf(a), valuesOf(b)];
  const trimmed = relateTrimmed([...mine], [...others]);
  if (trimmed !== null) return trimmed;
  const shared = [...mine].filter((value) => others.has(value));
  const isEqual = shared.length === mine.size && shared.length === others.size;
  if (isEqual && (a.state === 'known') === (b.state === 'known')) return { kind: 'same' };
  if (shared.length > 0) return { kind: 'open', why: noisy(mine, others) };
  return doubtsOf(id, [...mine], [...others]) ?? { kind: 'differs' };
}

/** Where a side shows several shapes, the usual ones may differ by chance. */
function relateMixedShapes(a: Seen, b: Seen): Relation {
  const relation = relateShapes(a.value as Shape | null, b.value as Shape | null);
  if (relation.kind !== 'differs' || (a.state === 'known' && b.state === 'known')) return relation;
  const [mine, others] = [valuesOf(a), valuesOf(b)];
  return [...mine].some((value) => others.has(value)) ? { kind: 'open', why: noisy(mine, others) } : relation;
}

function noisy(a: ReadonlySet<string>, b: ReadonlySet<string>): string {
  const who = a.size > 1 && b.size > 1 ? 'A and B each show' : a.size > 1 ? 'A shows' : 'B shows';
  return `${who} now one value, now another`;
}

function doubtsOf(id: ReadingId, a: readonly string[], b: readonly string[]): Relation | null {
  const row = readings[id];
  const blind: Readonly<Record<string, string>> = 'blind' in row ? row.blind : {};
  const untold = [...a, ...b].find((value) => blind[value] !== undefined);
  if (untold !== undefined) return { kind: 'open', why: `${blind[untold]}` };
  const isByData = byData[id]?.some(
    ([one, other]) => (a.includes(one) && b.includes(other)) || (a.includes(other) && b.includes(one)),
  );
  return isByData ? { kind: 'open', why: 'the data of an organization may be why' } : null;
}
