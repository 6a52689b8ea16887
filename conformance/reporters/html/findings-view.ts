// Each failure as a sentence, with the clause and the exchange.

import { count } from '../../../src/terminal/count.ts';
import { clip } from '../../../src/terminal/visible.ts';
import type { CheckResult } from '../../judge/result.ts';
import { claimNotes } from '../../report/claims.ts';
import type { Outcome } from '../../report/outcome.ts';
import type { Report } from '../../report/report.ts';
import { checkMarkdown } from '../markdown.ts';
import {
  checksWith,
  type Failure,
  failuresIn,
  inconclusiveByGroup,
  type Quoted,
  quoteFindings,
  skippedByNeed,
} from '../quoted.ts';
import { copyable, curlCharactersMax, exchangePanes } from './exchange-view.ts';
import { badge, html, type Markup, sentence } from './markup.ts';

const findingsShownMax = 8;
/** The others link to their exchanges. */
const panesShownMax = 3;
const linesMax = 40;
const textCharactersMax = 1200;

/** Returns new failures, warnings, known failures, then inconclusive and skipped checks. */
export function findings(report: Report, outcome: Outcome): Markup {
  const excuses = new Map(outcome.claims.excused.map(({ check, reason }) => [check, reason]));
  const known = checksWith(report, 'fail').filter(({ id }) => excuses.has(id));
  const failed = [...failuresIn(report, outcome), ...checksWith(report, 'error').map(alone)];
  const warned = checksWith(report, 'warn').map(alone);
  const ofFailed = report.summary.fail - known.length;
  return html`${group('failures', report.compared ? 'Differences' : 'Failures', failed, { report, ofFailed })}
${group('warnings', report.compared ? 'Legal differences' : 'Warnings', warned, { report })}
${known.length === 0 ? '' : knownFailures(known, excuses)}${claimsOf(outcome)}${doubts(report)}${skipped(report)}`;
}

type Entry = Omit<Failure, 'others'>;

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
  const { check, facts } = entry;
  const { id, title, result } = check;
  const grave = quoteFindings(check, report).filter(({ finding }) => finding.severity !== 'note');
  const more = grave.length - findingsShownMax;
  return html`<article class="finding-card ${result.kind}" id="finding:${id}"><header>${badge(result.kind, report)}
<h3><a href="#finding:${id}">${id}</a></h3><p>${title}</p></header>
${result.message === undefined ? '' : html`<p class="message">${result.message}</p>`}
${grave.slice(0, findingsShownMax).map((quoted, index) => finding(quoted, { index, isOpen: entry.proof.length === 0 }))}
${more > 0 ? html`<p class="quiet">And ${count(more, 'finding')} more, in the JSON report.</p>` : ''}
${explanation(entry)}${facts.map((fact) => html`<p class="fact">${fact}</p>`)}
<details class="evidence"><summary>Copy as an issue</summary>${copyable(checkMarkdown(check, report, entry))}</details></article>`;
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

function knownFailures(known: readonly CheckResult[], excuses: ReadonlyMap<string, string>): Markup {
  const rows = known.map(({ id }) => html`<li><a href="#check:${id}">${id}</a> ${text(excuses.get(id) ?? '')}</li>`);
  return html`<section id="known"><h2>Known failures <small>${known.length}</small></h2><ul class="plain">${rows}</ul></section>`;
}

function claimsOf({ claims: { excused: _, ...others } }: Outcome): Markup {
  const rows = claimNotes({ ...others, excused: [] }).map(
    ({ about, sentence }) => html`<li><b>${about}</b> ${text(sentence)}</li>`,
  );
  return rows.length === 0
    ? html``
    : html`<section id="claims"><h2>Claims</h2><ul class="plain">${rows}</ul></section>`;
}

/** Grouped by reason, because one change often fixes many. */
function doubts(report: Report): Markup {
  const groups = [...inconclusiveByGroup(report)];
  if (groups.length === 0) return html``;
  return html`<section id="doubts"><h2>${report.compared ? 'Not comparable' : 'Inconclusive'}
<small>${report.summary.inconclusive}</small></h2>${groups.map(
    ([group, checks]) =>
      html`<div class="doubt"><h3>${badge('inconclusive', report)} ${group}</h3><ul class="plain">${checks.map(
        ({ id, result }) =>
          html`<li><a href="#check:${id}">${id}</a> <span class="quiet">${text(result.message ?? '')}</span></li>`,
      )}</ul></div>`,
  )}</section>`;
}

/** Grouped by the options that run them. */
function skipped(report: Report): Markup {
  const groups = skippedByNeed(report);
  if (groups.length === 0) return html``;
  return html`<section id="skipped"><h2>Skipped <small>${report.summary.skipped}, by option or reason</small></h2><div class="doubt">
<ul class="plain">${groups.map(
    ({
      need,
      checks,
    }) => html`<li><details><summary>${text(need)} <span class="quiet">${count(checks.length, 'check')}</span></summary>
<p>${checks.map(({ id }) => html`<a href="#check:${id}">${id}</a> `)}</p></details></li>`,
  )}</ul></div></section>`;
}

function text(value: string): string {
  return clip(value, textCharactersMax);
}
