// Each failure as a sentence, with the clause and the exchange.

import { count } from '../../../src/terminal/count.ts';
import { clip } from '../../../src/terminal/visible.ts';
import type { CheckResult } from '../../judge/result.ts';
import { claimNotes } from '../../report/claims.ts';
import { impacts } from '../../report/impact.ts';
import type { Outcome } from '../../report/outcome.ts';
import type { Report } from '../../report/report.ts';
import { checkBlocks } from '../markdown.ts';
import { checksWith, type Failure, failuresIn, inconclusiveByGroup, type Quoted, quoteFindings } from '../quoted.ts';
import { copyable, curlCharactersMax, exchangePanes } from './exchange-view.ts';
import { badge, html, type Markup, sentence } from './markup.ts';

const findingsShownMax = 8;
/** The others link to their exchanges. */
const panesShownMax = 3;
const linesMax = 40;
const textCharactersMax = 1200;

/** Returns new failures, warnings, known failures, then checks that could not be decided. */
export function findings(report: Report, outcome: Outcome): Markup {
  const failed = [...failuresIn(report, outcome), ...checksWith(report, 'error').map(alone)];
  const warned = checksWith(report, 'warn').map(alone);
  const ofFailed = report.summary.fail - outcome.claims.excused.length;
  return html`${group('failures', report.compared ? 'Differences' : 'Causes', failed, { report, ofFailed })}
${group('warnings', report.compared ? 'Legal differences' : 'Warnings', warned, { report })}
${claimsOf(outcome)}${doubts(report)}`;
}

type Entry = Pick<Failure, 'check' | 'proof' | 'repeat' | 'facts'> &
  Partial<Pick<Failure, 'number' | 'impact' | 'others'>>;

const alone = (check: CheckResult): Entry => ({ check, proof: [], repeat: [], facts: [] });

/** Nothing at all where there is nothing to show. */
function group(
  id: string,
  title: string,
  entries: readonly Entry[],
  { report, ofFailed = 0 }: { readonly report: Report; readonly ofFailed?: number },
): Markup {
  if (entries.length === 0) return html``;
  const causes = entries.filter(({ check }) => check.result.kind === 'fail').length;
  const amount =
    causes < ofFailed ? `${count(causes, 'cause')} of ${count(ofFailed, 'failed check')}` : `${entries.length}`;
  return html`<section id="${id}"><h2>${title} <small>${amount}</small></h2>${entries.map((entry) => card(entry, report))}</section>`;
}

/** Omits notes, which require no action. */
function card(entry: Entry, report: Report): Markup {
  const { check, facts, number, impact, others = [] } = entry;
  const { id, title, result } = check;
  const grave = quoteFindings(check, report).filter(({ finding }) => finding.severity !== 'note');
  const more = grave.length - findingsShownMax;
  return html`<article class="finding-card ${result.kind}" id="finding:${id}"><header>${badge(result.kind, report)}
<h3>${number !== undefined && `${number}. `}<a href="#finding:${id}">${id}</a></h3>
<p>${others.map((other) => html`<span id="finding:${other}"></span>`)}
${title}${impact !== undefined && report.compared === undefined && html` · <b>${impacts[impact][0]}</b>`}</p></header>
${result.message === undefined ? '' : html`<p class="message">${result.message}</p>`}
${grave.slice(0, findingsShownMax).map((quoted, index) => finding(quoted, { index, isOpen: entry.proof.length === 0 }))}
${more > 0 ? html`<p class="quiet">And ${count(more, 'finding')} more, in the JSON report.</p>` : ''}
${explanation(entry)}${facts.map((fact) => html`<p class="fact">${fact}</p>`)}
<details class="evidence"><summary>Copy as an issue</summary>${copyable(checkBlocks(check, report, entry).join('\n\n'))}</details></article>`;
}

/** The responses that contradict each other, and the commands where one does not repeat the failure. */
function explanation({ proof, repeat }: Entry): Markup {
  const lines = proof.map(
    ({ exchange, text: shows }) => html`<li><a href="#${exchange}">${exchange}</a> ${text(shows)}</li>`,
  );
  return html`${proof.length > 0 && html`<h4>Proof</h4><ul class="sentences">${lines}</ul>`}
${repeat.length > 0 && html`<h4>Repeat</h4>${repeat.map((command) => copyable(command))}`}`;
}

/** Returns the sentence, the clause, then the exchange, which is closed where a proof compares several. */
function finding(quoted: Quoted, { index, isOpen }: { readonly index: number; readonly isOpen: boolean }): Markup {
  const { finding, text: words, sentence: fact, at, exchange, curl } = quoted;
  const complete = exchange && html`<p class="quiet">Exchange: <a href="#${exchange.id}">${exchange.id}</a></p>`;
  const panes = html`<details class="evidence"${isOpen && html` open`}><summary>Request and response</summary>${complete}
${exchange && exchangePanes(exchange, { pointer: finding.pointer, linesMax: linesMax })}</details>`;
  return html`<div class="finding"><p class="says">${words}</p><blockquote><p>${sentence(fact)}</p>
<footer><a href="#clause:${finding.clause}"><code>${finding.clause}</code></a> ${/^\d/.test(at) ? 'section ' : ''}${at}</footer></blockquote>
${curl !== null && copyable(clip(curl, curlCharactersMax))}${exchange && (index < panesShownMax ? panes : complete)}</div>`;
}

function claimsOf({ claims }: Outcome): Markup {
  const ids = new Set(
    [...claims.excused, ...claims.expired, ...claims.stale, ...claims.missed].map(({ check }) => check),
  );
  const rows = claimNotes(claims).map(({ about, sentence }) => {
    const name = ids.has(about) ? html`<a href="#check:${about}">${about}</a>` : html`<b>${about}</b>`;
    return html`<li>${name} ${text(sentence)}</li>`;
  });
  return rows.length === 0
    ? html``
    : html`<section id="claims"><h2>Claims</h2><ul class="plain">${rows}</ul></section>`;
}

/** Grouped by reason, because one change often fixes many. */
function doubts(report: Report): Markup {
  const groups = [...inconclusiveByGroup(report)];
  if (groups.length === 0) return html``;
  return html`<section id="doubts"><h2>${report.compared ? 'Not comparable' : 'Not decided'}
<small>${report.summary.inconclusive}</small></h2>${groups.map(
    ([group, checks]) =>
      html`<div class="doubt"><h3>${badge('inconclusive', report)} ${group}</h3><ul class="plain">${checks.map(
        ({ id, result }) =>
          html`<li><a href="#check:${id}">${id}</a> <span class="quiet">${text(result.message ?? '')}</span></li>`,
      )}</ul></div>`,
  )}</section>`;
}

function text(value: string): string {
  return clip(value, textCharactersMax);
}
