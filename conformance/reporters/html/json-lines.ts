// A JSON value as lines of tokens, each line with the pointer of what stands on it, so a finding can be shown in
// place.

import { clip } from '../../../src/terminal/visible.ts';
import { isObject } from '../../exchange/exchange.ts';
import { pointerTo, splitPointer } from '../../exchange/pointer.ts';

/** A class of the style sheet each. */
export type TokenKind = 'name' | 'string' | 'other' | 'mark';

/** One line as a person would write it, with the place it shows. */
export interface JsonLine {
  readonly pointer: string;
  readonly depth: number;
  readonly tokens: readonly (readonly [kind: TokenKind, text: string])[];
}

const DEPTH_MAX = 40;
const LINES_MAX = 20_000;
const STRING_CHARACTERS_MAX = 2000;

/** At most 20,000 lines and 40 levels: a body of eight megabytes must not become a page of eighty. */
export function jsonLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = [];
  addLines(lines, value, { pointer: '', depth: 0, before: [], after: '' });
  return lines;
}

/** Where a value stands, and what is written around it. */
interface Position {
  readonly pointer: string;
  readonly depth: number;
  /** Tokens that stand on the line before the value: the name of a field. */
  readonly before: JsonLine['tokens'];
  /** A comma, or nothing. */
  readonly after: string;
}

/** Stops quietly at the bound; the view says how much is shown. */
function addLines(lines: JsonLine[], value: unknown, place: Position): void {
  if (lines.length >= LINES_MAX) return;
  const { pointer, depth, before, after } = place;
  const children = childrenOf(value);
  if (children === null || children.length === 0 || depth >= DEPTH_MAX) {
    lines.push({ pointer, depth, tokens: [...before, leaf(value, children), ['mark', after]] });
    return;
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  lines.push({ pointer, depth, tokens: [...before, ['mark', open]] });
  for (const [index, [name, child]] of children.entries()) {
    if (lines.length >= LINES_MAX) break;
    const tokens: JsonLine['tokens'] = Array.isArray(value)
      ? []
      : [
          ['name', JSON.stringify(name)],
          ['mark', ': '],
        ];
    const comma = index < children.length - 1 ? ',' : '';
    addLines(lines, child, { pointer: pointer + pointerTo(name), depth: depth + 1, before: tokens, after: comma });
  }
  lines.push({ pointer, depth, tokens: [['mark', close + after]] });
}

/** Null for a value without an inside. */
function childrenOf(value: unknown): [string, unknown][] | null {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  return isObject(value) ? Object.entries(value) : null;
}

/** An inside that is too deep is shown as `{…}`. */
function leaf(value: unknown, children: readonly unknown[] | null): JsonLine['tokens'][number] {
  if (children !== null)
    return [
      'mark',
      `${Array.isArray(value) ? '[' : '{'}${children.length === 0 ? '' : '…'}${Array.isArray(value) ? ']' : '}'}`,
    ];
  const text = JSON.stringify(value) ?? 'null';
  return [typeof value === 'string' ? 'string' : 'other', clip(text, STRING_CHARACTERS_MAX)];
}

/** The lines that a pointer is about: those of the value, or of its nearest ancestor when it is absent. */
export function linesAt(lines: readonly JsonLine[], pointer: string): { first: number; last: number } | null {
  const names = splitPointer(pointer);
  for (let length = names.length; length >= 0; length -= 1) {
    const wanted = pointerTo(...names.slice(0, length));
    const isAbsent = length < names.length;
    const first = lines.findIndex((line) => line.pointer === wanted);
    if (first === -1) continue;
    if (isAbsent) return { first, last: first };
    const last = lines.findLastIndex((line) => line.pointer === wanted || line.pointer.startsWith(`${wanted}/`));
    return { first, last };
  }
  return null;
}
