// A mock that answers in the readings of a deployment. It stands where grease stands: grease draws readings at random,
// a twin follows those that were learnt or chosen.
import type { Readings } from '../../contract/generated/readings.ts';
import type { Quantiles } from '../../contract/shape.ts';
import { createRandom, type Random } from '../../domain/random.ts';
import type { Grant } from '../../domain/sliding-window.ts';
import type { Grease } from '../grease/grease.ts';
import { bodyText, type CoreResponse } from '../message.ts';
import { printAs } from './print.ts';
import { writeSuccess } from './write-body.ts';
import { writeError } from './write-errors.ts';

/** Mixtures take turns, such as pages of reviews that end now with null and now without a member. */
export function createTwin(readings: Readings, seed: number): Grease {
  let turns = 0;
  const turn = () => {
    turns += 1;
    return turns;
  };
  return {
    isTwin: true,
    vary(response, routing) {
      if (response.body.length === 0 || !isJson(response)) return response;
      const operation = typeof routing === 'string' ? null : routing.operation;
      const body = JSON.parse(bodyText(response));
      const written =
        response.status === 200
          ? writeSuccess(body, { readings, operation: operation?.id ?? null, turn })
          : writeError(body, operation?.envelope ?? 'simple', readings);
      return { ...response, headers: writeHeaders(response, readings), body: printAs(written, readings) };
    },
    readReviewId: (text) => text,
    shownGrant: (address, key) => shownOf(readings, address, key),
    ...(readings.latency === null ? {} : { latencyMs: latencyOf(readings.latency, createRandom(seed ^ 0x1a7)) }),
    position: () => turns,
    restore(position) {
      turns = position;
    },
  };
}

function writeHeaders({ status, headers }: CoreResponse, readings: Readings): Record<string, string> {
  const written: Record<string, string> = {
    ...headers,
    'content-type': status === 200 ? readings.contentType : readings.errorContentType,
  };
  if (readings.challenge === 'absent') delete written['www-authenticate'];
  return written;
}

/** Between the quantiles every time is as likely as another. Beyond the last there is none, so that nothing hangs. */
function latencyOf({ p50, p90, p99 }: Quantiles, random: Random): () => number {
  return () => {
    const place = random.next();
    if (place < 0.5) return Math.round(p50 * (0.5 + place));
    if (place < 0.9) return Math.round(p50 + ((place - 0.5) / 0.4) * (p90 - p50));
    return Math.round(p90 + ((place - 0.9) / 0.1) * (p99 - p90));
  };
}

/** Rulings R42 and R43. */
function shownOf({ rateHeaders, rateBucket }: Readings, address: Grant | null, key: Grant | null): Grant | null {
  if (rateHeaders === 'blocked') return null;
  if (rateBucket === 'address') return address;
  if (rateBucket === 'key' || address === null || key === null) return key ?? address;
  return key.remaining < address.remaining ? key : address;
}

/** Pages and streams are left alone. */
function isJson({ headers }: CoreResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('application/json');
}
