// What becomes of a request whose answer tells nothing: it is asked again, given up, or the target is given up as a
// whole. How often a request is asked again follows the loss that is seen: a target that answers now and then deserves
// patience, one that never answers does not.
import {
  type Exchange,
  isAnswered,
  isGatewayPage,
  isLimiterRefusal,
  isLost,
  isPlatformTrouble,
} from '../exchange/exchange.ts';
import type { BuiltRequest } from '../exchange/request.ts';
import { waitAsTold } from '../exchange/told-limits.ts';

/** Why an answer tells nothing about what was asked. */
export type Trouble = 'interference' | 'platform' | 'unreachable';

/** Each has its own record: the MCP door may be down while REST answers. */
type Door = 'rest' | 'mcp';

/** A request whose answer tells nothing, and what has been tried. */
export interface Refused {
  readonly request: BuiltRequest;
  readonly exchange: Exchange;
  readonly trouble: Trouble;
  /** No connection came about, so that even a write may be sent again. */
  readonly isUnsent: boolean;
  /** How often it has been asked again for the same trouble. */
  readonly repeats: number;
}

/** Remembers the losses of a run; it sends nothing itself. */
export interface Patience {
  /** How long to wait before the request is asked again; null when it is given up. */
  waitFor(refused: Refused): number | null;
  /** Takes note of what came of a request in the end. */
  settle(request: BuiltRequest, exchange: Exchange, trouble: Trouble | null): void;
  /** Whether so many requests in a row were lost that the target may be down. */
  isDoubtful(door: Door): boolean;
  /** The target turned out to answer, or not to, when it was asked because of a lost request. */
  decide(door: Door, isUp: boolean, lost: Exchange): void;
  downBy(door: Door): Trouble | null;
  /** The first of the requests that were lost in a row; null while nothing is. */
  lostSince(door: Door): Exchange | null;
}

/** Of one run that loses nothing else; what is answered adds to it. */
export const repeatsMax = 30;
const REPEATS_PER_ANSWER = 0.5;
const GIVEN_UP_MAX = 3;
const LIMITER_REPEATS_MAX = 3;
/** After so many lost requests of one operation each further one is sent once. */
const STUCK_AFTER = 2;

/** A platform's own words are repeated at most twice (rulings R2). */
const PLATFORM_BACK_OFF_MS = [1000, 4000];
/** A gateway or a lossy line is asked more often, as long as others of its answers come through (rulings R57, R60). */
const LOSSY_BACK_OFF_MS = [250, 1000, 2000, 4000, 8000];
const SILENCE_BACK_OFF_MS = [1000];

/** Null for every answer that a check can look at, refusals of the contract included. */
export function troubleOf(exchange: Exchange): Trouble | null {
  if (!isAnswered(exchange)) return 'unreachable';
  if (isLimiterRefusal(exchange)) return 'interference';
  return isPlatformTrouble(exchange) ? 'platform' : null;
}

/**
 * The budget of repeats grows with what is answered: a run against a lossy line ends, and so does one against a dead
 * target.
 */
export function makePatience(isUnpaced = false): Patience {
  const doors = { rest: newDoor(), mcp: newDoor() };
  const lostBy = new Map<string, number>();
  let [repeated, answered] = [0, 0];
  return {
    waitFor(refused) {
      const { request, exchange, trouble, repeats } = refused;
      const door = doors[request.door ?? 'rest'];
      // A limiter is not a loss: what the plan promises of repeats is all that it gets.
      // At full speed a limiter may have to be waited for before each answer.
      const share = trouble !== 'interference' ? REPEATS_PER_ANSWER : isUnpaced ? 1 : 0;
      const most = repeatsMax + answered * share;
      if (repeated >= most || !mayRepeat(refused)) return null;
      const isCalm = door.lost === 0 && answered > 0 && (lostBy.get(nameOf(request)) ?? 0) < STUCK_AFTER;
      const waitMs =
        trouble === 'interference'
          ? waitForLimiter(exchange, repeats, door)
          : (backOff(exchange, isCalm)[repeats] ?? null);
      // Nobody asks this door whether it is down; it is left alone.
      if (request.door === 'mcp' && door.lost >= GIVEN_UP_MAX) return null;
      if (waitMs !== null) repeated += 1;
      return waitMs;
    },
    settle(request, exchange, trouble) {
      const door = doors[request.door ?? 'rest'];
      const name = nameOf(request);
      if (trouble === 'interference') {
        door.interference += 1;
        return;
      }
      if (trouble === null) {
        answered += 1;
        [door.interference, door.lost, door.since] = [0, 0, null];
        lostBy.delete(name);
        return;
      }
      lostBy.set(name, (lostBy.get(name) ?? 0) + 1);
      door.lost += 1;
      door.lostAs = trouble;
      door.since ??= exchange;
    },
    isDoubtful: (door) => !doors[door].isDown && doors[door].lost >= GIVEN_UP_MAX,
    decide(name, isUp, lost) {
      const door = doors[name];
      if (isUp) [door.lost, door.since] = [0, null];
      else [door.isDown, door.since] = [true, door.since ?? lost];
    },
    downBy(name) {
      const door = doors[name];
      if (door.isDown) return door.lostAs;
      return door.interference >= GIVEN_UP_MAX ? 'interference' : null;
    },
    lostSince: (door) => doors[door].since,
  };
}

/** Counts start anew with every answer, so that only an unbroken row of losses makes a door doubtful. */
interface DoorState {
  /** Requests that were given up in a row. */
  interference: number;
  lost: number;
  lostAs: Trouble;
  since: Exchange | null;
  isDown: boolean;
}

function newDoor(): DoorState {
  return { interference: 0, lost: 0, lostAs: 'unreachable', since: null, isDown: false };
}

/** Of an operation, not of a record: what is stuck is stuck for all its accounts. */
function nameOf({ method, operation, target }: BuiltRequest): string {
  return `${method} ${operation ?? target}`;
}

/**
 * A write is never sent twice, unless it was never sent; what must be refused may be asked again when its answer is
 * lost, or when a limiter came first.
 */
function mayRepeat({ request, exchange, trouble, isUnsent }: Refused): boolean {
  if (isUnsent || request.repeatable) return true;
  return request.isHarmless && (trouble === 'interference' || isLost(exchange) || isGatewayPage(exchange));
}

/** As the limiter says, three times; then it is somebody else's traffic that we cannot wait out (ruling R3). */
function waitForLimiter(exchange: Exchange, repeats: number, { interference }: DoorState): number | null {
  return interference < GIVEN_UP_MAX && repeats < LIMITER_REPEATS_MAX ? waitAsTold(exchange, repeats) : null;
}

/** Milliseconds before each repeat; the length of the list is the number of repeats. */
function backOff(exchange: Exchange, isCalm: boolean): readonly number[] {
  const isLossy = isGatewayPage(exchange) || (isLost(exchange) && exchange.problem !== 'timeout');
  if (isLossy && isCalm) return LOSSY_BACK_OFF_MS;
  return isPlatformTrouble(exchange) ? PLATFORM_BACK_OFF_MS : SILENCE_BACK_OFF_MS;
}
