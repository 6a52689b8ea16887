// Calls of a generated world, laid out by the instants at which pollers may first see them, because it is there that page
// edges and ties matter: two calls of one visible instant stand across the edges 50 and 200, three share one in between.
import { formatInstant } from '../contract/instants.ts';
import { settlingMs } from '../domain/calls.ts';
import type { CallData } from '../domain/world-data.ts';
import type { Draw } from './generate-content.ts';

const minuteMs = 60_000;
const callSpanMs = 6 * 86_400_000;

/** Positions in the stream of visible calls, counted from 1, that share the instant of the position before them. */
const tiedPositions: ReadonlySet<number> = new Set([11, 51, 121, 122, 201]);
/** Positions of calls that the platform reported late; 51 and 122 tie with calls that became visible in the usual way. */
const latePositions: ReadonlySet<number> = new Set([5, 20, 51, 77, 122, 160, 233]);
/** Milliseconds from the anchor to the end of the calls that are not final yet: settling, then running. */
const settlingEndsMs = [-244_000, -151_500, -32_000] as const;
const runningEndsMs = [95_000, 262_000] as const;

const outcomes = ['answered', 'missed', 'voicemail', 'busy', 'no_answer'] as const;

export function generateCalls(draw: Draw, count: number): CallData[] {
  const { faker, anchorMs } = draw;
  const unfinishedEndsMs = [...settlingEndsMs, ...runningEndsMs].slice(0, count);
  const agents = Array.from({ length: 4 }, () => faker.person.firstName());
  const final = visibleInstants(draw, count - unfinishedEndsMs.length).map((visibleMs, i) => {
    const lateMs = latePositions.has(i + 1) ? faker.number.int({ min: 20, max: 180 }) * minuteMs : 0;
    const endedMs = visibleMs - settlingMs - lateMs;
    const talkMs = faker.number.int({ min: 6_000, max: 1_400_000 });
    return generateCall(draw, agents, {
      startedMs: endedMs - talkMs,
      endedMs,
      ...(lateMs > 0 && { reportedMs: visibleMs }),
    });
  });
  const unfinished = unfinishedEndsMs.map((endMs, i) => {
    const call = generateCall(draw, agents, {
      startedMs: anchorMs + Math.min(endMs, 0) - 47_000 - i * 1_300,
      endedMs: anchorMs + endMs,
    });
    // Choice C41: an outcome may change while the call settles, as that of the first of these does.
    return i === 0 ? { ...call, provisional: 'answered', outcome: 'voicemail' } : call;
  });
  return [...final, ...unfinished];
}

/** Never decreasing; equal only at the tied positions; all in the past. */
function visibleInstants({ faker, anchorMs }: Draw, count: number): number[] {
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

interface CallInstants {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly reportedMs?: number;
}

function generateCall(
  { faker }: Draw,
  agents: readonly string[],
  { startedMs, endedMs, reportedMs }: CallInstants,
): CallData {
  const inbound = faker.number.int(2) > 0;
  // Numbers 555-0100 to 555-0199 are nobody's.
  const customer = `+1${faker.number.int({ min: 201, max: 989 })}55501${faker.string.numeric(2)}`;
  const line = '+12025550100';
  const outcome = faker.helpers.arrayElement(outcomes);
  return {
    id: faker.string.uuid(),
    direction: inbound ? 'inbound' : 'outbound',
    from: inbound ? customer : line,
    to: inbound ? line : customer,
    agent: faker.helpers.arrayElement(agents),
    startedAt: formatInstant(startedMs),
    endedAt: formatInstant(endedMs),
    ...(reportedMs === undefined ? {} : { reportedAt: formatInstant(reportedMs) }),
    provisional: faker.number.int(7) === 0 ? 'answered' : outcome,
    outcome,
  };
}
