// Calls of a generated world, laid out by the timestamps at which pollers may first see them, because page edges and
// ties matter there: two calls of one visible timestamp stand across the edges 50 and 200, three share one in between.

import { settledAfterMs } from '../contract/generated/limits.ts';
import { dayMs, formatTimestamp } from '../contract/timestamps.ts';
import type { CallData } from '../domain/world-data.ts';
import type { Draw } from './generate-content.ts';

const minuteMs = 60_000;
// Longer than a poller stays away, so a first poll finds a history.
const callSpanMs = 6 * dayMs;

/** Positions in the stream of visible calls, counted from 1, that share the timestamp of the position before them. */
const tiedPositions: ReadonlySet<number> = new Set([11, 51, 121, 122, 201]);
/**
 * Positions of calls that the platform reported late; 51 and 122 tie with calls that became visible in the usual way.
 */
const latePositions: ReadonlySet<number> = new Set([5, 20, 51, 77, 122, 160, 233]);
/** Milliseconds from the anchor to the end of the calls that are not final yet: settling, then running. */
const settlingEndsMs = [-244_000, -151_500, -32_000] as const;
const runningEndsMs = [95_000, 262_000] as const;

// Assumption C34: outcomes are ours. Only these two last longer than the ringing.
const outcomes = {
  inbound: ['answered', 'answered', 'answered', 'missed', 'voicemail'],
  outbound: ['answered', 'answered', 'busy', 'no_answer', 'voicemail'],
} as const;
const talkingOutcomes: ReadonlySet<string> = new Set(['answered', 'voicemail']);

/**
 * `count` calls by visible timestamp, oldest first; the last five are not final at the anchor: three settle, two still
 * run.
 */
export function generateCalls(draw: Draw, count: number): CallData[] {
  const { faker, anchorMs } = draw;
  const agents = faker.helpers.uniqueArray(() => faker.person.firstName(), 4);
  const unfinishedEndsMs = [...settlingEndsMs, ...runningEndsMs].slice(0, count);
  const final = visibleTimestamps(draw, count - unfinishedEndsMs.length).map((visibleMs, i) => {
    const lateMs = latePositions.has(i + 1) ? faker.number.int({ min: 20, max: 180 }) * minuteMs : 0;
    const call = generateCall(draw, agents, visibleMs - settledAfterMs - lateMs);
    return lateMs > 0 ? { ...call, reportedAt: formatTimestamp(visibleMs) } : call;
  });
  const unfinished = unfinishedEndsMs.map((endMs, i) => {
    const call = generateCall(draw, agents, anchorMs + endMs);
    const startedAt = formatTimestamp(anchorMs + Math.min(endMs, 0) - 47_000 - i * 1_300);
    // Assumption C41: an outcome may change while the call settles, as that of the first of these does.
    return { ...call, startedAt, ...(i === 0 && { provisional: 'answered', outcome: 'voicemail' }) };
  });
  return [...final, ...unfinished];
}

/** Never decreasing; equal only at the tied positions; all in the past. */
function visibleTimestamps({ faker, anchorMs }: Draw, count: number): number[] {
  const meanGapMs = callSpanMs / Math.max(count, 1);
  const gaps = Array.from({ length: count }, () =>
    faker.number.int({ min: Math.floor(meanGapMs * 0.05) + 1, max: Math.floor(meanGapMs * 1.8) + 1 }),
  );
  let visibleMs = anchorMs - gaps.reduce((sum, gap) => sum + gap, 0) - 45_000;
  return gaps.map((gap, i) => {
    if (!tiedPositions.has(i + 1)) visibleMs += gap;
    return visibleMs;
  });
}

/** One final call that ends at `endedMs`. Those that did not reach anybody last only as long as the ringing. */
function generateCall({ faker }: Draw, agents: readonly string[], endedMs: number): CallData {
  const direction = faker.helpers.arrayElement(['inbound', 'inbound', 'outbound'] as const);
  // Numbers 555-0100 to 555-0199 are fictitious.
  const customer = `+1${faker.number.int({ min: 201, max: 989 })}55501${faker.string.numeric(2)}`;
  const line = '+12025550100';
  const outcome = faker.helpers.arrayElement<string>(outcomes[direction]);
  const lengthMs = faker.number.int(
    talkingOutcomes.has(outcome) ? { min: 8_000, max: 1_400_000 } : { min: 4_000, max: 40_000 },
  );
  return {
    id: faker.string.uuid(),
    direction,
    from: direction === 'inbound' ? customer : line,
    to: direction === 'inbound' ? line : customer,
    agent: faker.helpers.arrayElement(agents),
    startedAt: formatTimestamp(endedMs - lengthMs),
    endedAt: formatTimestamp(endedMs),
    provisional: faker.number.int(7) === 0 ? 'answered' : outcome,
    outcome,
  };
}
