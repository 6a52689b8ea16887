// Characters that affect a terminal or the line: C0, DEL, C1, directions, line ends.

/** Both ends included. */
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

/** All 65 control characters of Unicode. */
export const controls: readonly string[] = [...from(0, 0x1f), ...from(0x7f, 0x9f)];

/** Control characters, and those that turn, join or hide the text around them. */
export const unseen: readonly string[] = [
  ...controls,
  ...from(0x200b, 0x200f),
  ...from(0x2028, 0x202e),
  ...from(0x2066, 0x2069),
  '\ufeff',
];

/** Everything unseen but the end of a line, which the program itself writes. */
export const actsOnTerminal = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** By name. A redactor that knows only the plain form leaks the key in the others. */
export function keySpellings(key: string): Record<string, string> {
  const spell = (one: (hex: string, code: number) => string) =>
    [...key].map((letter) => one(letter.charCodeAt(0).toString(16), letter.charCodeAt(0))).join('');
  return {
    'plain text': key,
    'capital letters': key.toUpperCase(),
    'percent-encoding': spell((hex) => `%${hex}`),
    'percent-encoding of the underscore': key.replace('_', '%5F'),
    'percent-encoding of one digit': key.replace('8', '%38'),
    'percent-encoding in capitals': spell((hex) => `%${hex.toUpperCase()}`),
    'percent-encoding twice': spell((hex) => `%25${hex}`),
    'percent-encoding three times': spell((hex) => `%2525${hex}`),
    'a form, after a plus': `Bearer+${key.replace('_', '%5f')}`,
    'JSON escapes': spell((hex) => `\\u00${hex}`),
    'JSON in JSON': spell((hex) => `\\\\u00${hex}`),
    'JavaScript escapes': spell((hex) => `\\x${hex}`),
    'HTML entities': spell((_, code) => `&#${code};`),
    'hexadecimal HTML entities': spell((hex) => `&#x${hex};`),
    'a mixture': [...key].map((letter, i) => [letter, `%${letter.charCodeAt(0).toString(16)}`][i % 2]).join(''),
    'a longer one': `${key}0`,
  };
}

/** A text with its escapes undone, as often as there are any. */
export function undone(text: string): string {
  let last = text;
  for (let round = 0; round < 6; round += 1) {
    last = last
      .replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\+(?:u00|x)([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&#x([\da-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  }
  return last;
}
