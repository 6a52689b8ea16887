// The first page: subject, result, impact, gaps and next steps. At the end of the report: the method.
import { count } from '../../../src/terminal/count.ts';
import { newsOf, type Trend } from '../../report/history.ts';
import { impacts } from '../../report/impact.ts';
import { type Report, titleOf } from '../../report/report.ts';
import { countsIn, resultWords } from '../quoted.ts';
import { type Fact, type Summary, signs } from '../summary.ts';
import { html, type Markup, preformatted, resultChips, shareBar } from './markup.ts';

/** Begins with the host, which distinguishes reports. */
export function header(report: Report, { subject }: Summary): Markup {
  const { compared, target } = report;
  const host = URL.canParse(target) ? new URL(target).host : target;
  return html`<header class="top"><p class="over">${compared === undefined ? 'Conformance report' : 'Difference'}</p>
<h1>${compared === undefined ? host : titleOf(report)}</h1>${factList(subject)}</header>`;
}

/** The share that was tested is next to the sign, because a sign without it promises too much. */
export function banner(report: Report, { mood, verdict, share }: Summary): Markup {
  const kinds = countsIn(report);
  const words = kinds.map(([kind]) => html`<dt>${resultWords[kind][0]}</dt><dd>${resultWords[kind][1]}</dd>`);
  const explained = report.compared === undefined && html`<dl class="words">${words}</dl>`;
  const bar = kinds.length > 0 && html`${shareBar(kinds, 'Checks by result')}${resultChips(report)}${explained}`;
  return html`<section class="banner ${mood}"><div class="result"><span class="sign" aria-hidden="true">${signs[mood]}</span>
<div><h2>${verdict}</h2><p>${share}</p></div></div>${bar}</section>`;
}

/** Each part in a few lines: all of them fit on the first page of a printed report. */
export function overview({ impacts: felt, areas, next }: Summary): Markup {
  const causes = felt.map(({ impact, causes: own }) => {
    const links = own.map(({ number, check }) => html`<a href="#finding:${check.id}">${number}</a> `);
    return html`<dt>${impacts[impact][0]}</dt><dd>${impacts[impact][1]} <span class="quiet">Cause ${links}</span></dd>`;
  });
  const gaps = areas.map(
    ({ name, question, how, checks }) =>
      html`<dt>${name}</dt><dd>${question}. <span class="quiet">To test it: ${how}${checks > 0 && ` (${count(checks, 'check')})`}.</span></dd>`,
  );
  const steps = next.map((step) => html`<li>${step}</li>`);
  return html`${part('impact', 'Impact on users of the API', causes)}${part('gaps', 'Not tested', gaps)}
${steps.length > 0 && html`<section id="next"><h2>Next steps</h2><ol>${steps}</ol></section>`}`;
}

function part(id: string, title: string, rows: readonly Markup[]): Markup | false {
  return rows.length > 0 && html`<section id="${id}"><h2>${title}</h2><dl class="facts">${rows}</dl></section>`;
}

/** Lines of a note stay lines. */
function factList(facts: readonly Fact[]): Markup {
  return html`<dl class="facts">${facts.map(({ name, text }) => html`<dt>${name}</dt><dd>${preformatted(text)}</dd>`)}</dl>`;
}

export function method({ method: facts }: Summary): Markup {
  if (facts.length === 0) return html``;
  return html`<section id="method"><h2>Method and limits</h2>${factList(facts)}</section>`;
}

// Changes since the last run.

export function history(trend: Trend | undefined): Markup {
  if (trend === undefined) return html``;
  const news = newsOf(trend).map((text) => html`<li>${text}</li>`);
  return html`<section id="history"><h2>Since the last run <small>${count(trend.runs.length, 'run')} known</small></h2>
<ul>${news}</ul></section>`;
}
