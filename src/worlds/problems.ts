// Problems of a world file, one sentence each: where, then why. A file can be wrong a hundred thousand times
// over; the first ones are kept and the rest is counted.
import { nearest } from '../terminal/suggestion.ts';

const keptMax = 20;

import { count } from '../terminal/count.ts';

/** What is wrong with one file, in the order of finding. */
export class ProblemList {
  readonly #kept: string[] = [];
  #count = 0;

  get empty(): boolean {
    return this.#count === 0;
  }

  add(path: string, reason: string): void {
    const sentence = `${path || 'the world'}: ${reason}`;
    // Two checkers may look at one place and say the same.
    if (this.#kept.includes(sentence)) return;
    this.#count += 1;
    if (this.#kept.length < keptMax) this.#kept.push(sentence);
  }

  /** The kept ones, then how many more there are. */
  toSentences(): string[] {
    const more = this.#count - this.#kept.length;
    return more > 0 ? [...this.#kept, `… and ${count(more, 'more problem')}`] : [...this.#kept];
  }
}

/** `organizations[0].articles[3].createdAt` */
export function joinPath(segments: readonly PropertyKey[]): string {
  return segments
    .map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${String(segment)}`))
    .join('')
    .replace(/^\./, '');
}

/** Names the nearest field, and all that the record has. */
export function unknownField(name: string, known: Iterable<string>): string {
  const fields = [...known];
  const guess = nearest(name, fields);
  return `unknown field${guess === null ? '' : `, did you mean ${guess}?`} (fields: ${fields.join(', ')})`;
}
