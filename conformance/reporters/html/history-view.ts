// What changed since the last run, and the two figures of the runs before: never one percentage.
import { newsOf, type RunRecord, type Trend } from '../../report/history.ts';
import { html, type Markup } from './markup.ts';

/** Nothing without --history. */
export function history(trend: Trend | undefined): Markup {
  if (trend === undefined) return html``;
  const { runs } = trend;
  return html`<section id="history"><h2>Since the last run <small>${runs.length} ${runs.length === 1 ? 'run' : 'runs'} known</small></h2>
<div class="card">${line(runs, 'broken')}${line(runs, 'proven')}<ul>${newsOf(trend).map((text) => html`<li>${text}</li>`)}</ul></div></section>`;
}

/** A column for each run; the words say what the picture shows. */
function line(runs: readonly RunRecord[], figure: 'broken' | 'proven'): Markup {
  const values = runs.map((run) => run[figure]);
  const top = Math.max(...values, 1);
  const width = 100 / values.length;
  const bars = values.map((value, index) => {
    const height = Math.max((7.5 * value) / top, 0.4);
    const [x, y] = [(index * width).toFixed(2), (8 - height).toFixed(2)];
    const look = figure === 'broken' ? 'needle' : 'range';
    return html`<rect class="${look}" x="${x}" y="${y}" width="${(width * 0.8).toFixed(2)}" height="${height.toFixed(2)}"/>`;
  });
  const label = `Clauses ${figure} in each run: ${values.join(', ')}`;
  return html`<p class="quiet">clauses ${figure}: ${values.at(-1) ?? 0}</p>
<svg class="gauge" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>`;
}
