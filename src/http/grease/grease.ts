// `--grease`: the mock varies everything that the contract leaves open, so that no client comes to rely on what only
// happens to be so. The same seed and the same requests give the same answers. Nothing stated or implied is broken: the
// strict check (strict.ts) runs after it.
import { createRandom, hashToUnit, type Random } from '../../domain/random.ts';
import type { Grant } from '../../domain/sliding-window.ts';
import { bodyText, type CoreResponse } from '../message.ts';
import type { Routing } from '../route.ts';
import { varyBody } from './body.ts';
import { printJson } from './print.ts';
import { readReviewId } from './review-id.ts';

/** A deployment with habits of its own: some choices are fixed by the seed, others differ from answer to answer. */
export interface Grease {
  /** It follows readings that were learnt or chosen, and draws none. */
  readonly isTwin?: true;
  /** The answer, said in another legal way. */
  vary(response: CoreResponse, routing: Routing): CoreResponse;
  /** The review that a greased id means. */
  readReviewId(text: string): string;
  /** Which window the headers of an answer that was not blocked describe; null for none (rulings R42, R43). */
  shownGrant(address: Grant | null, key: Grant | null): Grant | null;
  /** How long the next answer takes, in milliseconds. */
  latencyMs?(): number;
  /** For snapshots. */
  position(): number;
  restore(position: number): void;
}

/** `habit` is fixed, because a deployment that describes another window each time would not be one. */
export function createGrease(seed: number): Grease {
  const random = createRandom(seed);
  const habit = Math.floor(hashToUnit(`headers ${seed}`) * 3);
  return {
    vary(response, routing) {
      if (!isJson(response)) return response;
      const body = varyBody(JSON.parse(bodyText(response)), {
        status: response.status,
        operation: typeof routing === 'string' ? null : routing.operation,
        seed,
        random,
      });
      return { ...response, headers: varyHeaders(response, random), body: printJson(body, random) };
    },
    readReviewId: (text) => readReviewId(text, seed),
    shownGrant: (address, key) => [key ?? address, address, null][habit] ?? null,
    position: () => random.position(),
    restore: (position) => random.restore(position),
  };
}

const contentTypes = ['application/json; charset=utf-8', 'application/json', 'application/json;charset=UTF-8'] as const;

/** What a header may look like without meaning anything else. */
function varyHeaders({ headers }: CoreResponse, random: Random): Record<string, string> {
  const varied: Record<string, string> = {
    ...headers,
    'content-type': contentTypes[random.below(contentTypes.length)] as string,
  };
  // 8.retry-after: usually there, not always. X-RateLimit-Reset is always there beside it.
  if (varied['retry-after'] !== undefined && random.below(3) === 0) delete varied['retry-after'];
  return varied;
}

/** Pages and streams are left alone. */
function isJson({ headers, body }: CoreResponse): boolean {
  return body.length > 0 && (headers['content-type'] ?? '').startsWith('application/json');
}
