// What becomes of a request whose response tells nothing: it is asked again, given up, or the target is given up as a
// whole. How often a request is asked again follows the loss that is seen: a target that responds now and then deserves
// patience, one that never responses does not.
import {
  type Exchange,
  hasResponse,
  isGatewayPage,
  isLimiterRejection,
  isLost,
  isPlatformTrouble,
} from '../exchange/exchange.ts';
import type { BuiltRequest } from '../exchange/request.ts';
import { waitAsTold } from '../exchange/told-limits.ts';

/** Why a response tells nothing about what was asked. */
export type Trouble = 'interference' | 'platform' | 'unreachable';

/** Each has its own record: the MCP endpoint may be down while REST responses. */
type McpEndpoint = 'rest' | 'mcp';

/** A request whose response tells nothing, and what has been tried. */
export interface Rejected {
  readonly request: BuiltRequest;
  readonly exchange: Exchange;
  readonly trouble: Trouble;
  /** No connection came about, so even a write may be sent again. */
  readonly isUnsent: boolean;
  /** How often it has been asked again for the same trouble. */
  readonly repeats: number;
}

/** Remembers the losses of a run; it sends nothing itself. */
export interface Patience {
  /** How long to wait before the request is asked again; null when it is given up. */
  waitFor(rejected: Rejected): number | null;
  /** Takes note of what came of a request in the end. */
  settle(request: BuiltRequest, exchange: Exchange, trouble: Trouble | null): void;
  /** Whether so many requests in a row were lost that the target may be down. */
  isDoubtful(mcpEndpoint: McpEndpoint): boolean;
  /** The target turned out to respond to, or not to, when it was asked because of a lost request. */
  decide(mcpEndpoint: McpEndpoint, isUp: boolean, lost: Exchange): void;
  downBy(mcpEndpoint: McpEndpoint): Trouble | null;
  /** The first of the requests that were lost in a row; null while nothing is. */
  lostSince(mcpEndpoint: McpEndpoint): Exchange | null;
}

/** Of one run that loses nothing more; what gets a response adds to it. */
export const repeatsMax = 30;
const REPEATS_PER_RESPONSE = 0.5;
const GIVEN_UP_MAX = 3;
const LIMITER_REPEATS_MAX = 3;
/** After so many lost requests of one operation each further one is sent once. */
const STUCK_AFTER = 2;

/** A platform's own words are repeated at most twice (interpretation R2). */
const PLATFORM_BACK_OFF_MS = [1000, 4000];
/**
 * A gateway or a lossy line is asked more often, as long as others of its responses come through (interpretation R57,
 * R60).
 */
const LOSSY_BACK_OFF_MS = [250, 1000, 2000, 4000, 8000];
const SILENCE_BACK_OFF_MS = [1000];

/** Null for every response that a check can look at, rejections of the contract included. */
export function troubleOf(exchange: Exchange): Trouble | null {
  if (!hasResponse(exchange)) return 'unreachable';
  if (isLimiterRejection(exchange)) return 'interference';
  return isPlatformTrouble(exchange) ? 'platform' : null;
}

/**
 * The budget of repeats grows with what gets a response: a run against a lossy line ends, and so does one against a
 * dead target.
 */
export function makePatience(isUnpaced = false): Patience {
  const mcpEndpoints = { rest: newMcpEndpoint(), mcp: newMcpEndpoint() };
  const lostBy = new Map<string, number>();
  let [repeated, hasResponse] = [0, 0];
  return {
    waitFor(rejected) {
      const { request, exchange, trouble, repeats } = rejected;
      const mcpEndpoint = mcpEndpoints[request.mcpEndpoint ?? 'rest'];
      // A limiter is not a loss: what the plan promises of repeats is all that it gets.
      // At full speed a limiter may have to be waited for before each response.
      const share = trouble !== 'interference' ? REPEATS_PER_RESPONSE : isUnpaced ? 1 : 0;
      const most = repeatsMax + hasResponse * share;
      if (repeated >= most || !mayRepeat(rejected)) return null;
      const isCalm = mcpEndpoint.lost === 0 && hasResponse > 0 && (lostBy.get(nameOf(request)) ?? 0) < STUCK_AFTER;
      const waitMs =
        trouble === 'interference'
          ? waitForLimiter(exchange, repeats, mcpEndpoint)
          : (backOff(exchange, isCalm)[repeats] ?? null);
      // Nobody asks this door whether it is down; it is left alone.
      if (request.mcpEndpoint === 'mcp' && mcpEndpoint.lost >= GIVEN_UP_MAX) return null;
      if (waitMs !== null) repeated += 1;
      return waitMs;
    },
    settle(request, exchange, trouble) {
      const mcpEndpoint = mcpEndpoints[request.mcpEndpoint ?? 'rest'];
      const name = nameOf(request);
      if (trouble === 'interference') {
        mcpEndpoint.interference += 1;
        return;
      }
      if (trouble === null) {
        hasResponse += 1;
        [mcpEndpoint.interference, mcpEndpoint.lost, mcpEndpoint.since] = [0, 0, null];
        lostBy.delete(name);
        return;
      }
      lostBy.set(name, (lostBy.get(name) ?? 0) + 1);
      mcpEndpoint.lost += 1;
      mcpEndpoint.lostAs = trouble;
      mcpEndpoint.since ??= exchange;
    },
    isDoubtful: (mcpEndpoint) => !mcpEndpoints[mcpEndpoint].isDown && mcpEndpoints[mcpEndpoint].lost >= GIVEN_UP_MAX,
    decide(name, isUp, lost) {
      const mcpEndpoint = mcpEndpoints[name];
      if (isUp) [mcpEndpoint.lost, mcpEndpoint.since] = [0, null];
      else [mcpEndpoint.isDown, mcpEndpoint.since] = [true, mcpEndpoint.since ?? lost];
    },
    downBy(name) {
      const mcpEndpoint = mcpEndpoints[name];
      if (mcpEndpoint.isDown) return mcpEndpoint.lostAs;
      return mcpEndpoint.interference >= GIVEN_UP_MAX ? 'interference' : null;
    },
    lostSince: (mcpEndpoint) => mcpEndpoints[mcpEndpoint].since,
  };
}

/** Counts start again with every response, so only an unbroken row of losses makes a door doubtful. */
interface McpEndpointState {
  /** Requests that were given up in a row. */
  interference: number;
  lost: number;
  lostAs: Trouble;
  since: Exchange | null;
  isDown: boolean;
}

function newMcpEndpoint(): McpEndpointState {
  return { interference: 0, lost: 0, lostAs: 'unreachable', since: null, isDown: false };
}

/** Of an operation, not of a record: what is stuck is stuck for all its accounts. */
function nameOf({ method, operation, target }: BuiltRequest): string {
  return `${method} ${operation ?? target}`;
}

/**
 * A write is never sent twice, unless it was never sent; what must be rejected may be asked again when its response is
 * lost, or when a limiter came first.
 */
function mayRepeat({ request, exchange, trouble, isUnsent }: Rejected): boolean {
  if (isUnsent || request.repeatable) return true;
  return request.isHarmless && (trouble === 'interference' || isLost(exchange) || isGatewayPage(exchange));
}

/** As the limiter says, three times; then it is somebody else's traffic that we cannot wait out (interpretation R3). */
function waitForLimiter(exchange: Exchange, repeats: number, { interference }: McpEndpointState): number | null {
  return interference < GIVEN_UP_MAX && repeats < LIMITER_REPEATS_MAX ? waitAsTold(exchange, repeats) : null;
}

/** Milliseconds before each repeat; the length of the list is the number of repeats. */
function backOff(exchange: Exchange, isCalm: boolean): readonly number[] {
  const isLossy = isGatewayPage(exchange) || (isLost(exchange) && exchange.problem !== 'timeout');
  if (isLossy && isCalm) return LOSSY_BACK_OFF_MS;
  return isPlatformTrouble(exchange) ? PLATFORM_BACK_OFF_MS : SILENCE_BACK_OFF_MS;
}
