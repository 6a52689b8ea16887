// A strict mock on a frozen clock for tests of the pipeline, and a response as a client reads it.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type { OutputMap } from '../../src/contract/generated/types.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import type { Issue } from '../../src/domain/outcome.ts';
import type { Organization } from '../../src/domain/world.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';
import type { Trace } from '../../src/http/service.ts';
import { goodKey, startTestEngine, toRequest } from './engine.ts';

/** Differences from the default world, the default behavior and limits that only count. */
export interface ScenarioOptions extends Pick<EngineOptions, 'behavior' | 'grease' | 'settleMs' | 'trustProxy'> {
  readonly limits?: boolean;
}

/** Differences from the usual request. */
export interface Init extends Partial<Pick<CoreRequest, 'headers' | 'peer'>> {
  readonly key?: string | null;
  /** Objects are sent as JSON, texts and bytes unchanged. */
  readonly body?: object | string | Uint8Array;
}

/** The response as a client reads it, and as the pipeline gave it. */
export interface ScenarioResponse extends HttpResponse {
  readonly response: CoreResponse;
  readonly trace: Trace;
}

/** The engine, and a way to ask it. */
export interface Scenario extends Pick<Engine, 'world' | 'clock' | 'limits' | 'faults'> {
  readonly organization: Organization;
  /** `target` is a path below the base path, with a query if wanted. */
  ask(method: string, target: string, wish?: Init): ScenarioResponse;
}

/** Strict: a response against the contract throws, so every test checks the shape as well. */
export function openScenario({ limits: enforced = false, ...options }: ScenarioOptions = {}): Scenario {
  let trace: Trace | undefined;
  const { engine } = startTestEngine({
    ...options,
    limits: { ...contractLimits, enforced },
    strict: true,
    onExchange: (entry) => {
      trace = entry.trace;
    },
  });
  const { world, clock, limits, faults } = engine;
  const ask: Scenario['ask'] = (method, target, wish = {}) => {
    const response = engine.handle(toRequest(`${method} ${target}`, '/api/v1', { key: goodKey, ...wish }));
    const { status, headers } = response;
    const read = new HttpResponse({ status, headers, text: bodyText(response) });
    return Object.assign(read, { response, trace: trace as Trace });
  };
  return { world, clock, limits, faults, organization: [...world.organizations.values()][0] as Organization, ask };
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
