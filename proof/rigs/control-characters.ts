// The characters that act on a terminal or on a line instead of standing in it: C0, DEL, C1, directions, line ends.

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
