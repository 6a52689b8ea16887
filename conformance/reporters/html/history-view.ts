// What changed since the last run, and the two figures of the runs before: never one percentage.
import { count } from '../../../src/terminal/count.ts';
import { figureOf, newsOf, type RunRecord, type Trend } from '../../report/history.ts';
import { html, type Markup } from './markup.ts';

type Figure = 'broken' | 'proven';

/** Nothing without --history. */
export function history(trend: Trend | undefined): Markup {
  if (trend === undefined) return html``;
  const { runs } = trend;
  const news = newsOf(trend).map((text) => html`<li>${text}</li>`);
  return html`<section id="history"><h2>Since the last run <small>${count(runs.length, 'run')} known</small></h2>
<ul>${news}</ul><div class="cards">${card(trend, 'broken')}${card(trend, 'proven')}</div>${runs.length > 1 && table(runs)}</section>`;
}

/** So many places for bars at least, so that two runs are not two walls. */
const PLACES_MIN = 12;
const HIGH = 30;

/** The figure of this run beside the one before, and a bar for each run; the words say what the picture shows. */
function card({ runs, current, previous }: Trend, figure: Figure): Markup {
  const values = runs.map((run) => run[figure]);
  const top = Math.max(...values, 1);
  const bars = runs.map((run, index) => {
    // What was seen and is nothing has a bar as well.
    const height = Math.max((HIGH * run[figure]) / top, 0.8);
    const look = `${figure}${run.aborted ? ' part' : ''}`;
    return html`<rect class="${look}" x="${index * 10 + 1}" y="${(HIGH - height).toFixed(2)}" width="8" height="${height.toFixed(2)}">
<title>${momentOf(run)}: ${run[figure]}${run.aborted ? ', ended early' : ''}</title></rect>`;
  });
  const before = previous === null ? 'the first run' : `${previous[figure]} in the run before`;
  const label = `Clauses ${figure} in each run: ${values.join(', ')}`;
  const width = Math.max(runs.length, PLACES_MIN) * 10;
  return html`<div class="card"><h3>Clauses ${figure}</h3><p class="number">${figureOf(current, figure) || '–'} <small>${before}</small></p>
<svg class="runs" viewBox="0 0 ${width} ${HIGH}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg></div>`;
}

/** The newest run comes first. */
function table(runs: readonly RunRecord[]): Markup {
  const rows = runs.toReversed().map(
    (
      run,
    ) => html`<tr><td>${momentOf(run)}</td><td class="n">${figureOf(run, 'broken')}</td><td class="n">${figureOf(run, 'proven')}</td>
<td class="n">${run.visible}</td>
<td class="n">${run.exitCode}</td><td>${run.aborted ? 'ended early' : ''}</td></tr>`,
  );
  return html`<details class="card"><summary>All runs that are known</summary><div class="scroll" tabindex="0"><table>
<thead><tr><th>Run</th><th class="n">Broken</th><th class="n">Proven</th><th class="n">Of</th><th class="n">Exit code</th><th></th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}

const momentOf = ({ at }: RunRecord) => `${at.slice(0, 16).replace('T', ' ')} UTC`;
