// Runs a client of this process in a cell, in virtual time.
import { format } from 'node:util';
import { createFetchHandler } from '../transports/fetch.ts';
import { listen } from '../transports/node.ts';
import type { Cell } from './cell.ts';
import { type CellOptions, type Ending, numbersIn, type Observation, openCell, timingOf } from './cell-run.ts';
import { inside, lowestOf, realNowMs, realPause, VirtualTime } from './virtual-time.ts';

/** The connection of the client to the mock of one cell. */
export interface ClientUnderTest {
  /** With the version segment, for example `http://127.0.0.1:40123/api/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Aborts when the time of the cell is over. End polling then. */
  readonly signal: AbortSignal;
  /** Reports records that the client handled, such as calls: ids, or objects with ids. */
  saw(...records: unknown[]): void;
}

/** The work of the client in each cell. A returned value counts as reported, like the arguments of `saw`. */
export type Scenario = (casa: ClientUnderTest) => unknown;

const socketTurns = 50;

/** A client that waits for something real longer than this is given up. */
const realWaitMaxMs = 20_000;
/** Real time that passes before that of the cell does: modules of the client are being loaded. */
const loadingMs = 1_000;

export async function runInProcess(cell: Cell, options: CellOptions, scenario: Scenario): Promise<Observation> {
  const open = await openCell(cell, options, (ms, work) => void time.start(work, ms, false));
  const { slowBodyMs } = cell;
  const handler = createFetchHandler(open.served, { slowBodyMs });
  // As every client does by default.
  const followed = async (request: Request): Promise<Response> => {
    const response = await handler(request);
    const to = response.headers.get('location');
    if (response.status !== 302 || to === null || request.redirect !== 'follow') return response;
    return handler(new Request(new URL(to, request.url)));
  };
  const stop = new AbortController();
  let origin = '';
  const [seen, complaints]: [unknown[], string[]] = [[], []];
  const time = new VirtualTime(open.engine.clock, {
    lowest: lowestOf(cell),
    fetch: (request) => {
      if (!request.url.startsWith(origin)) return null;
      if (open.isEndless()) return new Promise(() => {});
      time.activity += 1;
      return followed(request).finally(() => {
        time.activity += 1;
      });
    },
    complain: (given) => void complaints.push(format(...given)),
  });
  // For clients that do not use `fetch`. Its delays are in the time of the cell too.
  const server = await inside(time, () =>
    listen(open.served, { host: '127.0.0.1', port: 0, fastPath: false, timing: timingOf(cell) }),
  );
  origin = `${new URL(server.baseUrl).origin}/`;
  server.server.on('connection', () => {
    time.activity += 1;
    time.quietTurns = socketTurns;
  });
  open.onRequest(() => {
    time.activity += 1;
  });
  const state: { ending: Ending; error: string | null } = { ending: 'running', error: null };
  const casa: ClientUnderTest = {
    ...{ baseUrl: server.baseUrl, apiKey: open.key, signal: stop.signal },
    saw: (...records) => void seen.push(...records),
  };
  const work = inside(time, async () => scenario(casa)).then(
    (value) => {
      seen.push(value);
      state.ending = 'returned';
    },
    (error: unknown) => {
      // After the end of the cell, an error only says that the client was interrupted.
      if (stop.signal.aborted) return;
      state.ending = 'failed';
      state.error = describeError(error);
    },
  );
  const isStalled = await drive(time, {
    isOver: () => state.ending !== 'running' || options.signal?.aborted === true,
    isEndless: open.isEndless,
    endsAtMs: () => open.endsAtMs() ?? open.opened.clockMs + options.durationMs,
  });
  if (isStalled) state.ending = 'stalled';
  if (open.isEndless()) state.ending = 'endless';
  stop.abort(new DOMException('The time of the test case is over.', 'AbortError'));
  await time.settle(open.isEndless);
  if (state.ending === 'returned' || state.ending === 'failed') await work;
  const numbers = new Set(numbersIn(JSON.stringify(seen) ?? ''));
  const observation = open.observe({ ...state, seen, files: {}, numbers, complaints });
  await server.close();
  return observation;
}

interface Drive {
  readonly isOver: () => boolean;
  readonly isEndless: () => boolean;
  readonly endsAtMs: () => number;
}

/** Moves the clock to the next timer whenever the client waits, until its end. Returns whether the client stalls. */
async function drive(time: VirtualTime, { isOver, isEndless, endsAtMs }: Drive): Promise<boolean> {
  let idleSinceMs = realNowMs();
  for (;;) {
    await time.settle(isEndless);
    if (isOver() || isEndless()) return false;
    const next = time.nextMs;
    if (next !== null) {
      if (next > endsAtMs()) {
        time.moveTo(endsAtMs());
        return false;
      }
      time.moveTo(next);
      idleSinceMs = realNowMs();
      continue;
    }
    // The client waits for something that is not ours, so real time passes.
    const startMs = realNowMs();
    if (startMs - idleSinceMs > realWaitMaxMs) return true;
    await realPause(2);
    if (startMs - idleSinceMs < loadingMs) continue;
    time.moveTo(Math.min(time.clock.now() + Math.round(realNowMs() - startMs), endsAtMs()));
  }
}

function describeError(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}` : `${error}`;
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
