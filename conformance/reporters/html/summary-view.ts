// The first screen: result, requests and seconds compared with the plan, and coverage.

import { count } from '../../../src/terminal/count.ts';
import { resultKinds } from '../../judge/result.ts';
import { type Plan, type PlanLine, type Range, rangeText, requestsInAll } from '../../plan/plan.ts';
import { reachOf } from '../../report/coverage.ts';
import { figureOf, newsOf, type RunRecord, type Trend } from '../../report/history.ts';
import type { Outcome } from '../../report/outcome.ts';
import { type Recorded, type Report, titleOf } from '../../report/report.ts';
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
</section>${planTable(report)}`;
}

/** Compared with the plan. */
function effort({ plan, used, compared }: Report): Markup {
  if (compared !== undefined) {
    return html`<div class="card"><h3>Requests</h3><p class="number">${used.requests}</p><p class="quiet">to both sides</p></div>
<div class="card"><h3>Seconds</h3><p class="number">${used.seconds.toFixed(1)}</p><p class="quiet">for both sides</p></div>`;
  }
  return html`<div class="card"><h3>Requests</h3><p class="number">${used.requests}</p>${sent(plan, used.requests)}</div>
<div class="card"><h3>Seconds</h3><p class="number">${used.seconds.toFixed(1)}</p>${time(plan.seconds, used.seconds)}</div>`;
}

/** A comparison has no plan, because it repeats requests. */
function sent(plan: Plan, used: number): Markup {
  const { requests } = plan;
  if (requests.ceiling === 0) return html``;
  return html`${gauge(used, requests, '')}${planned(requests, `, at most ${requestsInAll(plan)}`)}`;
}

/** Without a pace, the plan has no seconds. */
function time(plan: Range, used: number): Markup {
  return plan.ceiling === 0
    ? html`<p class="quiet">without a pace</p>`
    : html`${gauge(used, plan, ' s')}${planned(plan, ' s')}`;
}

/** For `conformance har`, which sends nothing. */
function recordedCard({ file, judged, others }: Recorded): Markup {
  return html`<div class="card"><h3>Recorded traffic</h3><p class="number">${judged} <small>${judged === 1 ? 'exchange' : 'exchanges'}</small></p>
<p class="quiet">from <code>${file}</code>; nothing was sent${others === 0 ? '' : html`, ${count(others, 'entry', 'entries')} left out`}</p></div>`;
}

function planned(range: Range, unit: string): Markup {
  return html`<p class="quiet">planned ${rangeText(range)}${unit}</p>`;
}

/** A track with the planned range, and a needle at the used value. */
function gauge(used: number, { floor, ceiling }: Range, unit: string): Markup {
  const end = Math.max(ceiling, used, 1) * 1.02;
  const at = (value: number) => ((100 * value) / end).toFixed(2);
  const label = `${Number(used.toFixed(1))}${unit} used, ${floor} to ${ceiling}${unit} planned`;
  return html`<svg class="gauge" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}">
<rect class="track" x="0" y="2" width="100" height="4"/>
<rect class="range" x="${at(floor)}" y="2" width="${at(Math.max(ceiling - floor, end / 200))}" height="4"/>
<rect class="needle" x="${at(used)}" y="0" width="0.9" height="8"/></svg>`;
}

/** Only runs with further options have several lines. */
function planTable({ plan }: Report): Markup {
  if (plan.lines.length < 2) return html``;
  return html`<details class="card"><summary>The plan, line by line</summary><div class="scroll"><table>
<thead><tr><th scope="col">part</th><th scope="col">checks</th><th scope="col">requests</th><th scope="col">seconds</th><th scope="col">writes</th></tr></thead>
<tbody>${plan.lines.map(planRow)}</tbody></table></div></details>`;
}

function planRow({ name, checks, requests, seconds, writes }: PlanLine): Markup {
  return html`<tr><th scope="row">${name}</th><td>${checks}</td><td>${rangeText(requests)}</td>
<td>${rangeText(seconds)}</td><td>${writes === 0 ? '–' : `at most ${writes}`}</td></tr>`;
}

function when(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

// Changes since the last run.

type Figure = 'violated' | 'verified';

export function history(trend: Trend | undefined): Markup {
  if (trend === undefined) return html``;
  const { runs } = trend;
  const news = newsOf(trend).map((text) => html`<li>${text}</li>`);
  return html`<section id="history"><h2>Since the last run <small>${count(runs.length, 'run')} known</small></h2>
<ul>${news}</ul><div class="cards">${card(trend, 'violated')}${card(trend, 'verified')}</div>${runs.length > 1 && table(runs)}</section>`;
}

/** Keeps the bars narrow if there are few runs. */
const placesMin = 12;
const high = 30;

/** The number of this run and of the previous one, and a bar for each run. */
function card({ runs, current, previous }: Trend, figure: Figure): Markup {
  const values = runs.map((run) => run[figure]);
  const top = Math.max(...values, 1);
  const bars = runs.map((run, index) => {
    // Zero has a visible bar.
    const height = Math.max((high * run[figure]) / top, 0.8);
    const look = `${figure}${run.aborted ? ' part' : ''}`;
    return html`<rect class="${look}" x="${index * 10 + 1}" y="${(high - height).toFixed(2)}" width="8" height="${height.toFixed(2)}">
<title>${momentOf(run)}: ${run[figure]}${run.aborted ? ', ended early' : ''}</title></rect>`;
  });
  const before = previous === null ? 'the first run' : `${previous[figure]} in the run before`;
  const label = `Clauses ${figure} in each run: ${values.join(', ')}`;
  const width = Math.max(runs.length, placesMin) * 10;
  return html`<div class="card"><h3>Clauses ${figure}</h3><p class="number">${figureOf(current, figure) || '–'} <small>${before}</small></p>
<svg class="runs" viewBox="0 0 ${width} ${high}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg></div>`;
}

function table(runs: readonly RunRecord[]): Markup {
  const rows = runs.toReversed().map(
    (
      run,
    ) => html`<tr><td>${momentOf(run)}</td><td class="n">${figureOf(run, 'violated')}</td><td class="n">${figureOf(run, 'verified')}</td>
<td class="n">${run.visible}</td>
<td class="n">${run.exitCode}</td><td>${run.aborted ? 'ended early' : ''}</td></tr>`,
  );
  return html`<details class="card"><summary>All runs</summary><div class="scroll" tabindex="0"><table>
<thead><tr><th>Run</th><th class="n">Violated</th><th class="n">Verified</th><th class="n">Of</th><th class="n">Exit code</th><th></th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}

const momentOf = ({ at }: RunRecord) => `${at.slice(0, 16).replace('T', ' ')} UTC`;
