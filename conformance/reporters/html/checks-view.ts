// All checks with a search, and all exchanges.

import { count } from '../../../src/terminal/count.ts';
import { clip } from '../../../src/terminal/visible.ts';
import type { CheckResult, Finding } from '../../judge/result.ts';
import type { Report, StoredExchange } from '../../report/report.ts';
import { type Quoted, quoteFindings, reasonOf } from '../quoted.ts';
import { exchangePanes, repeatLine } from './exchange-view.ts';
import { badge, html, idList, type Markup } from './markup.ts';

/** Next to those that a finding cites. The JSON report has them all. */
const exchangesShownMax = 40;
const citedShownMax = 25;
const idsMax = 6;
const notesShownMax = 30;
const linesMax = 50;
const textCharactersMax = 400;
const findingCharactersMax = 1200;

const keyWords = { second: 'second key', revoked: 'revoked key', none: 'no key', wrong: 'invalid key' } as const;

export function allChecks(report: Report): Markup {
  if (report.checks.length === 0) return html``;
  return html`<section id="checks"><h2>All checks <small data-shown>${report.checks.length}</small></h2>
<div class="tools"><input type="search" placeholder="Search ids, titles, clauses ( / )" aria-label="Search checks" data-search>
<button type="button" data-clear hidden>Show all</button></div>
<div class="list">${report.checks.map((check) => checkRow(check, report))}</div>
<p class="quiet" data-none hidden>No matching checks.</p>
<p class="quiet">For details about a check, run <code>conformance --explain ID</code>.</p></section>`;
}

function checkRow(check: CheckResult, report: Report): Markup {
  const { id, title, level, result, evidence, findings, exchanges } = check;
  const amount = findings.length > 0 ? count(findings.length, 'finding') : evidence > 0 ? `${evidence} tested` : '';
  return html`<details class="check" id="check:${id}" data-kind="${result.kind}">
<summary>${badge(result.kind, report)}<span class="id">${id}</span><span class="title">${title}</span><span class="amount">${amount}</span></summary>
<div class="inside">${messageOf(check)}${findingList(check, report)}
<p>${level === 'must' ? '' : `Level ${level}. `}${idList(check.cites)}</p>${exchanges.length > 0 && html`<p>${idList(exchanges, idsMax)}</p>`}</div></details>`;
}

function messageOf(check: CheckResult): Markup {
  if (check.result.message === undefined) return html``;
  return html`<p class="message">${clip(reasonOf(check), textCharactersMax)}</p>`;
}

function findingList(check: CheckResult, report: Report): Markup {
  const quoted = quoteFindings(check, report);
  if (quoted.length === 0) return html``;
  const isCarded = /^(fail|warn|error)$/.test(check.result.kind);
  return html`<h4>${isCarded ? html`<a href="#finding:${check.id}">Findings, with request and response</a>` : 'Findings'}</h4>
<ul class="sentences">${quoted.slice(0, notesShownMax).map(findingLine)}</ul>`;
}

function findingLine({ finding, text, exchange }: Quoted): Markup {
  const link = exchange === null ? '' : html` <a href="#${exchange.id}">${exchange.id}</a>`;
  return html`<li>${badge(finding.severity)} <code>${finding.clause}</code> ${clip(text, findingCharactersMax)}${link}</li>`;
}

const withoutBodies = html`<p class="lead">Bodies were not kept, because they might contain customer data. Only
their shape is shown. Errors are shown unchanged.</p>`;

/** Those that a failure, a warning or a note cites are shown whole, the others in a line. */
export function allExchanges({ exchanges, keepsBodies, checks }: Report): Markup {
  if (exchanges.length === 0) return html``;
  const idsIn = ({ exchange, proof = [] }: Finding) => [exchange, ...proof.map((line) => line.exchange)];
  const all = new Set(checks.flatMap(({ findings }) => findings.flatMap(idsIn)));
  const cited = new Set([...all].slice(0, citedShownMax));
  const shown = exchanges.filter(({ id }, index) => cited.has(id) || index < exchangesShownMax);
  const more = exchanges.length - shown.length;
  return html`<section id="exchanges"><h2>Exchanges <small>${exchanges.length}</small></h2>
${keepsBodies ? '' : withoutBodies}
<div class="list exchanges">${shown.map((each) => exchangeRow(each, cited.has(each.id)))}</div>
${more > 0 ? html`<p class="quiet">And ${more} more, in the JSON report.</p>` : ''}</section>`;
}

function exchangeRow(exchange: StoredExchange, isWhole: boolean): Markup {
  const { id, method, target, status, problem, burst, repeatOf, key } = exchange;
  const family = status === 0 ? 'x0' : `x${Math.floor(status / 100)}`;
  const flags = [
    ...(key === 'good' ? [] : [keyWords[key]]),
    ...(problem === 'none' ? [] : [problem]),
    ...(burst ? ['burst'] : []),
    ...(repeatOf === null ? [] : [`repeats ${repeatOf}`]),
  ];
  const note = flags.length > 0 && html` <i>${flags.join(', ')}</i>`;
  const request = html`<span>${method} ${clip(target, textCharactersMax)}</span>`;
  const summary = html`<b>${id}</b> <b class="${family}">${status || 'none'}</b> ${request}${note}`;
  if (!isWhole) return html`<p id="${id}">${summary}</p>`;
  return html`<details id="${id}"><summary>${summary}</summary>
<div class="inside">${repeatLine(exchange)}${exchangePanes(exchange, { pointer: '', linesMax: linesMax })}</div></details>`;
}
