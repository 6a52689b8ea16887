// E-mail addresses and phone numbers in any text of a deployment. A value is found by its form alone, so a number
// counts as a phone number only where it is written as one; the name of a field is data sooner than a value is.
import { type Decoded, decodings } from './decoded.ts';

/** A place in a text, end skipped, and the text that replaces it. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly placeholder: string;
}

/** Every part is bounded, so a text of megabytes is read in one pass. Group 1 is the text before the match. */
const patterns: readonly (readonly [placeholder: string, pattern: RegExp])[] = [
  ['<email>', /(?<=([\p{L}\p{N}._%+'-]{1,64}))@[\p{L}\p{N}][\p{L}\p{N}-]{0,62}(?:\.[\p{L}\p{N}-]{1,63}){0,6}/gu],
  ['<phone>', /(?<!\d)\+[1-9](?:[ ()./-]{0,2}\d){6,14}(?!\d)/g],
  ['<phone>', /(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])/g],
  ['<phone>', /(?<![\w.-])\(0\d{1,4}\)[ -]?\d{3,8}(?:[ -]\d{2,6}){0,3}(?![\w-])/g],
  // A bare number is data where it is the name of a field.
  ['<phone>', /(?<=")\d{7,15}(?=\\{0,3}"\s{0,9}:)/g],
];

/** A token that may be base64 or hex of something that a person can read. */
const token = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const tokenCharactersMax = 4096;

/** Addresses and numbers, also percent-encoded, as escapes of JSON or HTML, in base64 and in hex. */
export function personalSpans(rounds: readonly Decoded[]): Span[] {
  return rounds.flatMap((decoded) => {
    const tokens = [...decoded.text.matchAll(token)].flatMap(({ 0: found, index }) => inToken(found, index));
    return [...plainSpans(decoded.text), ...tokens].map(({ start, end, placeholder }) => ({
      start: decoded.at(start),
      end: decoded.at(end),
      placeholder,
    }));
  });
}

function plainSpans(text: string): Span[] {
  if (!/[@+(\d]/.test(text)) return [];
  return patterns.flatMap(([placeholder, pattern]) =>
    [...text.matchAll(pattern)].map(({ 0: found, 1: before = '', index }) => ({
      start: index - before.length,
      end: index + found.length,
      placeholder,
    })),
  );
}

/** The whole of it, or the parts that a prefix such as `cursor_` or a path leaves. */
function inToken(text: string, start: number): Span[] {
  if (text.length > tokenCharactersMax) return [];
  // Nobody writes a count in hex of its digits; in base64 it may be a cursor.
  const placeholder = /^(?:3\d){7,15}$/.test(text) ? '<phone>' : readable(text).flatMap(plainSpans)[0]?.placeholder;
  if (placeholder !== undefined) return [{ start, end: start + text.length, placeholder }];
  const parts = /[_/+-]/.test(text) ? [...text.matchAll(/[A-Za-z0-9]{12,}={0,2}/g)] : [];
  return parts.flatMap(({ 0: part, index }) => inToken(part, start + index));
}

/** Random bytes are not readable, and so no hash or id becomes an address by chance. */
function readable(text: string): string[] {
  const hex = /^(?:[\da-f]{2})+$/i.test(text) ? [Buffer.from(text, 'hex')] : [];
  const decoded = [...hex, Buffer.from(text, 'base64')].map((bytes) => bytes.toString('utf8'));
  return decoded.filter((each) => /^[\t\n\r -~\u00a0-\ud7ff]+$/.test(each));
}

/** Replaces the name of a field that is data. */
export const dataName = '<name>';

/** The names of fields as a finding lists them; those that are data are not shown. */
export function shownNames(names: readonly string[], namesMax: number): string {
  return [...new Set(names.slice(0, namesMax).map((name) => (isDataName(name) ? dataName : name)))].join(', ');
}

const dataCharactersMax = 200;

/**
 * Whether the name of a field is data: an id, a number, an address, a phrase. An object with such a name is a map, and
 * its names must not be stored. Only the beginning is tested, because patterns are slow on names of megabytes.
 */
export function isDataName(name: string): boolean {
  const start = name.slice(0, dataCharactersMax);
  return (
    /^[().+ -]*\d[\d().+ -]*$|^[0-9a-f-]{16,}$|@|\s|<\w+>/i.test(start) || personalSpans(decodings(start)).length > 0
  );
}
