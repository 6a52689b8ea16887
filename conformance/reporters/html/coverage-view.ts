// The clauses of each section with their results.

import { behaviors } from '../../../src/contract/generated/behaviors.ts';
import { clauses } from '../../../src/contract/generated/clauses.ts';
import { count } from '../../../src/terminal/count.ts';
import { visible } from '../../../src/terminal/visible.ts';
import type { ResultKind } from '../../judge/result.ts';
import type { BehaviorState } from '../../observe/observe.ts';
import { type ClauseCoverage, isInSection, reachOf, type Section, sections } from '../../report/coverage.ts';
import type { Report } from '../../report/report.ts';
import { badge, html, idList, type Markup, sentence, shareBar } from './markup.ts';

export function coverage(report: Report): Markup {
  const rows = sections.map((section) => sectionRow(section, report));
  return html`<section id="coverage"><h2>Coverage</h2>
<p class="lead">The result of each clause. The bars count the clauses that a response can violate. The lists show the
others too. A clause is verified if a response followed it that could have violated it.</p>
<p class="legend"><span class="key pass"></span>verified <span class="key fail"></span>violated <span class="key warn"></span>warning
<span class="key inconclusive"></span>inconclusive <span class="key rest"></span>not tested</p>${rows}</section>`;
}

/** The bar counts testable clauses only, because others would look like gaps. */
function sectionRow(section: Section, report: Report): Markup {
  const rows = report.coverage.filter(({ clause }) => isInSection(clause, section));
  if (rows.length === 0) return html``;
  const provable = rows.filter(({ provable }) => provable);
  const { tested } = reachOf({ coverage: rows });
  const having = (...kinds: (ResultKind | null)[]) => provable.filter(({ result }) => kinds.includes(result)).length;
  const parts = [
    ['pass', having('pass')],
    ['fail', having('fail')],
    ['warn', having('warn')],
    ['inconclusive', having('inconclusive', 'error', 'note')],
    ['rest', having(null, 'skipped')],
  ] as const;
  const label = parts.map(([kind, number]) => `${number} ${kind}`).join(', ');
  const bar = provable.length === 0 ? '' : shareBar(parts, label);
  const text = provable.length === 0 ? 'not testable' : `${tested} of ${provable.length}`;
  return html`<details class="section"><summary><span class="name">${section.number} ${section.title}</span>
<span class="bar">${bar}</span><span class="amount">${text}</span></summary><ul class="clauses">${rows.map(clauseRow)}</ul></details>`;
}

const checksMax = 3;

function clauseRow({ clause, standing, seenBy, result, why, checks }: ClauseCoverage): Markup {
  const state =
    result === null
      ? html`<span class="badge none">${seenBy === 'server' ? 'no check' : `seen by ${seenBy}`}</span>`
      : badge(result);
  const reason = why === null ? '' : html`<p>${visible(why)}</p>`;
  return html`<li id="clause:${clause}">${state}<div><code>${clause}</code>${standing === 'stated' ? '' : html` <em>${standing}</em>`}
<p>${sentence(clauses[clause].fact)}</p>${reason}${checks.length === 0 ? '' : html`<p>${idList(checks, checksMax)}</p>`}</div></li>`;
}

// Unspecified behavior: known, mixed, or unknown with the reason.

const valueMax = 300;

export function behaviorsView({ behaviors: states }: Report): Markup {
  if (states.length === 0) return html``;
  const known = states.filter(({ state }) => state !== 'unknown').length;
  return html`<section id="behaviors"><h2>Behaviors</h2>
<p class="lead">Details that the contract leaves open. The run detected ${known} of ${states.length} behaviors. None of them is a failure.
To make the mock behave the same, save them with conformance calibrate, and start casa mock --profile FILE.</p>
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
