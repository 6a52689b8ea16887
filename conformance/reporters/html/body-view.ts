// A body as it is shown: JSON in lines, cut to what matters, the place of the finding marked.

import { count } from '../../../src/terminal/count.ts';
import { clip } from '../../../src/terminal/visible.ts';
import type { StoredExchange } from '../../report/stored.ts';
import { type JsonLine, jsonLines, linesAt } from './json-lines.ts';
import { html, type Markup, preformatted } from './markup.ts';

/** What is marked in a body, and how much of it is shown. */
export interface BodyOptions {
  /** JSON pointer of the finding; null when it is about something else. */
  readonly pointer: string | null;
  readonly linesMax: number;
}

/** On each side of the marked lines. */
const CONTEXT_LINES = 7;
/** A finding may be about a whole list; its beginning and its end are enough. */
const MARKED_LINES_MAX = 24;
const PLAIN_CHARACTERS_MAX = 6000;
const classes = { name: 'n', string: 's', other: 'o', mark: 'm' } as const;

/**
 * Where the body was not kept, its shape stands for it. A shape has one item for a list, so a pointer to a later one is
 * led to the first.
 */
export function responseBody(exchange: StoredExchange, options: BodyOptions): Markup {
  const { bodyText, bodyShape, bodyBytes, bodySha256 } = exchange;
  if (bodyText !== null) return textBody(bodyText, options);
  if (bodyBytes === 0 || bodyShape === null || bodyShape === undefined) return html`<p class="quiet">No body.</p>`;
  const pointer = options.pointer === null ? null : options.pointer.replace(/\/\d+(?=\/|$)/g, '/0');
  const isOther = pointer !== options.pointer;
  const which = isOther ? ', each list by its first item, while the finding is about a later one' : '';
  return html`<p class="quiet">Its shape${which}: the body of ${count(bodyBytes, 'byte')} was not kept
(SHA-256 ${bodySha256.slice(0, 12)}…).</p>${jsonBody(jsonLines(bodyShape), { ...options, pointer })}`;
}

/** JSON in lines; anything else as it came, cut. */
export function textBody(text: string, options: BodyOptions): Markup {
  const lines = linesOf(text);
  if (lines !== null) return jsonBody(lines, options);
  return html`<pre class="body">${preformatted(clip(text, PLAIN_CHARACTERS_MAX))}</pre>`;
}

/** Findings often point into the same answer, one after the other: its lines are made once. */
let lately: { readonly text: string; readonly lines: readonly JsonLine[] | null } | null = null;

/** Null when the text is not JSON. */
function linesOf(text: string): readonly JsonLine[] | null {
  if (lately?.text === text) return lately.lines;
  lately = { text, lines: parsedLines(text) };
  return lately.lines;
}

function parsedLines(text: string): readonly JsonLine[] | null {
  try {
    return jsonLines(JSON.parse(text));
  } catch {
    return null;
  }
}

function jsonBody(lines: readonly JsonLine[], { pointer, linesMax }: BodyOptions): Markup {
  const marked = pointer === null ? null : linesAt(lines, pointer);
  const shown = marked === null ? new Set(lines.slice(0, linesMax).map((_, index) => index)) : around(lines, marked);
  const rows: Markup[] = [];
  let hidden = 0;
  for (const [index, line] of lines.entries()) {
    if (!shown.has(index)) {
      hidden += 1;
      continue;
    }
    if (hidden > 0) rows.push(gap(hidden));
    hidden = 0;
    const isMarked = marked !== null && index >= marked.first && index <= marked.last;
    rows.push(row(line, isMarked));
  }
  if (hidden > 0) rows.push(gap(hidden));
  return html`<pre class="body">${rows}</pre>`;
}

/** The way down to the marked lines, those lines, and some on both sides. */
function around(lines: readonly JsonLine[], { first, last }: { first: number; last: number }): Set<number> {
  const shown = new Set<number>();
  const end = Math.min(last, first + MARKED_LINES_MAX);
  for (let index = first - CONTEXT_LINES; index <= end + CONTEXT_LINES; index += 1) shown.add(index);
  if (last > end) shown.add(last);
  let depth = lines[first]?.depth ?? 0;
  for (let index = first; index >= 0 && depth > 0; index -= 1) {
    const line = lines[index];
    if (line === undefined || line.depth >= depth) continue;
    depth = line.depth;
    shown.add(index);
  }
  return shown;
}

/** Every token is escaped by `html`: what a target sends stays text. */
function row({ depth, tokens }: JsonLine, isMarked: boolean): Markup {
  const text = tokens.map(([kind, token]) =>
    kind === 'mark' ? html`${token}` : html`<i class="${classes[kind]}">${token}</i>`,
  );
  const indented = html`${'  '.repeat(depth)}${text}`;
  return isMarked ? html`<mark>${indented}</mark>\n` : html`${indented}\n`;
}

function gap(lines: number): Markup {
  return html`<i class="gap">⋯ ${count(lines, 'line')}</i>\n`;
}
