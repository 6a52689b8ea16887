// Everything behind the doors, put together: one world, its limiters and faults, the pipeline, the journal. Doors hand in
// plain requests and send plain responses; nothing here knows a socket.
import type { Choices } from '../domain/choices.ts';
import type { ControlledClock } from '../domain/clock.ts';
import { Faults } from '../domain/faults.ts';
import { contractLimits, type LimitSettings, Limits } from '../domain/limits.ts';
import { createWorld, type World } from '../domain/world.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { renderRefusal } from '../http/render.ts';
import { basePath } from '../http/route.ts';
import { createService } from '../http/service.ts';
import { Journal, type JournalEntry } from './journal.ts';

export interface EngineOptions {
  /** A world whose instants have been moved to the clock. */
  readonly data: WorldData;
  readonly clock: ControlledClock;
  readonly seed?: number | undefined;
  readonly choices?: Partial<Choices> | undefined;
  readonly limits?: LimitSettings | undefined;
  readonly trustProxy?: boolean | undefined;
  /** Told of every request, after it was answered. */
  readonly onExchange?: ((entry: JournalEntry) => void) | undefined;
}

export interface Engine {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly journal: Journal;
  handle(request: CoreRequest): CoreResponse;
}

export function createEngine(options: EngineOptions): Engine {
  const { data, clock, onExchange, trustProxy = false } = options;
  const world = createWorld(data, {
    clock,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    choices: options.choices ?? {},
  });
  const limits = new Limits(options.limits ?? contractLimits, world.choices.blockedCount === 'yes');
  const faults = new Faults(world.random);
  const journal = new Journal();
  const serve = createService({ world, limits, faults, trustProxy });
  const date = httpDate();

  const handle = (request: CoreRequest): CoreResponse => {
    if (!request.path.startsWith(`${basePath}/`)) return outside(request);
    const { response, trace } = serve(request);
    const dated = { ...response, headers: { ...response.headers, date: date(trace.nowMs) } };
    const entry = journal.add(request, dated, trace);
    onExchange?.(entry);
    return dated;
  };
  return { world, limits, faults, journal, handle };
}

function outside({ path }: CoreRequest): CoreResponse {
  return renderRefusal({ code: 'not_found', message: `There is no ${path} here; the API is under ${basePath}.` });
}

/** The Date header on the injected clock; its text is made once a second. */
function httpDate(): (nowMs: number) => string {
  let second = Number.NaN;
  let text = '';
  return (nowMs) => {
    const current = Math.floor(nowMs / 1000);
    if (current !== second) {
      second = current;
      text = new Date(nowMs).toUTCString();
    }
    return text;
  };
}
