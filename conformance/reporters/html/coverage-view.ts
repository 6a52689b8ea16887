// Clause by verdict, section by section: what the run says about the contract, and where it says nothing.
import { clauses } from '../../../src/contract/generated/clauses.ts';
import { visible } from '../../../src/terminal/visible.ts';
import type { VerdictKind } from '../../judge/verdict.ts';
import type { ClauseCoverage } from '../../report/coverage.ts';
import { reachOf } from '../../report/outcome.ts';
import type { Report } from '../../report/report.ts';
import { isInSection, type Section, sections } from '../../report/sections.ts';
import { html, type Markup, sentence } from './markup.ts';
import { badge, shareBar } from './verdict-view.ts';

export function coverage(report: Report): Markup {
  const rows = sections.map((section) => sectionRow(section, report));
  return html`<section id="coverage"><h2>Coverage</h2>
<p class="lead">What the run says about each clause. The bars count the clauses that an answer of a server can break; the
others stand in the lists alone. A clause holds where something was seen that could have broken it.</p>
<p class="legend"><span class="key pass"></span>held <span class="key fail"></span>broken <span class="key warn"></span>warned
<span class="key inconclusive"></span>could not be told <span class="key rest"></span>not looked at</p>${rows}</section>`;
}

/** The bar counts only clauses that a server can break: the others would look like gaps. */
function sectionRow(section: Section, report: Report): Markup {
  const rows = report.coverage.filter(({ clause }) => isInSection(clause, section));
  if (rows.length === 0) return html``;
  const provable = rows.filter(({ provable }) => provable);
  const { tested } = reachOf({ coverage: rows });
  const having = (...kinds: (VerdictKind | null)[]) => provable.filter(({ verdict }) => kinds.includes(verdict)).length;
  const parts = [
    ['pass', having('pass')],
    ['fail', having('fail')],
    ['warn', having('warn')],
    ['inconclusive', having('inconclusive', 'error', 'note')],
    ['rest', having(null, 'excluded')],
  ] as const;
  const label = parts.map(([kind, number]) => `${number} ${kind}`).join(', ');
  const bar = provable.length === 0 ? '' : shareBar(parts, label);
  const text = provable.length === 0 ? 'nothing to break' : `${tested} of ${provable.length}`;
  return html`<details class="section"><summary><span class="name">${section.number} ${section.title}</span>
<span class="bar">${bar}</span><span class="amount">${text}</span></summary><ul class="clauses">${rows.map(clauseRow)}</ul></details>`;
}

function clauseRow({ clause, standing, seenBy, verdict, why, checks }: ClauseCoverage): Markup {
  const state =
    verdict === null
      ? html`<span class="badge none">${seenBy === 'server' ? 'no check' : `seen by ${seenBy}`}</span>`
      : badge(verdict);
  const reason = why === null ? '' : html`<p class="quiet">${visible(why)}</p>`;
  const links = checks.map((id) => html` <a href="#check:${id}">${id}</a>`);
  return html`<li id="clause:${clause}">${state}<div><code>${clause}</code>${standing === 'stated' ? '' : html` <em>${standing}</em>`}
<p>${sentence(clauses[clause].fact)}</p>${reason}${links.length === 0 ? '' : html`<p class="quiet">${links}</p>`}</div></li>`;
}
