// HTML as a tagged template that escapes all values that are not Markup.

import { clip, escapeHtml, visible, visibleLines } from '../../../src/terminal/visible.ts';
import { isObject } from '../../exchange/exchange.ts';
import { pointerTo, splitPointer } from '../../exchange/pointer.ts';
import type { ResultKind } from '../../judge/result.ts';
import type { Report } from '../../report/report.ts';
import { countsIn, resultWords } from '../quoted.ts';

/** Safe HTML. Only `html` and `preformatted` create it from external text. */
export interface Markup {
  readonly markup: string;
}

/** False and null render nothing, for conditions in a template. */
type Piece = string | number | null | false | Markup | readonly Piece[];

/** Escapes all values except Markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return { markup: parts.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join('') };
}

export function preformatted(text: string): Markup {
  return { markup: escapeHtml(visibleLines(text)) };
}

/** Renders backticks as code. */
export function sentence(text: string): Markup {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Makes control characters visible, for example a NUL byte. */
function render(piece: Piece | undefined): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (Array.isArray(piece)) return piece.map(render).join('');
  if (typeof piece === 'object') return (piece as Markup).markup;
  return escapeHtml(visible(String(piece)));
}

/** Words for a comparison. */
const comparedWords: Partial<Record<ResultKind, string>> = {
  pass: 'same',
  fail: 'differs',
  warn: 'differs legally',
  inconclusive: 'not comparable',
};

type Compared = Pick<Report, 'compared'>;

function wordOf(kind: ResultKind, { compared }: Compared): string {
  return (compared === undefined ? undefined : comparedWords[kind]) ?? resultWords[kind][0];
}

/** The style sheet adds a sign, because not everyone can distinguish colors. */
export function badge(kind: ResultKind, report: Compared = {}): Markup {
  return html`<span class="badge ${kind}">${wordOf(kind, report)}</span>`;
}

/** Ids of checks, clauses or exchanges, which the script turns into links: a third of the page would be links. */
export function idList(ids: readonly string[], max = ids.length): Markup {
  const more = ids.length > max ? ` and ${ids.length - max} more` : '';
  return html`<span class="ids">${ids.slice(0, max).join(' ')}</span>${more}`;
}

export function shareBar(
  parts: readonly (readonly [kind: string, number: number, ...rest: unknown[]])[],
  label: string,
): Markup {
  const total = parts.reduce((sum, [, number]) => sum + number, 0);
  let start = 0;
  const shown = parts.flatMap(([kind, number]) => {
    if (number === 0) return [];
    const width = (100 * number) / total;
    const part = html`<rect class="${kind}" x="${start.toFixed(3)}" width="${width.toFixed(3)}" y="0" height="8"/>`;
    start += width;
    return [part];
  });
  return html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}">${shown}</svg>`;
}

/** Each count is a button that filters the checks. */
export function resultChips(report: Report): Markup {
  const chips = countsIn(report).map(
    ([kind, number]) =>
      html`<button type="button" class="chip ${kind}" data-kind="${kind}" aria-pressed="false"><b>${number}</b> ${wordOf(kind, report)}</button>`,
  );
  return html`<div class="chips" role="group" aria-label="Show only these results">${chips}</div>`;
}

// A JSON value as lines of tokens, each with its pointer, so a finding can be marked.

export type TokenKind = 'name' | 'string' | 'other' | 'mark';

export interface JsonLine {
  readonly pointer: string;
  readonly depth: number;
  readonly tokens: readonly (readonly [kind: TokenKind, text: string])[];
}

const depthMax = 40;
const linesMax = 20_000;
const stringCharactersMax = 400;

/** Limits the page size for large bodies. */
export function jsonLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = [];
  addLines(lines, value, { pointer: '', depth: 0, before: [], after: '' });
  return lines;
}

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
