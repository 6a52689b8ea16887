// Checks a JSON text before it is parsed: one of a million levels or values, or of a hundred thousand different names,
// takes up to half a second to parse and blocks other responses. The contract's own bodies have three levels and four
// fields, and its largest import has five thousand rows.

import { type JsonSize, sizeOfJson } from '../contract/json.ts';

/** The largest numbers in a text that is parsed. */
interface SizeLimits {
  readonly levels: number;
  readonly values: number;
  readonly fields: number;
  readonly names: number;
}

const usual: SizeLimits = { levels: 10_000, values: 200_000, fields: 40_000, names: 2_000 };
/** Where imports and worlds come in: the largest import has 5,000 rows of 24 fields. */
export const manyFields: SizeLimits = { ...usual, fields: 120_000 };
/** For a response of a mock, which can be a whole world. */
export const anyWidth: SizeLimits = { levels: 1_000, values: Infinity, fields: Infinity, names: Infinity };

/** Why the text is not parsed, as the end of a sentence; null when it may be. */
export function whyNotParsed(json: Uint8Array, most = usual): string | null {
  // Each level, value and field takes a byte at least: nearly always there is nothing to look at.
  if (json.length <= most.levels) return null;
  const problemOf = ({ levels, commas, fields, names }: JsonSize) => {
    if (levels > most.levels) return `is nested more than ${most.levels.toLocaleString('en')} levels deep`;
    if (commas > most.values) return `has more than ${most.values.toLocaleString('en')} values`;
    if (fields > most.fields) return `has more than ${most.fields.toLocaleString('en')} fields`;
    return names > most.names ? `has more than ${most.names.toLocaleString('en')} different names of fields` : null;
  };
  return problemOf(sizeOfJson(json, (size) => problemOf(size) !== null));
}
