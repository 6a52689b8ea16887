// Every clause of the contract with the way from its sentence to what behaves, judges, breaks and tests it.
import { html, type Markup, sentence } from '../../conformance/reporters/html/markup.ts';
import { sections } from '../../src/contract/sections.ts';
import type { ClauseEvidence, MutantTrace } from './evidence.ts';
import { frame, link, type Place, tag } from './page.ts';

export function clausesPage(place: Place): string {
  const { evidence } = place;
  const parts = sections.map(({ number, title }) => {
    const own = evidence.clauses.filter(({ section }) => section === number);
    return html`<section><h2 id="section-${number}">${number} ${title} <small>${own.length}</small>
</h2>${own.map((clause) => clauseRow(clause, place))}</section>`;
  });
  const body = html`<h1>Clauses</h1><p class="lead">${evidence.clauses.length} sentences, rows and cells of the contract. Each opens to its behaviour in
the mock, the checks and rules that judge it, the mutants that break it, and the tests.</p>${parts}`;
  return frame('clauses.html', 'Clauses, with their evidence', { evidence, body });
}

/** Kinds of places in the order of the way, and what they are called. */
const kinds = [
  ['contract', 'Contract'],
  ['behaviour', 'Behaviour'],
  ['check', 'Checks'],
  ['rule', 'Rules'],
  ['mutants', 'Mutants'],
  ['test', 'Tests'],
  ['proof', 'Proofs'],
  ['choice', 'Choices'],
  ['ruling', 'Rulings'],
] as const;

function clauseRow(clause: ClauseEvidence, { source }: Place): Markup {
  const { id, fact, standing, unprovable, unbroken, mutants, traces } = clause;
  const rows = kinds.flatMap(([kind, title]) => {
    if (kind === 'mutants') return mutants.length === 0 ? [] : [chain(title, mutants.map(mutantLine))];
    const own = traces.filter((trace) => trace.kind === kind).map((trace) => link(trace, source));
    return own.length === 0 ? [] : [chain(title, own)];
  });
  const why = [unprovable, unbroken].filter((text) => text !== null);
  return html`<details class="clause" id="${id}"><summary><code>${id}</code><span>${sentence(fact)}</span>${summaryTags(clause)}</summary>
<div><p class="quiet">Standing: ${standing}.${why.map((text) => html` ${sentence(text)}`)}</p><dl class="chain">${rows}</dl></div></details>`;
}

const chain = (title: string, items: readonly Markup[]): Markup =>
  html`<dt>${title}</dt><dd><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></dd>`;

const grades = {
  right: ['good', 'noticed'],
  other: ['soso', 'noticed otherwise'],
  survivor: ['soso', 'not noticed'],
} as const;

function mutantLine({ name, of, shows, grade, excuse }: MutantTrace): Markup {
  const [mood, word] = grade === null ? (['', 'not judged'] as const) : grades[grade];
  return html`${tag(mood, word)} <code>${name}</code> of the ${of === 'mock' ? 'mock' : 'second implementation'}: ${sentence(shows)}${
    excuse !== null && html` <em>${sentence(excuse)}</em>`
  }`;
}

function summaryTags({ unprovable, judges, mutants, unbroken }: ClauseEvidence): Markup {
  if (unprovable !== null) return html`<span>${tag('', 'no answer can break it')}</span>`;
  const noticed = mutants.filter(({ grade }) => grade === 'right').length;
  const judged = mutants.filter(({ grade }) => grade !== null).length;
  const told = judged === 0 ? 'not judged' : `${noticed} of ${judged} noticed`;
  const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const broken =
    mutants.length === 0
      ? tag(unbroken === null ? 'soso' : '', 'no mutant')
      : tag(judged === 0 ? '' : noticed === judged ? 'good' : 'soso', `${many(mutants.length, 'mutant')}, ${told}`);
  return html`<span>${tag(judges.length === 0 ? 'bad' : '', many(judges.length, 'check'))} ${broken}</span>`;
}
