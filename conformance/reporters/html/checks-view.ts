// All checks with a search, and all exchanges.

import { count } from '../../../src/terminal/count.ts';
import { clip } from '../../../src/terminal/visible.ts';
import type { CheckResult } from '../../judge/result.ts';
import type { Report, StoredExchange } from '../../report/report.ts';
import { type Quoted, quoteFindings, reasonOf } from '../quoted.ts';
import { exchangePanes, repeatLine } from './exchange-view.ts';
import { badge, html, type Markup } from './markup.ts';

/** The JSON report has them all. */
const exchangesShownMax = 300;
const notesShownMax = 30;
const linksMax = 12;
const linesMax = 80;
const textCharactersMax = 400;
const findingCharactersMax = 1200;

const keyWords = { second: 'second key', revoked: 'revoked key', none: 'no key', wrong: 'invalid key' } as const;

/** An attribute has the words that the summary does not show and that a search finds. */
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
  const { id, title, level, result, evidence, findings } = check;
  const words = [level, result.kind, result.reason, result.message, ...check.cites].join(' ').toLowerCase();
  const amount = findings.length > 0 ? count(findings.length, 'finding') : evidence > 0 ? `${evidence} tested` : '';
  return html`<details class="check" id="check:${id}" data-kind="${result.kind}" data-words="${clip(words, 2000)}">
<summary>${badge(result.kind, report)}<span class="id">${id}</span><span class="title">${title}</span><span class="amount">${amount}</span></summary>
<div class="inside">${messageOf(check)}
${findingList(check, report)}
<p class="quiet">Clauses: ${check.cites.map((clause) => html`<a href="#clause:${clause}">${clause}</a> `)}</p>
${exchangeLinks(check)}<p class="quiet">Level ${level}, ${count(evidence, 'expectation')} tested.</p></div></details>`;
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

function exchangeLinks({ exchanges }: CheckResult): Markup {
  if (exchanges.length === 0) return html``;
  return html`<p class="quiet">Exchanges: ${exchanges.slice(0, linksMax).map((id) => html`<a href="#${id}">${id}</a> `)}${
    exchanges.length > linksMax ? `and ${exchanges.length - linksMax} more` : ''
  }</p>`;
}

const withoutBodies = html`<p class="lead">Bodies were not kept, because they might contain customer data. Only
their shape is shown. Errors are shown unchanged.</p>`;

/** Those that a failure, a warning or a note cites are shown whole, the others in a line. */
export function allExchanges({ exchanges, keepsBodies, checks }: Report): Markup {
  if (exchanges.length === 0) return html``;
  const cited = new Set(checks.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
  const more = exchanges.length - exchangesShownMax;
  return html`<section id="exchanges"><h2>Exchanges <small>${exchanges.length}</small></h2>
${keepsBodies ? '' : withoutBodies}
<div class="list">${exchanges.slice(0, exchangesShownMax).map((each) => exchangeRow(each, cited.has(each.id)))}</div>
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
  const summary = html`<span class="id">${id}</span><b class="status ${family}">${status || 'none'}</b>
<span class="title"><b>${method}</b> ${clip(target, textCharactersMax)}</span><span class="amount">${flags.join(', ')}</span>`;
  if (!isWhole) return html`<p class="exchange" id="${id}">${summary}</p>`;
  return html`<details class="exchange" id="${id}"><summary>${summary}</summary>
<div class="inside">${repeatLine(exchange)}${exchangePanes(exchange, { pointer: '', linesMax: linesMax })}</div></details>`;
}
