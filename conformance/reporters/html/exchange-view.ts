// Request and response side by side.

import { count } from '../../../src/terminal/count.ts';
import { clip } from '../../../src/terminal/visible.ts';
import type { StoredExchange } from '../../report/stored.ts';
import { curlOf } from '../curl.ts';
import { responseBody, textBody } from './body-view.ts';
import { html, type Markup } from './markup.ts';

const CURL_CHARACTERS_MAX = 60_000;

/** What is marked, and how many lines of a body are shown. */
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

function copyable(command: string): Markup {
  return html`<div class="copy"><pre><code>${command}</code></pre><button type="button" data-copy>Copy</button></div>`;
}

/** Ready to be copied. The key is named as a variable: it is in no report. */
export function repeatLine(exchange: StoredExchange): Markup {
  return copyable(clip(curlOf(exchange), CURL_CHARACTERS_MAX));
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

/** A header that a finding misses is shown as absent, so that something is marked. */
function headerList(headers: Readonly<Record<string, string>>, marked: string | null): Markup {
  const rows = Object.entries(headers).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${name === marked ? html`<mark>${value}</mark>` : value}</dd>`,
  );
  const missing =
    marked !== null && headers[marked] === undefined ? html`<dt>${marked}</dt><dd><mark>absent</mark></dd>` : '';
  return html`<dl class="headers">${rows}${missing}</dl>`;
}
