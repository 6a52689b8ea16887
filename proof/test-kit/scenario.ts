// The pipeline alone, for tests: no engine, no transport, a frozen clock, every response validated against the
// contract.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { OutputMap } from '../../src/contract/generated/types.ts';
import { type ControlledClock, createClock } from '../../src/domain/clock.ts';
import { Faults } from '../../src/domain/faults.ts';
import { contractLimits, Limits } from '../../src/domain/limits.ts';
import type { Issue } from '../../src/domain/outcome.ts';
import { createRandom } from '../../src/domain/random.ts';
import { createWorld, type Organization, type World } from '../../src/domain/world.ts';
import type { WorldBehavior } from '../../src/domain/world-behavior.ts';
import type { WorldData } from '../../src/domain/world-data.ts';
import { drawDeployment } from '../../src/http/grease/draws.ts';
import { createGrease } from '../../src/http/grease/grease.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';
import { basePath } from '../../src/http/route.ts';
import { createService, type Trace } from '../../src/http/service.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { goodKey } from './actors.ts';

/** Differences from the default world, the default behavior and limits that only count. */
export interface ScenarioOptions {
  readonly data?: WorldData;
  readonly behavior?: Partial<WorldBehavior>;
  readonly limits?: boolean;
  readonly grease?: number;
  readonly settleMs?: number;
  readonly trustProxy?: boolean;
}

/** Differences from the usual request. */
export interface Init {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts and bytes unchanged. */
  readonly body?: object | string | Uint8Array;
  readonly peer?: string;
}

/** The response as a client reads it, and as the pipeline gave it. */
export interface ScenarioResponse extends HttpResponse {
  readonly response: CoreResponse;
  readonly trace: Trace;
}

/** The pipeline, and its internals for tests. */
export interface Scenario {
  readonly world: World;
  readonly organization: Organization;
  readonly clock: ControlledClock;
  readonly limits: Limits;
  readonly faults: Faults;
  /** `target` is a path below the base path, with a query if wanted. */
  ask(method: string, target: string, wish?: Init): ScenarioResponse;
}

const encoder = new TextEncoder();

/** Strict: a response against the contract becomes a 500, so every test checks the shape as well. */
export function openScenario(options: ScenarioOptions = {}): Scenario {
  const { data = defaultWorld, behavior = {}, limits: enforced = false, grease, settleMs, trustProxy } = options;
  const clock = createClock(() => 0, { startMs: Date.parse(data.anchor), frozen: true });
  const drawn = grease === undefined ? {} : drawDeployment(grease);
  const world = createWorld(data, {
    clock,
    behavior: { ...drawn, ...behavior },
    ...(settleMs === undefined ? {} : { settleMs }),
  });
  const limits = new Limits({ ...contractLimits, enforced }, world.behavior.blockedCount === 'yes');
  const faults = new Faults(createRandom(7));
  const writer = grease === undefined ? null : createGrease(grease, { behaviors: world.behavior, chosen: behavior });
  const serve = createService({
    world,
    limits,
    faults,
    writer: () => writer,
    strict: true,
    trustProxy: trustProxy ?? false,
  });
  const ask: Scenario['ask'] = (method, target, wish = {}) => {
    const { response, trace } = serve(toRequest(method, target, wish));
    const { status, headers } = response;
    return Object.assign(new HttpResponse({ status, headers, text: bodyText(response) }), { response, trace });
  };
  const organization = [...world.organizations.values()][0] as Organization;
  return { world, organization, clock, limits, faults, ask };
}

/** A target that begins with `!` is a whole path. */
function toRequest(method: string, target: string, { key = goodKey, headers, body, peer }: Init): CoreRequest {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return {
    method,
    path: path.startsWith('!') ? path.slice(1) : `${basePath}${path}`,
    query,
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    body: body === undefined ? null : toBytes(body),
    peer: peer ?? '127.0.0.1',
    origin: 'http://127.0.0.1:4010',
  };
}

function toBytes(body: object | string | Uint8Array): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The error of an envelope. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly issues?: readonly Issue[];
  readonly reason?: string;
}

/** A response whose body has been read. */
export class HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;

  constructor({ status, headers, text }: Pick<HttpResponse, 'status' | 'headers' | 'text'>) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** Undefined when there is no body. */
  get json(): unknown {
    return this.text === '' ? undefined : JSON.parse(this.text);
  }

  /** The whole body of a success of this operation; throws with the response otherwise. */
  success<Id extends OperationId>(_id: Id): OutputMap[Id] {
    if (this.status !== 200)
      throw new Error(`The response is not a success but ${this.status}: ${this.text.slice(0, 300)}`);
    return this.json as OutputMap[Id];
  }

  /** The error object; throws if it is missing. */
  get error(): ErrorBody {
    const { error } = (this.json ?? {}) as { error?: ErrorBody | string };
    if (typeof error !== 'object')
      throw new Error(`The response holds no error: ${this.status} ${this.text.slice(0, 300)}`);
    return error;
  }

  /** The error's code, the plain text of a limiter's body, or `ok`. */
  get code(): string {
    const { error } = (this.json ?? {}) as { error?: ErrorBody | string };
    return typeof error === 'string' ? error : (error?.code ?? 'ok');
  }
}

export async function toResponse(response: Response): Promise<HttpResponse> {
  const { status, headers } = response;
  return new HttpResponse({ status, headers: Object.fromEntries(headers), text: await response.text() });
}
