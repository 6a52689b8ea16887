// The first screen: result, requests and seconds compared with the plan, and coverage.

import { count } from '../../../src/terminal/count.ts';
import { resultKinds } from '../../judge/result.ts';
import { reachOf } from '../../report/coverage.ts';
import { newsOf, type Trend } from '../../report/history.ts';
import type { Outcome } from '../../report/outcome.ts';
import { type Recorded, type Report, titleOf } from '../../report/report.ts';
import { type Plan, type Range, rangeText, requestsInAll } from '../../scenarios/plan/plan.ts';
import { html, type Markup, resultChips, shareBar } from './markup.ts';

/** Begins with the host, which distinguishes reports. */
export function header(report: Report): Markup {
  const { host, origin, pathname } = URL.canParse(report.target)
    ? new URL(report.target)
    : { host: report.target, origin: '', pathname: '' };
  const { compared } = report;
  return html`<header class="top"><p class="over">${compared === undefined ? 'Conformance report' : 'Difference'}</p>
<h1>${compared === undefined ? host : titleOf(report)}</h1>
<p class="quiet"><code>${origin}${pathname}</code> · ${when(report.startedAt)}${report.isMockTime ? ' (mock time)' : ''}
· run <code>${report.runId}</code> ·
contract ${report.contractVersion} · ${report.tool} ${report.toolVersion}</p></header>`;
}

/** A run that verified nothing is neither good nor bad. */
export function banner(report: Report, outcome: Outcome): Markup {
  const mood = outcome.exitCode === 0 ? 'good' : outcome.exitCode === 1 ? 'bad' : 'open';
  const signs = { good: '✓', bad: '✕', open: '?' };
  const counts = resultKinds.map((kind) => [kind, report.summary[kind]] as const);
  const bar = report.checks.length === 0 ? '' : html`${shareBar(counts, 'Checks by result')}${resultChips(report)}`;
  return html`<section class="banner ${mood}"><div class="result"><span class="sign" aria-hidden="true">${signs[mood]}</span>
<div><h2>${outcome.sentence}</h2><p class="quiet">Exit code ${outcome.exitCode}.</p></div></div>${bar}</section>`;
}

export function cards(report: Report): Markup {
  const { visible, tested, verified, violated, warned, untested } = reachOf(report);
  const parts = [
    ['pass', verified],
    ['fail', violated],
    ['warn', warned],
    ['rest', untested],
  ] as const;
  const [title, ...words] = report.compared
    ? ['Clauses compared', 'the same', 'different', 'legally different']
    : ['Clauses tested', 'verified', 'violated', 'with warnings'];
  const counts = [verified, violated, warned].map((number, at) =>
    number === 0 && at === 2 ? [] : `${number} ${words[at]}`,
  );
  const text = counts.flat().join(', ');
  return html`<section class="cards">
<div class="card"><h3>${title}</h3><p class="number">${tested} <small>of ${visible}</small></p>
${visible === 0 ? '' : shareBar(parts, `${text}, ${untested} not tested`)}
<p class="quiet">${text}</p></div>
${report.recorded === null ? effort(report) : recordedCard(report.recorded)}
</section>`;
}

/** Compared with the plan. */
function effort({ plan, used, compared }: Report): Markup {
  if (compared !== undefined) {
    return html`<div class="card"><h3>Requests</h3><p class="number">${used.requests}</p><p class="quiet">to both sides</p></div>
<div class="card"><h3>Seconds</h3><p class="number">${used.seconds.toFixed(1)}</p><p class="quiet">for both sides</p></div>`;
  }
  return html`<div class="card"><h3>Requests</h3><p class="number">${used.requests}</p>${sent(plan)}</div>
<div class="card"><h3>Seconds</h3><p class="number">${used.seconds.toFixed(1)}</p>${time(plan.seconds)}</div>`;
}

/** A comparison has no plan, because it repeats requests. */
function sent(plan: Plan): Markup {
  const { requests } = plan;
  return requests.ceiling === 0 ? html`` : planned(requests, `, at most ${requestsInAll(plan)}`);
}

/** Without a pace, the plan has no seconds. */
function time(plan: Range): Markup {
  return plan.ceiling === 0 ? html`<p class="quiet">without a pace</p>` : planned(plan, ' s');
}

/** For `conformance har`, which sends nothing. */
function recordedCard({ file, judged, others }: Recorded): Markup {
  return html`<div class="card"><h3>Recorded traffic</h3><p class="number">${judged} <small>${judged === 1 ? 'exchange' : 'exchanges'}</small></p>
<p class="quiet">from <code>${file}</code>; nothing was sent${others === 0 ? '' : html`, ${count(others, 'entry', 'entries')} left out`}</p></div>`;
}

function planned(range: Range, unit: string): Markup {
  return html`<p class="quiet">planned ${rangeText(range)}${unit}</p>`;
}

function when(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

// Changes since the last run.

export function history(trend: Trend | undefined): Markup {
  if (trend === undefined) return html``;
  const news = newsOf(trend).map((text) => html`<li>${text}</li>`);
  return html`<section id="history"><h2>Since the last run <small>${count(trend.runs.length, 'run')} known</small></h2>
<ul>${news}</ul></section>`;
}
