// All checks with a search, and all exchanges.

import { behaviors } from '../../../src/contract/generated/behaviors.ts';
import { clauses } from '../../../src/contract/generated/clauses.ts';
import { count } from '../../../src/terminal/count.ts';
import { clip, visible } from '../../../src/terminal/visible.ts';
import type { BehaviorState } from '../../behaviors/observe.ts';
import type { CheckResult, Finding } from '../../judge/result.ts';
import { type ClauseCoverage, isInSection, reachOf, type Section, sections } from '../../report/coverage.ts';
import { causesOf } from '../../report/diagnosis/causes.ts';
import type { Report, StoredExchange } from '../../report/report.ts';
import { curlOf } from '../curl.ts';
import { keptBodiesText, type Quoted, quoteFindings, reasonOf } from '../quoted.ts';
import { copyable, curlCharactersMax, exchangePanes } from './exchange-view.ts';
import { badge, html, idList, type Markup, sentence, shareBar } from './markup.ts';

/** Next to those that a finding cites. The JSON report has them all. */
const exchangesShownMax = 40;
const citedShownMax = 10;
const idsMax = 6;
const notesShownMax = 30;
const linesMax = 42;
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

const withBodies = html`<p class="lead">E-mail addresses and phone numbers are replaced here. Bodies are ${keptBodiesText}.</p>`;
const withoutBodies = html`<p class="lead">Bodies were not kept, because they might contain customer data. Only
their shape is shown. Error responses are shown, without e-mail addresses and phone numbers.</p>`;

/** Those that a failure or a warning cites are shown whole, the others in a line. */
export function allExchanges(report: Report): Markup {
  const { exchanges, keepsBodies, checks } = report;
  if (exchanges.length === 0) return html``;
  const idsIn = ({ exchange, proof = [] }: Finding) => [exchange, ...proof.map((line) => line.exchange)];
  const findings = checks.flatMap((check) => check.findings);
  const cited = new Set(findings.flatMap(idsIn));
  const named = causesOf(report).map(({ finding }) => finding);
  const grave = findings.filter(({ severity }) => severity !== 'note');
  const whole = new Set(
    [...new Set([...named.map(({ exchange }) => exchange), ...[...named, ...grave].flatMap(idsIn)])].slice(
      0,
      citedShownMax,
    ),
  );
  const shown = exchanges.filter(({ id }, index) => cited.has(id) || index < exchangesShownMax);
  const more = exchanges.length - shown.length;
  return html`<section id="exchanges"${whole.size === 0 && html` class="screen"`}><h2>Exchanges <small>${exchanges.length}</small></h2>
${keepsBodies ? withBodies : withoutBodies}
<div class="list exchanges">${shown.map((each) => exchangeRow(each, whole.has(each.id)))}</div>
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
<div class="inside">${copyable(clip(curlOf(exchange), curlCharactersMax))}${exchangePanes(exchange, { pointer: '', linesMax: linesMax })}</div></details>`;
}

// The clauses of each section with their results.

export function coverage(report: Report): Markup {
  const rows = sections.map((section) => sectionRow(section, report));
  return html`<section id="coverage"><h2>Coverage</h2>
<p class="lead">The result of each clause. The bars count the clauses that a response can violate. The lists show the
others too. A clause is verified if at least one response could have violated it, and no response did.</p>
<p class="legend"><span class="key pass"></span>verified <span class="key fail"></span>failed <span class="key warn"></span>warned
<span class="key inconclusive"></span>not decided <span class="key rest"></span>not tested</p>${rows}</section>`;
}

/** The bar counts testable clauses only, because others would look like gaps. */
function sectionRow(section: Section, report: Report): Markup {
  const rows = report.coverage.filter(({ clause }) => isInSection(clause, section));
  if (rows.length === 0) return html``;
  const { visible, violated, warned, verified, undecided, untested } = reachOf({ coverage: rows });
  const parts = [
    ['pass', verified, 'verified'],
    ['fail', violated, 'failed'],
    ['warn', warned, 'warned'],
    ['inconclusive', undecided, 'not decided'],
    ['rest', untested - undecided, 'not tested'],
  ] as const;
  const label = parts.flatMap(([, number, word]) => (number === 0 ? [] : [`${number} ${word}`])).join(', ');
  const bar = visible > 0 && shareBar(parts, label);
  const text = visible === 0 ? 'not testable' : label;
  return html`<details class="section"><summary><span class="name">${section.number} ${section.title}</span>
<span class="bar">${bar}</span><span class="amount">${text}</span></summary><ul class="clauses">${rows.map(clauseRow)}</ul></details>`;
}

const checksMax = 3;

function clauseRow({ clause, basis, seenBy, result, why, checks }: ClauseCoverage): Markup {
  const state =
    result === null
      ? html`<span class="badge none">${{ server: 'no check', client: 'rule for clients', nobody: 'not testable' }[seenBy]}</span>`
      : badge(result);
  const reason = why === null ? '' : html`<p>${visible(why)}</p>`;
  return html`<li id="clause:${clause}">${state}<div><code>${clause}</code>${basis === 'stated' ? '' : html` <em>${basis}</em>`}
<p>${sentence(clauses[clause].fact)}</p>${reason}${checks.length === 0 ? '' : html`<p>${idList(checks, checksMax)}</p>`}</div></li>`;
}

// Unspecified behavior: known, mixed, or unknown with the reason.

const valueMax = 300;

export function behaviorsView({ behaviors: states }: Report): Markup {
  if (states.length === 0) return html``;
  const known = states.filter(({ state }) => state !== 'unknown').length;
  return html`<section id="behaviors"><h2>Behaviors</h2>
<p class="lead">Details that the contract leaves open. The run detected ${known} of ${states.length} behaviors. None of them is a failure.
To make the mock behave the same, save them with conformance calibrate, and start npx casa mock --profile FILE.</p>
<details class="section"><summary><span class="name">All behaviors</span><span class="bar"></span>
<span class="amount">${known} of ${states.length}</span></summary><ul class="clauses">${states.map(row)}</ul></details></section>`;
}

function row(state: BehaviorState): Markup {
  const { about, interpretation } = behaviors[state.id];
  const told = state.state === 'unknown' ? state.why : textOf(state.value);
  const seen = state.state === 'unknown' ? '' : `, seen ${count(state.seen, 'time')}`;
  const shares = state.state === 'mixed' ? html`<p class="quiet">${visible(textOf(state.shares))}</p>` : '';
  return html`<li id="reading:${state.id}"><span class="badge ${state.state === 'known' ? 'pass' : 'none'}">${state.state}</span>
<div><code>${state.id}</code> <em>${interpretation}</em><p>${about}${seen}: ${visible(told)}</p>${shares}</div></li>`;
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}
