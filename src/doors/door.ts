// Every door does this around the engine: it adds cross-origin headers, and it turns a bug of ours into an answer.
import type { Engine } from '../engine/engine.ts';
import { answerOptions, type CorsSetting, whyRejected, withCors } from '../http/cors.ts';
import {
  type CoreRequest,
  type CoreResponse,
  complete,
  httpDate as dateText,
  mcpPath,
  type Passage,
} from '../http/message.ts';
import { type Keeper, whenKept } from './keeper.ts';

/** Without `handleMcp` there is no MCP door. */
export type DoorEngine = Pick<Engine, 'handle'> &
  Partial<Pick<Engine, 'handleMcp' | 'replaceAnswer' | 'closedConnection' | 'recordRejection'>> & {
    readonly world: { readonly clock: { now(): number } };
    /** Answers every request, whatever its door, when the answer is known; takes the place of the other two. */
    readonly handleLater?: ((request: CoreRequest) => Promise<CoreResponse>) | undefined;
  };

/** Settings that every door has, socket or not. The limits of time are each door's own. */
export interface DoorOptions {
  /** Whether pages on other origins may use the API, or the origins of those that may; true when absent. */
  readonly cors?: CorsSetting | undefined;
  /** Told once of each bug of ours: the engine threw where it never should. */
  readonly onBug?: ((error: unknown, request: CoreRequest) => void) | undefined;
  /** Holds answers back until what they tell of is kept; without it, they leave at once. */
  readonly keeper?: Keeper | undefined;
}

/** A door without waiting: a service worker's or a test's caller may rely on getting a plain answer, not a promise. */
export type Door = (request: CoreRequest) => CoreResponse;

/** Everything but the MCP door, without waiting. */
export function openDoor(engine: DoorEngine, { cors = true, onBug }: DoorOptions): Door {
  const tell = createTell(engine, onBug);
  const answer: Door = (request) => {
    try {
      return engine.handle(request);
    } catch (error) {
      return tell(error, request);
    }
  };
  return (request) => {
    if (request.method === 'OPTIONS') {
      const options = answerOptions(request, cors);
      if (options) return recorded(request, dated(options, engine), engine);
    }
    const response = answer(request);
    return withCors(request, response, cors);
  };
}

/** The MCP door as well, which alone makes anybody wait. */
export function openDoors(
  engine: DoorEngine,
  options: DoorOptions,
): (request: CoreRequest) => CoreResponse | Promise<CoreResponse> {
  const { cors = true, onBug } = options;
  const door = openDoor(engine, options);
  const tell = createTell(engine, onBug);
  const { handleLater } = engine;
  if (handleLater) return openLateDoors(handleLater, { engine, cors, tell });
  const answer = (request: CoreRequest): CoreResponse | Promise<CoreResponse> => {
    if (request.path !== mcpPath || request.method === 'OPTIONS' || !engine.handleMcp) {
      const response = door(request);
      return response.later
        ? complete(response).catch((error) => withCors(request, tell(error, request), cors))
        : response;
    }
    const answered = engine.handleMcp(request).catch((error) => tell(error, request));
    return answered.then((response) => withCors(request, response, cors));
  };
  const { keeper } = options;
  return keeper ? whenKept(answer, keeper, (request, response) => engine.replaceAnswer?.(request, response)) : answer;
}

interface LateDoors {
  readonly engine: DoorEngine;
  readonly cors: CorsSetting;
  readonly tell: (error: unknown, request: CoreRequest) => CoreResponse;
}

/** Preflights alone are answered at once: they are about this door. */
function openLateDoors(handleLater: NonNullable<DoorEngine['handleLater']>, { engine, cors, tell }: LateDoors) {
  return (request: CoreRequest): CoreResponse | Promise<CoreResponse> => {
    const options = request.method === 'OPTIONS' ? answerOptions(request, cors) : null;
    if (options) return dated(options, engine);
    const answered = handleLater(request).catch((error) => tell(error, request));
    return answered.then((response) => {
      const whole = withCors(request, response, cors);
      return whole.later ? complete(whole) : whole;
    });
  };
}

/** Tells of a bug, once of each, and answers in its place. */
function createTell(engine: DoorEngine, onBug: DoorOptions['onBug']) {
  const told = new Set<string>();
  return (error: unknown, request: CoreRequest): CoreResponse => {
    const name = String(error).slice(0, 300);
    if (!told.has(name) && told.size < 100) {
      told.add(name);
      onBug?.(error, request);
    }
    return bugResponse(engine);
  };
}

/** An envelope for what never reached the engine, such as broken HTTP. */
export function refusalBody(message: string): string {
  return JSON.stringify({ error: { code: 'invalid_input', message } });
}

/** The Date header on the mock's clock (choice C70). */
export function httpDate(engine: DoorEngine): string {
  return dateText(engine.world.clock.now());
}

/** A page only learns that its request failed, so that the request log has to say why. */
function recorded(request: CoreRequest, response: CoreResponse, engine: DoorEngine): CoreResponse {
  const reason = whyRejected(request, response);
  if (reason !== null) engine.recordRejection?.(request, response, reason);
  return response;
}

/** Answers that the engine did not make have no Date yet. */
function dated(response: CoreResponse, engine: DoorEngine): CoreResponse {
  return { ...response, headers: { ...response.headers, date: httpDate(engine) } };
}

// No status of the contract says "the mock is broken", so this one says it in a header as well.
function bugResponse(engine: DoorEngine): CoreResponse {
  const error = { code: 'internal_error', message: 'The mock failed: this is a bug of casa-kit. Please report it.' };
  return dated(
    {
      status: 500,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-casa-bug': '1' },
      body: JSON.stringify({ error }),
    },
    engine,
  );
}

// Counts the steps in which requests come and answers leave, so that the judge can tell a repetition from a twin.

/**
 * One counter for arrivals and departures together: only then does `left < came` say that an asker had the one answer
 * before it sent the other request.
 */
export class Passages {
  readonly #exact: boolean;
  #step = 0;

  constructor({ exact }: { exact: boolean }) {
    this.#exact = exact;
  }

  step(): number {
    this.#step += 1;
    return this.#step;
  }

  /**
   * `came` is given when the request may have been sent before it was read; `left` stays null while no answer has left.
   */
  begin(came = this.step()): Passage {
    return { came, left: null, exact: this.#exact };
  }

  end(passage: Passage): void {
    passage.left = this.step();
  }
}
