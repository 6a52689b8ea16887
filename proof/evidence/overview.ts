// The first page: by which criteria the proof is judged, and a part for each proof, run or not.
import { html, type Markup, sentence } from '../../conformance/reporters/html/markup.ts';
import { sections } from '../../src/contract/sections.ts';
import { criteria, criteriaHistory, criteriaVersion } from './criteria.ts';
import type { ClauseEvidence, Evidence } from './evidence.ts';
import { benchPart, mcpPart, oraclesPart, runtimesPart, testsPart } from './other-parts.ts';
import { frame, type Mood, origin, table, tag } from './page.ts';

export function overviewPage(evidence: Evidence): string {
  const body = html`<h1>Evidence</h1>
<p class="lead">What casa-kit ${evidence.version} was held against, and what came of it. The contract, version ${evidence.contractVersion}, has
${evidence.clauses.length} clauses: that is the denominator, whatever was run. What was not run is shown as not run. No figures are added up to one.</p>
${criteriaPart(evidence)}${clausesPart(evidence)}${killPart(evidence)}${silencePart(evidence)}${identifyPart(evidence)}
${oraclesPart(evidence)}${mcpPart(evidence)}${runtimesPart(evidence)}${benchPart(evidence)}${testsPart(evidence)}`;
  return frame('index.html', 'Evidence of casa-kit', { evidence, body });
}

const moods = { met: 'good', 'not met': 'bad', open: 'soso' } as const;

function criteriaPart(evidence: Evidence): Markup {
  const rows = criteria.map((criterion) => {
    const { state, detail } = criterion.judge(evidence);
    return html`<tr id="${criterion.id}"><th scope="row"><code>${criterion.id}</code></th><td>${criterion.sentence}<br><span class="quiet">${detail}</span>
</td>
<td>${tag(moods[state], state)}</td></tr>`;
  });
  const history = criteriaHistory.map(({ version, date, what }) => html`<li>Version ${version}, ${date}: ${what}</li>`);
  return html`<section id="criteria"><h2>Criteria <small>version ${criteriaVersion}</small></h2>
${table(['Criterion', 'What has to hold', 'State'], rows)}
<details><summary>Versions of the criteria</summary><div><ul>${history}</ul></div></details></section>`;
}

/** Counts of one section of the contract. */
function countsOf(clauses: readonly ClauseEvidence[], isRun: boolean): (number | string)[] {
  const provable = clauses.filter(({ unprovable }) => unprovable === null);
  return [
    clauses.length,
    provable.length,
    provable.filter(({ judges }) => judges.length > 0).length,
    provable.filter(({ mutants }) => mutants.length > 0).length,
    isRun ? provable.filter(({ mutants }) => mutants.some(({ grade }) => grade === 'right')).length : 'not run',
  ];
}

const cellsOf = (counts: readonly (number | string)[]) => counts.map((count) => html`<td class="n">${count}</td>`);

function clausesPart({ clauses, proofs }: Evidence): Markup {
  const isRun = proofs.kill !== null;
  const rows = sections.map(({ number, title }) => {
    const own = clauses.filter(({ section }) => section === number);
    return html`<tr><th scope="row"><a href="clauses.html#section-${number}">${number} ${title}</a></th>${cellsOf(countsOf(own, isRun))}</tr>`;
  });
  const header = [
    'Section',
    '#clauses',
    '#an answer could break',
    '#with a check',
    '#with a mutant',
    '#broken, and noticed',
  ];
  const foot = html`<tr><th scope="row">All</th>${cellsOf(countsOf(clauses, isRun))}</tr>`;
  return html`<section id="clauses"><h2>The contract, clause by clause <small>${clauses.length}</small></h2>
<p>Each clause leads to its behaviour in the mock, its checks, its mutants and its tests: <a href="clauses.html">all clauses</a>,
<a href="clauses.json">clauses.json</a>. To make it again: <code>npm run where -- CLAUSE</code>, <code>npm run clauses</code>.</p>
${table(header, rows, foot)}</section>`;
}

function card(mood: Mood, figure: string, caption: string): Markup {
  return html`<div class="card ${mood}"><b>${figure}</b><span>${caption}</span></div>`;
}

function killPart({ proofs: { kill }, clauses, mutants: there }: Evidence): Markup {
  const mutants = clauses.flatMap(({ mutants: own }) => own);
  const of = (grade: string | null) => mutants.filter((mutant) => mutant.grade === grade);
  const open = [...of('survivor'), ...of('other')];
  const rows = open.map(
    ({ name, of: house, grade, shows, excuse }) =>
      html`<tr><th scope="row"><code>${name}</code><br><span class="quiet">of the ${house === 'mock' ? 'mock' : 'second implementation'}</span></th>
<td>${sentence(shows)}</td>
<td>${grade === 'survivor' ? 'not noticed' : 'noticed by a finding about another clause'}:
${excuse === null ? tag('bad', 'no reason') : sentence(excuse)}</td></tr>`,
  );
  const unexcused = open.filter(({ excuse }) => excuse === null).length;
  const figures =
    kill !== null &&
    html`<div class="cards">${card('', `${mutants.length - of(null).length} of ${there}`, 'mutants judged')}
${card('good', String(of('right').length), 'noticed, by a finding about their clause')}
${card(unexcused > 0 ? 'bad' : 'good', String(unexcused), 'not so, and without a reason')}${card('', String(open.length - unexcused), 'not so, with a reason')}
${card(of(null).length > 0 ? 'soso' : '', String(of(null).length), 'not judged')}</div>
${rows.length > 0 && table(['Mutant', 'What a client sees', 'Why'], rows)}<p><a href="kill.html">The whole matrix</a>, mutants by checks.</p>`;
  return html`<section id="kill"><h2>Kill matrix <small>${there} mutants</small></h2>
<p>The mock, and a second implementation by another hand, are made wrong in one fact each. The kit has to notice, and to name the clause.</p>
${origin(kill, 'kill')}${figures}</section>`;
}

function silencePart({ proofs: { kill }, tests }: Evidence): Markup {
  const clean = (kill?.result.clean ?? []).map(({ name, alarms }) => ({
    server: name,
    from: 'npm run mutants',
    alarms: alarms.length,
  }));
  const silent = tests.flatMap((run) =>
    run.at === null ? [] : run.silent.map((each) => ({ ...each, from: `${run.command}: ${each.from}` })),
  );
  const runs = [...silent, ...clean];
  const alarms = runs.filter((run) => run.alarms > 0).length;
  const rows = runs.map(
    ({ server, from, alarms: found }) =>
      html`<tr><th scope="row">${server}</th><td><code>${from}</code></td><td class="n">${tag(found > 0 ? 'bad' : 'good', String(found))}</td></tr>`,
  );
  const told = html`<div class="cards">${card('', String(runs.length), 'runs on servers without a fault')}
${card(alarms > 0 ? 'bad' : 'good', String(alarms), 'of them with an alarm')}</div>
<details><summary>Which servers</summary><div>${table(['Server', 'From', '#alarms'], rows)}</div></details>`;
  return html`<section id="silence"><h2>False alarms</h2>
<p>Every legal variant of the second implementation, the mock in its worlds, with drawn readings and with chosen ones: the kit has to keep silent.</p>
<p class="quiet">Made by <code>npm run test:deep</code>, <code>npm test</code> and <code>npm run mutants</code>.
Feed: <a href="silence.json">silence.json</a></p>
${runs.length === 0 ? html`<p class="box"><b>Not run.</b></p>` : told}</section>`;
}

function identifyPart({ proofs: { identify } }: Evidence): Markup {
  const values = identify?.result.values ?? [];
  const count = (verdict: string) => values.filter((row) => row.verdict === verdict).length;
  const odd = (identify?.result.variants ?? []).filter(
    ({ differs, alarms }) => differs.length + alarms.length > 0,
  ).length;
  return html`<section id="identify"><h2>Identifiability matrix</h2>
<p>Each value of each reading is played on the mock and learnt again from outside. Each variant of the second implementation gets a twin, which nothing
that is known of both may tell from it.</p>${origin(identify, 'identify')}
${
  identify !== null &&
  html`<div class="cards">${card('', String(values.length), 'values of readings')}${card('good', String(count('identified')), 'learnt again')}
${card(count('missed') > 0 ? 'bad' : 'good', String(count('missed')), 'missed')}${card('', String(count('not told')), 'cannot be told, with a reason')}
${card(odd > 0 ? 'bad' : 'good', `${odd} of ${identify.result.variants.length}`, 'twins that differ or raise an alarm')}</div>
<p><a href="identify.html">The whole matrix</a>, readings by values.</p>`
}</section>`;
}
