// `--grease`: a random profile. The seed draws the readings of a deployment, and each answer some further ones, so that
// no client comes to rely on what only happens to be so. The same seed and the same requests give the same answers.
// Nothing stated or implied is broken: the strict check (strict.ts) runs after it.
import type { Readings } from '../../contract/generated/readings.ts';
import { createRandom } from '../../domain/random.ts';
import { shownOf, type Writer, writeAnswer } from '../twin/writer.ts';
import { readReviewId, varyByChance } from './chance.ts';
import { drawAnswer } from './draws.ts';

/** What the writer is not free in. */
export interface Settled {
  /** All readings of the mock, those of `drawDeployment` among them. */
  readonly readings: Readings;
  /** Those that were chosen by hand, which no draw changes. */
  readonly chosen: Partial<Readings>;
}

/** The one writer, in readings that differ from answer to answer. */
export function createGrease(seed: number, { readings, chosen }: Settled): Writer {
  const random = createRandom(seed);
  return {
    write: (response, routing) =>
      writeAnswer(response, routing, {
        readings: { ...readings, ...drawAnswer(random, chosen) },
        turn: () => random.below(2),
        edit: (body, status, operation) => varyByChance(body, { status, operation, seed, random }),
      }),
    readReviewId: (text) => readReviewId(text, seed),
    shownGrant: (address, key) => shownOf(readings, address, key),
    position: () => random.position(),
    restore: (position) => random.restore(position),
  };
}
