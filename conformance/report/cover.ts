// Facts about an audit that no response shows: who made it, for whom and why. From a file or the config.
import { isObject, parseJson } from '../../src/contract/json.ts';
import { count } from '../../src/terminal/count.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';

export const coverFields = ['auditor', 'client', 'purpose', 'note'] as const;
export type Cover = Readonly<Partial<Record<(typeof coverFields)[number], string>>>;

const charactersMax = 4000;

/** A JSON object with the fields of `Cover`; any other text is the note. Throws a UsageError of one sentence. */
export function parseCover(text: string, name: string): Cover {
  const given = /^\s*\{/.test(text) ? parseJson(text) : { note: text.trim() };
  if (!isObject(given)) throw new UsageError(`${name} is not valid JSON: write { "auditor": "…", "note": "…" }.`);
  for (const [field, value] of Object.entries(given)) {
    if (!coverFields.some((known) => known === field)) {
      const hint = didYouMean(field, coverFields, (known) => known);
      throw new UsageError(`${name} has an unknown field "${field}"; it takes ${coverFields.join(', ')}.${hint}`);
    }
    if (typeof value !== 'string') throw new UsageError(`${name}: ${field} must be a text.`);
    if (value.length > charactersMax)
      throw new UsageError(
        `${name}: ${field} has ${count(value.length, 'character')}; shorten it to ${charactersMax}.`,
      );
  }
  return given as Cover;
}
