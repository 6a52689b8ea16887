import type { VariantName } from '../named.ts';
import type { Fields, Seams, Wrongness } from '../seams.ts';
import type { Answer, Article, Ask } from '../types.ts';

/**
 * What a client must have or be allowed to do to see a mutant: nothing beyond a good key; leave to write; bursts that
 * draw the limiter from one address; several source addresses; a key of another organization; a key that was revoked;
 * calls that end, and minutes that pass, while it looks.
 */
export type Need = 'nothing' | 'writes' | 'bursts' | 'addresses' | 'second-key' | 'revoked-key' | 'watch';

/** The independent server with one sentence of the contract broken. */
export interface IndependentMutant {
  name: string;
  /** The id of the clause that it breaks. */
  breaks: string;
  /** How a client can see it. */
  shows: string;
  needs: Need;
  /** Variants in which it is visible, the best one first; `plain` is among them wherever it shows there. */
  variants: readonly [VariantName, ...VariantName[]];
  /** The most that the rulings let a suite conclude, where that is less than a failure. */
  verdict?: 'warn';
  /** Made anew for each server, so that a wrongness may remember things. */
  wrong: () => Wrongness;
}

type ArticleNext = Seams['article.next']['about'];

/** The last article of a page, as the cursor of the answer sees it. */
export function lastOf({ page }: ArticleNext): Article | undefined {
  return page.at(-1);
}

/** A request body as an object, whatever else it may be. */
export function bodyOf(ask: Ask): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(ask.body).toString('utf8'));
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function without(fields: Fields, ...gone: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !gone.includes(name)));
}

/** The same refusal under another status and code. */
export function recoded(answer: Answer, status: number, code: string): Answer {
  const body = answer.body as { error: Fields };
  return { ...answer, status, body: { ...body, error: { ...body.error, code } } };
}
