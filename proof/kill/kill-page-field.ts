// One field of the kill matrix: mutants of a part of the contract downwards, the checks that killed any of them across.

import { html, type Markup, sentence } from '../../conformance/reporters/html/markup.ts';
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { gradeOf, type Kill, type Killer } from './kill.ts';
import type { Matrix } from './kill-matrix.ts';

const clauseIds = Object.keys(clauses) as ClauseId[];

/** Only checks that killed something in this field get a column, or the page would be as wide as the kit. */
export function field(title: string, { matrix, kills }: { matrix: Matrix; kills: readonly Kill[] }): Markup {
  if (kills.length === 0) return html``;
  const active = new Set(kills.flatMap(({ killers }) => killers.map(({ check }) => check)));
  const columns = matrix.checks.map(({ id }) => id).filter((id) => active.has(id));
  const broken = clauseIds.filter((id) => kills.some(({ mutant }) => mutant.breaks === id));
  return html`<section class="field"><h2>${title} <small>${kills.length} mutants, ${columns.length} checks</small></h2>
<div class="scroll"><div class="sheet n${columns.length}"><div class="head"><span></span><div class="cells">${columns.map(
    (id, index) =>
      html`<button type="button" class="to c${index + 1}" data-check="${id}" title="Only what ${id} kills"><span>${id}</span></button>`,
  )}</div></div>${broken.map((id) => clauseBlock(id, kills, columns))}</div></div></section>`;
}

function clauseBlock(id: ClauseId, kills: readonly Kill[], columns: readonly string[]): Markup {
  const own = kills.filter(({ mutant }) => mutant.breaks === id);
  return html`<div class="clause"><p><code>${id}</code> ${sentence(clauses[id].fact)}</p>${own.map((kill) => row(kill, columns))}</div>`;
}

function row(kill: Kill, columns: readonly string[]): Markup {
  const { mutant, killers } = kill;
  const grade = gradeOf(kill);
  const kinds = [grade, mutant.of, mutant.verdict, killers.length === 1 ? 'lone' : ''].join(' ');
  const text = [mutant.name, mutant.breaks, mutant.shows, ...killers.map(({ check }) => check)].join(' ').toLowerCase();
  return html`<details class="row ${grade}" data-kinds="${kinds}" data-text="${text}"><summary><span class="name">${mutant.name}${mark(mutant)}</span>
<span class="cells">${killers.map((killer) => dot(killer, columns))}</span></summary>${body(kill)}</details>`;
}

function mark({ of, verdict }: Kill['mutant']): Markup {
  const second = html`<small title="of the second implementation">2nd</small>`;
  const warned = html`<small title="no more than a warning is due">warn</small>`;
  return html`${of === 'independent' && second}${verdict === 'warn' && warned}`;
}

/** Columns are classes: the page's policy allows no style attribute. */
function dot({ check, isRight, clauses: named }: Killer, columns: readonly string[]): Markup {
  const column = columns.indexOf(check) + 1;
  return html`<i class="dot ${isRight ? 'right' : 'other'} c${column}" data-says="${check}: ${named.join(', ')}"></i>`;
}

function body({ mutant, killers, abort, errors }: Kill): Markup {
  const lines = killers.map(
    ({ check, clauses: named, isRight }) =>
      html`<li><i class="dot ${isRight ? 'right' : 'other'}"></i> <b>${check}</b> ${named.join(', ')}</li>`,
  );
  return html`<div class="body"><p>${sentence(mutant.shows)}</p><ul>${lines}</ul>${[
    ...errors,
    ...(abort === null ? [] : [abort]),
  ].map(
    (line) => html`<p class="quiet">${line}</p>`,
  )}${mutant.of === 'mock' && html`<p class="quiet"><code>casa mock --mutant ${mutant.name}</code></p>`}</div>`;
}

/** A mutant by itself, for the list on top. */
export function mutantCard(kill: Kill, reason: string | null): Markup {
  const { mutant, killers } = kill;
  const isClause = Object.hasOwn(clauses, mutant.breaks);
  const fact = isClause ? clauses[mutant.breaks as ClauseId].fact : '';
  return html`<div class="card ${reason === null ? 'bad' : 'soso'}"><h3>${mutant.name}${mark(mutant)}</h3>
<p>${sentence(mutant.shows)}</p><p class="quiet"><code>${mutant.breaks}</code> ${sentence(fact)}</p>
${killers.length > 0 && html`<p class="quiet">Killed by ${killers.map(({ check, clauses: named }) => `${check} (${named.join(', ')})`).join('; ')}.</p>`}
<p>${reason === null ? html`<b>No reason is given.</b>` : sentence(reason)}</p></div>`;
}
