// The identifiability matrix: a row for each reading, its values, and the twins.
import { html, type Markup } from '../../conformance/reporters/html/markup.ts';
import { type ReadingId, readings } from '../../src/contract/generated/readings.ts';
import type { Share } from '../identify/identify.ts';
import type { Evidence } from './evidence.ts';
import { frame, origin, table, tag } from './page.ts';

const valueMax = 60;
const moods = { identified: 'good', missed: 'bad', 'not told': '' } as const;

export function identifyPage(evidence: Evidence): string {
  const { identify } = evidence.proofs;
  const body = html`<h1>Identifiability matrix</h1><p class="lead">What each reading of the contract looks like from outside: a value that was played
is learnt again, or there is a reason why it cannot be told.</p>${origin(identify, 'identify')}
<h2>Readings <small>${Object.keys(readings).length}</small></h2>${table(['Reading', 'Values', 'Why not'], readingRows(evidence))}
${identify !== null && html`<h2>Twins <small>${identify.result.variants.length}</small></h2>${twins(identify.result.variants)}`}`;
  return frame('identify.html', 'Identifiability matrix', { evidence, body });
}

/** A reading of which nothing was played is shown as not run. */
function readingRows({ proofs: { identify } }: Evidence): Markup[] {
  return (Object.keys(readings) as ReadingId[]).map((id) => {
    const own = (identify?.result.values ?? []).filter((row) => row.id === id);
    const values = own.map(({ value, verdict }) => tag(moods[verdict], shorten(value)));
    const why = [...new Set(own.filter(({ verdict }) => verdict !== 'identified').map(({ why: reason }) => reason))];
    return html`<tr><th scope="row" class="wide"><code>${id}</code><br><span class="quiet">${readings[id].about}</span></th>
<td>${own.length === 0 ? tag('soso', identify?.isWhole ? 'not played' : 'not run') : html`<div class="values">${values}</div>`}</td>
<td class="quiet wide">${why.join('; ')}</td></tr>`;
  });
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}

function twins(variants: NonNullable<Evidence['proofs']['identify']>['result']['variants']): Markup {
  const rows = variants.map(
    ({ variant, before, after, requests, requestsAgain, differs, notLearnt, alarms }) =>
      html`<tr><th scope="row"><code>${variant}</code></th>${share(before.readings)}${share(after.readings)}${share(before.clauses)}${share(after.clauses)}
<td class="n">${tag(differs.length > 0 ? 'bad' : 'good', String(differs.length))}</td>
<td class="n">${tag(alarms.length > 0 ? 'bad' : 'good', String(alarms.length))}</td>
<td class="n">${requests + requestsAgain}</td><td class="quiet">${[...differs, ...alarms, ...notLearnt].join('; ')}</td></tr>`,
  );
  const shares = ['#readings the same, before', '#with its profile', '#clauses the same, before', '#with its profile'];
  const header = ['Variant', ...shares, '#differences', '#alarms', '#requests', ''];
  return table(header, rows);
}

const share = ({ compared, same }: Share): Markup => html`<td class="n">${same} of ${compared}</td>`;
