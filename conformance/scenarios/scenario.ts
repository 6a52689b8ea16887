// A scenario: data, and a generator of requests that receives the recorded exchanges. It has no expectations. The
// driver owns pace, retries, and everything else about sending.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Exchange, isGatewayPage, isPlatformTrouble, type KeyName } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { repeatsMax, type WindowKind } from '../exchange/lanes.ts';
import type { Reply } from '../exchange/mcp/reply.ts';
import { copyOf, type RequestSpec } from '../exchange/request.ts';
import { requestsOf } from '../judge/confirmation.ts';
import { type Judged, nextToConfirm } from '../judge/judge.ts';
import type { Capability } from './capabilities.ts';

export interface Scenario {
  /** `area/name`; stable. A check names the scenarios that it judges. */
  readonly id: string;
  readonly needs?: readonly Capability[];
  /** The scenario that must come before it. */
  readonly after?: string;
  /**
   * Requests that a calm deployment is sent, without the equal reads that other scenarios share; `least` where nothing
   * looks odd. `odd` more follow up where something does. `seconds` are waits beyond the pace of requests.
   */
  readonly cost: Readonly<Record<'least' | 'most', number> & Partial<Record<'odd' | 'seconds', number | undefined>>>;
  /** The trace that it leaves on the target, in one sentence; a write is an error without it. */
  readonly changes?: string;
  ask(run: SoFar): Asks<string | undefined>;
}

/** The fields of a scenario, its cost among them; `least` is 0 when absent. */
export type Row = Omit<Scenario, 'id' | 'cost' | 'ask'> & Omit<Scenario['cost'], 'least'> & { readonly least?: number };

export function scenario(
  id: string,
  { least = 0, most, odd, seconds, ...rest }: Row,
  ask: (run: SoFar) => Asks,
): Scenario {
  return { id, cost: { least, most, odd, seconds }, ...rest, ask: ask as Scenario['ask'] };
}

/** The evidence that a scenario can read: the history, and the values that the user has named (`history().given`). */
export interface SoFar {
  history(): History;
  /** Milliseconds on the clock of the run. */
  now(): number;
  /** Whether the target is on this machine: no network or proxy is between. */
  readonly isLoopback: boolean;
}

type Params = NonNullable<RequestSpec['params']>;

export type Step =
  | { readonly step: 'get'; readonly operation: OperationId; readonly params: Params; readonly key: KeyName }
  | { readonly step: 'send' | 'raw' | 'now' | 'write'; readonly spec: RequestSpec }
  | { readonly step: 'burst'; readonly specs: readonly RequestSpec[]; readonly quiet: WindowKind | 'none' }
  | { readonly step: 'hurry'; readonly requests: number }
  | { readonly step: 'wait'; readonly ms: number }
  | { readonly step: 'announce'; readonly text: string }
  | { readonly step: 'open'; readonly key: 'good' | 'second' }
  | {
      readonly step: 'tool';
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly key: 'good' | 'second';
      readonly isWrite: boolean;
      readonly label?: string;
    };

/** Returns why it sent no requests, in one sentence without a period. */
// biome-ignore lint/suspicious/noConfusingVoidType: a generator that ends without a return has no reason to give.
export type Asks<Result = string | void> = Generator<Step, Result, unknown>;

/** A read: one that is equal to an earlier read of the run is not sent again. Checks find it by its properties. */
export function* get(operation: OperationId, params: Params = {}, key: KeyName = 'good'): Asks<Exchange> {
  return (yield { step: 'get', operation, params, key }) as Exchange;
}

/** A fresh request. A limiter, a platform or the network that comes between ends the scenario. */
export function* send(spec: RequestSpec): Asks<Exchange> {
  return (yield { step: 'send', spec }) as Exchange;
}

/** A fresh request whose every outcome is returned, including rejections by a limiter and lost responses. */
export function* sendRaw(spec: RequestSpec): Asks<Exchange> {
  return (yield { step: 'raw', spec }) as Exchange;
}

/** The same at this very time, out of pace. */
export function* sendNow(spec: RequestSpec): Asks<Exchange> {
  return (yield { step: 'now', spec }) as Exchange;
}

/** A request that can change the target; never repeated, and counted against `--max-writes`. */
export function* write(spec: RequestSpec): Asks<Exchange> {
  return (yield { step: 'write', spec }) as Exchange;
}

/** Many at once, out of pace, after the window of the address (or of the key, or none) has run empty. */
export function* burst(specs: readonly RequestSpec[], quiet: WindowKind | 'none' = 'address'): Asks<Exchange[]> {
  return (yield { step: 'burst', specs, quiet }) as Exchange[];
}

/** The next requests leave without spacing, until one of them is blocked. */
export function* hurry(requests: number): Asks<void> {
  yield { step: 'hurry', requests };
}

export function* wait(ms: number): Asks<void> {
  yield { step: 'wait', ms };
}

/** One line for the person watching, before something disturbing or slow. */
export function* announce(text: string): Asks<void> {
  yield { step: 'announce', text };
}

/** Opens the MCP endpoint and lists its tools, once per run. */
export function* openMcp(key: 'good' | 'second' = 'good'): Asks<void> {
  yield { step: 'open', key };
}

/** Calls a tool of the MCP endpoint through the official client. */
export function* callTool(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  rest: Partial<Pick<Extract<Step, { step: 'tool' }>, 'key' | 'isWrite' | 'label'>> = {},
): Asks<Reply> {
  return (yield { step: 'tool', tool, input, key: 'good', isWrite: false, ...rest }) as Reply;
}

/**
 * An unexpected request that must not be taken as a write. If its response looks like trouble of a platform, it
 * is sent again after a valid request: trouble of a platform does not depend on an input. `judgeable` reads the result.
 */
export function* sendInvalid(spec: RequestSpec): Asks<Exchange> {
  const first = yield* sendRaw(spec);
  if (!isPlatformTrouble(first) || isGatewayPage(first)) return first;
  yield* sendRaw({ operation: 'listSites' });
  return yield* sendRaw(spec);
}

export function* sendAll(specs: Iterable<RequestSpec>): Asks<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const spec of specs) exchanges.push(yield* send(spec));
  return exchanges;
}

// Scenarios that a run makes of what it knows: named reads, and the requests of findings.

export function rereading(targets: readonly string[]): Scenario {
  return {
    id: 'reads/again',
    cost: { least: targets.length, most: targets.length },
    *ask() {
      for (const path of targets) yield* sendRaw({ path });
      return undefined;
    },
  };
}

/** Sends the requests of a check's findings again, until one of them is confirmed. */
export function confirming(check: Judged): Scenario {
  return {
    id: check.id,
    cost: { least: 0, most: repeatsMax },
    *ask({ history }) {
      for (let finding = nextToConfirm(check, history()); finding !== null; finding = nextToConfirm(check, history()))
        for (const one of requestsOf(finding))
          yield* send('receivedAt' in one ? copyOf(one) : { ...one, confirms: 'witness' });
      return undefined;
    },
  };
}
