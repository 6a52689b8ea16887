// A JSON value as lines of tokens, each with its pointer, so a finding can be marked.

import { clip } from '../../../src/terminal/visible.ts';
import { isObject } from '../../exchange/exchange.ts';
import { pointerTo, splitPointer } from '../../exchange/pointer.ts';

export type TokenKind = 'name' | 'string' | 'other' | 'mark';

/** One formatted line with its pointer. */
export interface JsonLine {
  readonly pointer: string;
  readonly depth: number;
  readonly tokens: readonly (readonly [kind: TokenKind, text: string])[];
}

const depthMax = 40;
const linesMax = 20_000;
const stringCharactersMax = 2000;

/** Limits the page size for large bodies. */
export function jsonLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = [];
  addLines(lines, value, { pointer: '', depth: 0, before: [], after: '' });
  return lines;
}

/** The position of a value, and the tokens around it. */
interface Position {
  readonly pointer: string;
  readonly depth: number;
  /** Tokens before the value: the name of a field. */
  readonly before: JsonLine['tokens'];
  readonly after: string;
}

/** Stops at the limit; the view shows the number of hidden lines. */
function addLines(lines: JsonLine[], value: unknown, place: Position): void {
  if (lines.length >= linesMax) return;
  const { pointer, depth, before, after } = place;
  const children = childrenOf(value);
  if (children === null || children.length === 0 || depth >= depthMax) {
    lines.push({ pointer, depth, tokens: [...before, leaf(value, children), ['mark', after]] });
    return;
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  lines.push({ pointer, depth, tokens: [...before, ['mark', open]] });
  for (const [index, [name, child]] of children.entries()) {
    if (lines.length >= linesMax) break;
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

function childrenOf(value: unknown): [string, unknown][] | null {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  return isObject(value) ? Object.entries(value) : null;
}

/** Shows deeper levels as `{…}`. */
function leaf(value: unknown, children: readonly unknown[] | null): JsonLine['tokens'][number] {
  if (children !== null)
    return [
      'mark',
      `${Array.isArray(value) ? '[' : '{'}${children.length === 0 ? '' : '…'}${Array.isArray(value) ? ']' : '}'}`,
    ];
  const text = JSON.stringify(value) ?? 'null';
  return [typeof value === 'string' ? 'string' : 'other', clip(text, stringCharactersMax)];
}

/** Returns the lines of a value, or of its nearest ancestor if the value is absent. */
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
