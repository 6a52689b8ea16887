// Request and response side by side.

import { parseJson } from '../../../src/contract/json.ts';
import { count } from '../../../src/terminal/count.ts';
import { clip } from '../../../src/terminal/visible.ts';
import type { StoredExchange } from '../../report/report.ts';
import { html, type JsonLine, jsonLines, linesAt, type Markup, preformatted } from './markup.ts';

export const curlCharactersMax = 60_000;

export interface Shown {
  /** Of the finding: a JSON pointer, `#status`, `#header/<name>`, `#headers` or `#body`. */
  readonly pointer: string;
  readonly linesMax: number;
}

export function exchangePanes(exchange: StoredExchange, { pointer, linesMax }: Shown): Markup {
  return html`<div class="panes">
<section class="pane"><h5>Request</h5>${requestPane(exchange, linesMax)}</section>
<section class="pane"><h5>Response</h5>${responsePane(exchange, { pointer, linesMax })}</section>
</div>`;
}

export function copyable(text: string): Markup {
  return html`<div class="copy"><pre><code>${preformatted(text)}</code></pre><button type="button" data-copy>Copy</button></div>`;
}

function requestPane({ method, url, requestHeaders, requestBody }: StoredExchange, linesMax: number): Markup {
  const { text, bytes } = requestBody;
  const body =
    text === null
      ? bytes === 0
        ? ''
        : html`<p class="quiet">A body of ${count(bytes, 'byte')}.</p>`
      : textBody(text, { pointer: null, linesMax });
  return html`<p class="line"><b>${method}</b> ${url}</p>${headerList(requestHeaders, null)}${body}`;
}

function responsePane(exchange: StoredExchange, { pointer, linesMax }: Shown): Markup {
  const { status, problem, problemDetail, receivedAt, sentAt } = exchange;
  const ms = Math.max(0, receivedAt - sentAt);
  const name = /^#header\/(.+)$/.exec(pointer)?.[1] ?? null;
  const isStatus = pointer === '#status';
  const trouble =
    problem === 'none'
      ? ''
      : html`<p class="trouble">${problem}${problemDetail === null ? '' : `: ${problemDetail}`}</p>`;
  const shown = status === 0 ? 'no status' : String(status);
  return html`<p class="line">${isStatus ? html`<mark><b>${shown}</b></mark>` : html`<b>${shown}</b>`}
    <span class="quiet">after ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms</span></p>${trouble}${headerList(exchange.headers, name)}${responseBody(
      exchange,
      { pointer: pointer.startsWith('#') || pointer === '' ? null : pointer, linesMax },
    )}`;
}

/** A missing header is marked as absent. */
function headerList(headers: Readonly<Record<string, string>>, marked: string | null): Markup {
  const rows = Object.entries(headers).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${name === marked ? html`<mark>${value}</mark>` : value}</dd>`,
  );
  const missing =
    marked !== null && headers[marked] === undefined ? html`<dt>${marked}</dt><dd><mark>absent</mark></dd>` : '';
  return html`<dl class="headers">${rows}${missing}</dl>`;
}

// A body as JSON lines around the finding, which is marked.

export interface BodyOptions {
  /** JSON pointer of the finding; null when it is about something else. */
  readonly pointer: string | null;
  readonly linesMax: number;
}

const contextLines = 7;
/** A finding can be about a whole list, of which the first lines are enough. */
const markedLinesMax = 24;
const plainCharactersMax = 6000;
const classes = { name: 'n', string: 's', other: 'o', mark: 'm' } as const;

/** Shows the shape of a dropped body. A shape has one item for each list, so pointers are mapped to the first item. */
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

export function textBody(text: string, options: BodyOptions): Markup {
  const lines = linesOf(text);
  if (lines !== null) return jsonBody(lines, options);
  return html`<pre class="body">${preformatted(clip(text, plainCharactersMax))}</pre>`;
}

/** Consecutive findings often share a response, so its lines are cached. */
let lately: { readonly text: string; readonly lines: readonly JsonLine[] | null } | null = null;

function linesOf(text: string): readonly JsonLine[] | null {
  if (lately?.text === text) return lately.lines;
  const value = parseJson(text);
  lately = { text, lines: value === undefined ? null : jsonLines(value) };
  return lately.lines;
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

/** Returns the marked lines, their parents, and some lines around them. */
function around(lines: readonly JsonLine[], { first, last }: { first: number; last: number }): Set<number> {
  const shown = new Set<number>();
  const end = Math.min(last, first + markedLinesMax);
  for (let index = first - contextLines; index <= end + contextLines; index += 1) shown.add(index);
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

/** `html` escapes every token. */
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
