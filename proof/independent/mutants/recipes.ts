import type { Fields, Seams } from '../seams.ts';
import type { Answer, Article, Ask } from '../types.ts';

// Small changes that many mutants are made of.

export function restatus(answer: Answer, status: number): Answer {
  return { ...answer, status };
}

export function dropNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

export const USUAL_LIMIT = 20;

export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function bare(id: unknown): string {
  return String(id).replaceAll('-', '');
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
