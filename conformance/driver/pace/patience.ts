// Decides about a lost request: it is repeated, given up, or the whole target is given up. The number of repetitions
// follows the observed loss: a target that responds sometimes gets more repetitions than one that never does.

import {
  type Exchange,
  hasResponse,
  isGatewayPage,
  isLimiterRejection,
  isLost,
  isPlatformTrouble,
} from '../../exchange/exchange.ts';
import { repeatsMax } from '../../exchange/lanes.ts';
import type { BuiltRequest } from '../../exchange/request.ts';
import { waitAsStated } from '../../exchange/stated-limits.ts';

export type Trouble = 'interference' | 'platform' | 'unreachable';

/** Each has its own record: the MCP endpoint can be down while REST responds. */
type Channel = 'rest' | 'mcp';

/** A request without a usable response, and its repetitions so far. */
export interface Rejected {
  readonly request: BuiltRequest;
  readonly exchange: Exchange;
  readonly trouble: Trouble;
  /** No connection came about, so even a write may be sent again. */
  readonly isUnsent: boolean;
  /** How often it has been repeated for the same trouble. */
  readonly repeats: number;
}

const repeatsPerResponse = 0.5;
const givenUpMax = 3;
const limiterRepeatsMax = 3;
/** After so many lost requests of one operation each further one is sent once. */
const stuckAfter = 2;

/** A platform's own words are repeated at most twice (interpretation R2). */
const platformBackOffMs = [1000, 4000];
/** A gateway or a lossy network gets more repetitions, as long as some responses arrive (interpretation R57, R60). */
const lossyBackOffMs = [250, 1000, 2000, 4000, 8000];
const silenceBackOffMs = [1000];

/** Null for every response that a check can look at, rejections of the contract included. */
export function troubleOf(exchange: Exchange): Trouble | null {
  if (!hasResponse(exchange)) return 'unreachable';
  if (isLimiterRejection(exchange)) return 'interference';
  return isPlatformTrouble(exchange) ? 'platform' : null;
}

/**
 * Remembers the losses of a run. The budget of repeats grows with what gets a response: a run against a lossy line
 * ends, and so does one against a dead target.
 */
export function makeRetryPolicy(isUnpaced = false) {
  const channels = { rest: newChannel(), mcp: newChannel() };
  const lostBy = new Map<string, number>();
  let [repeated, responses] = [0, 0];
  return {
    /** Returns the wait before a repetition; null to give up. */
    waitFor(rejected: Rejected): number | null {
      const { request, exchange, trouble, repeats } = rejected;
      const channel = channels[request.mcpEndpoint ?? 'rest'];
      // A limiter is not a loss: it gets only the repetitions of the plan, except at full speed, where each response
      // can need a wait.
      const share = trouble !== 'interference' ? repeatsPerResponse : isUnpaced ? 1 : 0;
      const most = repeatsMax + responses * share;
      if (repeated >= most || !mayRepeat(rejected)) return null;
      const isRarelyLost = channel.lost === 0 && responses > 0 && (lostBy.get(nameOf(request)) ?? 0) < stuckAfter;
      const waitMs =
        trouble === 'interference'
          ? waitForLimiter(exchange, repeats, channel)
          : (backOff(exchange, isRarelyLost)[repeats] ?? null);
      // The MCP endpoint is not tested after losses.
      if (request.mcpEndpoint === 'mcp' && channel.lost >= givenUpMax) return null;
      if (waitMs !== null) repeated += 1;
      return waitMs;
    },
    /** Records the final result of a request. */
    settle(request: BuiltRequest, exchange: Exchange, trouble: Trouble | null) {
      const channel = channels[request.mcpEndpoint ?? 'rest'];
      const name = nameOf(request);
      if (trouble === 'interference') {
        channel.interference += 1;
        return;
      }
      if (trouble === null) {
        responses += 1;
        [channel.interference, channel.lost, channel.since] = [0, 0, null];
        lostBy.delete(name);
        return;
      }
      lostBy.set(name, (lostBy.get(name) ?? 0) + 1);
      channel.lost += 1;
      channel.lostAs = trouble;
      channel.since ??= exchange;
    },
    /** Whether so many requests in a row were lost that the target may be down. */
    isDoubtful: (channel: Channel) => !channels[channel].isDown && channels[channel].lost >= givenUpMax,
    /** The target turned out to be up or down in the request that tested it after a loss. */
    decide(name: Channel, isUp: boolean, lost: Exchange) {
      const channel = channels[name];
      if (isUp) [channel.lost, channel.since] = [0, null];
      else [channel.isDown, channel.since] = [true, channel.since ?? lost];
    },
    downBy(name: Channel) {
      const channel = channels[name];
      if (channel.isDown) return channel.lostAs;
      return channel.interference >= givenUpMax ? 'interference' : null;
    },
    /** The first of the requests that were lost in a row; null while nothing is. */
    lostSince: (channel: Channel) => channels[channel].since,
  };
}

/** Counts restart with every response, so only consecutive losses count. */
interface ChannelState {
  /** Requests that were given up in a row. */
  interference: number;
  lost: number;
  lostAs: Trouble;
  since: Exchange | null;
  isDown: boolean;
}

function newChannel(): ChannelState {
  return { interference: 0, lost: 0, lostAs: 'unreachable', since: null, isDown: false };
}

/** Counted per operation: a failing operation fails for all its accounts. */
function nameOf({ method, operation, target }: BuiltRequest): string {
  return `${method} ${operation ?? target}`;
}

/**
 * A write is never repeated, unless it was never sent. A request that must be rejected can be repeated if its response
 * is lost, or if a limiter came first.
 */
function mayRepeat({ request, exchange, trouble, isUnsent }: Rejected): boolean {
  if (isUnsent || request.repeatable) return true;
  return request.isHarmless && (trouble === 'interference' || isLost(exchange) || isGatewayPage(exchange));
}

/** As the limiter states, three times; further rate limits come from the traffic of others (interpretation R3). */
function waitForLimiter(exchange: Exchange, repeats: number, { interference }: ChannelState): number | null {
  return interference < givenUpMax && repeats < limiterRepeatsMax ? waitAsStated(exchange, repeats) : null;
}

/** Milliseconds before each repeat; the length of the list is the number of repeats. */
function backOff(exchange: Exchange, isCalm: boolean): readonly number[] {
  const isLossy = isGatewayPage(exchange) || (isLost(exchange) && exchange.problem !== 'timeout');
  if (isLossy && isCalm) return lossyBackOffMs;
  return isPlatformTrouble(exchange) ? platformBackOffMs : silenceBackOffMs;
}
