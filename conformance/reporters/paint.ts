import type { VerdictKind } from '../judge/verdict.ts';

export type Paint = (style: Style, text: string) => string;

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;
type Style = keyof typeof codes;

export const plain: Paint = (_, text) => text;
export const coloured: Paint = (style, text) => `\u001b[${codes[style]}m${text}\u001b[0m`;

export const styleOf: Readonly<Record<VerdictKind, Style>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  note: 'blue',
  inconclusive: 'magenta',
  excluded: 'dim',
  error: 'red',
};
