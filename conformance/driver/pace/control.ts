// The clock of our mock as the clock of a run: instead of waiting, checks and the pacer move the mock's time. It
// can be frozen, running, or running at another speed.

import { failureOf, readBytes } from '../../../src/terminal/response-text.ts';
import { UsageError } from '../../../src/terminal/usage-error.ts';
import { isObject } from '../../exchange/exchange.ts';
import { isLoopback } from '../../exchange/request.ts';
import type { KitClock } from './clock.ts';

/** `control` is the origin of a mock; its admin API is below `/__admin`. */
export interface ControlOptions {
  readonly control: string;
  readonly baseUrl: string;
  /** Admin token of the mock, if it requires one. */
  readonly token?: string | undefined;
}

const timeoutMs = 5000;
const bytesMax = 1_000_000;

/** Throws a UsageError when no mock responds at `control`, or when it is not the one that is checked. */
export async function openControl(options: ControlOptions): Promise<KitClock> {
  const control = new URL(options.control);
  const base = new URL(options.baseUrl);
  // Moving the clock of one server says nothing to another: the run would rush through the limits of a real deployment.
  if (!isSameServer(control, base)) {
    throw new UsageError(
      `--control ${control.origin} is not the mock at ${base.origin}: both must be the same server.`,
    );
  }
  const send = makeSend(control.origin, options.token);
  const health = await send('GET', '/__admin/health');
  let time = isObject(health) ? readTime(health.clock) : null;
  if (time === null) throw new UsageError(`--control: the server at ${control.origin}/__admin is not casa mock.`);
  return {
    now: () => nowOf(time as Time),
    async sleep(ms) {
      if (ms <= 0) return;
      const reached = readTime(await send('POST', '/__admin/clock/advance', { duration: `${Math.ceil(ms)}ms` }));
      if (reached === null) throw new Error('the clock of the mock could not be moved');
      time = reached;
    },
  };
}

/** The mock's time at the last response, from which the current time is computed without a request. */
interface Time {
  readonly nowMs: number;
  /** 0 for a frozen clock. */
  readonly scale: number;
  /** On our own monotonic clock. */
  readonly readAtMs: number;
}

/** Between two responses the mock's clock runs with its scale; asking for each timestamp would cost a request. */
function nowOf({ nowMs, scale, readAtMs }: Time): number {
  return nowMs + (performance.now() - readAtMs) * scale;
}

/** Null for anything that is not the clock of casa mock. */
function readTime(clock: unknown): Time | null {
  if (!isObject(clock) || typeof clock.nowMs !== 'number' || typeof clock.frozen !== 'boolean') return null;
  const scale = typeof clock.scale === 'number' ? clock.scale : 1;
  return { nowMs: clock.nowMs, scale: clock.frozen ? 0 : scale, readAtMs: performance.now() };
}

/** Null if the server is not casa mock. Throws a UsageError if no server responds, or if a token is missing. */
function makeSend(origin: string, token: string | undefined) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { 'x-casa-admin-token': token }),
    };
    const init = { method, headers, signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' } as const;
    try {
      const response = await fetch(
        `${origin}${path}`,
        body === undefined ? init : { ...init, body: JSON.stringify(body) },
      );
      if (response.status === 401) throw new UsageError('--control: the mock requires CONFORMANCE_CONTROL_TOKEN.');
      return response.ok ? JSON.parse(new TextDecoder().decode(await readBytes(response, bytesMax))) : null;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      if (error instanceof SyntaxError) return null;
      throw new UsageError(`--control: ${origin}${path} does not respond (${failureOf(error)}).`);
    }
  };
}

/** `localhost` and `127.0.0.1` are one server when the port is the same. */
function isSameServer(left: URL, right: URL): boolean {
  const isLocal = isLoopback(left.hostname) && isLoopback(right.hostname);
  return left.protocol === right.protocol && left.port === right.port && (isLocal || left.hostname === right.hostname);
}
