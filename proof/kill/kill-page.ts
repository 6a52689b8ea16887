// The kill matrix as one page that works from disk: what nobody noticed on top, then a field of dots for each section
// of the contract, then the checks by what they kill.
import { createHash } from 'node:crypto';
import { html, type Markup, sentence } from '../../conformance/reporters/html/markup.ts';
import { sections } from '../../src/contract/sections.ts';
import { script, scriptDigest } from './generated/kill-page.ts';
import { gradeOf, type Kill } from './kill.ts';
import { type Excuses, type Gate, keyOf } from './kill-gate.ts';
import type { Matrix } from './kill-matrix.ts';
import { field, mutantCard } from './kill-page-field.ts';
import { styleFor } from './kill-page-style.ts';

/** One file without links to anything: it is sent around and opened from disk. */
export function killPage(matrix: Matrix, gate: Gate, excuses: Excuses): string {
  const style = styleFor(matrix.checks.length);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy(style)}"><meta name="referrer" content="no-referrer">
<title>${gate.broken.length === 0 ? '✓' : '✕'} Kill matrix</title><style>${trusted(style)}</style></head>
<body><main>${header(matrix, gate)}${toolbar()}${topOfAll(matrix, gate, excuses)}
${parts.map((part) => field(part.title, { matrix, kills: matrix.kills.filter(({ mutant }) => part.has(mutant.breaks)) }))}
${checksTable(matrix, excuses)}${cleanServers(matrix)}
<footer>Made by <code>npm run mutants -- --html FILE</code>. To meet a mutant of the mock: <code>casa mock --mutant NAME</code>.</footer>
</main><output id="says"></output><script>${trusted(script)}</script></body></html>
`;
  return page.markup;
}

/** A field of the page, by the clauses in it. */
interface Part {
  readonly title: string;
  readonly has: (clause: string) => boolean;
}

/** The sections of the contract; the fourth, which has most, by the tables in it. */
const parts: readonly Part[] = sections.flatMap(({ number, title }): Part[] => {
  const whole = `${number} ${title}`;
  if (number !== '4') return [{ title: whole, has: (clause) => clause.startsWith(`${number}.`) }];
  const tables: readonly (readonly [string, RegExp])[] = [
    ['articles, sites, keywords', /^4\.(articles|sites|keywords)\./],
    ['connected accounts', /^4\.(connect|rules)\./],
    ['call log', /^4\.calls\./],
  ];
  const rest = (clause: string) => clause.startsWith('4.') && !tables.some(([, pattern]) => pattern.test(clause));
  const named = tables.map(([name, pattern]) => ({
    title: `${whole}: ${name}`,
    has: (id: string) => pattern.test(id),
  }));
  return [{ title: `${whole}: all of them`, has: rest }, ...named];
});

function header({ kills, checks, clean, seconds }: Matrix, { broken }: Gate): Markup {
  const of = (kind: string) => kills.filter(({ mutant }) => mutant.of === kind).length;
  const count = (grade: string) => kills.filter((kill) => gradeOf(kill) === grade).length;
  const alarms = clean.reduce((sum, run) => sum + run.alarms.length, 0);
  const isGood = broken.length === 0;
  return html`<header><p class="over">casa-kit proves itself</p><h1>Kill matrix</h1>
<p class="lead">${of('mock')} times the mock, and ${of('independent')} times a second implementation by another hand, was made
wrong in one fact. Each row is such a mutant, each column a check or a rule of the kit: a
<i class="dot right"></i> says that it failed and named the broken clause, a <i class="dot other"></i> that it failed and named another.</p>
<div class="cards">${[
    card(isGood ? 'good' : 'bad', isGood ? 'The gate is open' : 'The gate is shut', `${broken.length} in the way`),
    card('good', `${kills.length - count('survivor')} of ${kills.length}`, 'mutants killed'),
    card('good', String(count('right')), 'for the right reason'),
    card(count('other') > 0 ? 'soso' : 'good', String(count('other')), 'for another reason'),
    card(count('survivor') > 0 ? 'soso' : 'good', String(count('survivor')), 'not killed'),
    card('good', String(checks.length), 'checks and rules'),
    card(alarms > 0 ? 'bad' : 'good', String(alarms), `alarms on ${clean.length} servers without a fault`),
  ]}</div><p class="quiet">${Math.round(seconds)} s for all runs.</p></header>`;
}

function card(mood: string, figure: string, caption: string): Markup {
  return html`<div class="card ${mood}"><b>${figure}</b><span>${caption}</span></div>`;
}

function toolbar(): Markup {
  const chips = [
    ['all', 'All'],
    ['survivor', 'Not killed'],
    ['other', 'Another reason'],
    ['lone', 'Killed by one check'],
    ['warn', 'Warnings at most'],
    ['mock', 'Of the mock'],
    ['independent', 'Of the second implementation'],
  ];
  return html`<div class="bar" role="search"><input id="find" type="search" placeholder="Mutant, clause or check …" aria-label="Filter">
<div class="chips">${chips.map(
    ([id, label]) =>
      html`<button type="button" class="chip" data-kind="${id ?? ''}" aria-pressed="${String(id === 'all')}">${label ?? ''}</button>`,
  )}</div><span id="count" class="quiet"></span><button type="button" id="theme" class="chip" title="Light or dark">◐</button></div>`;
}

/**
 * The news come first: whatever shuts the gate, then the mutants that no check kills, with the reason if there is one.
 */
function topOfAll({ kills }: Matrix, { broken }: Gate, excuses: Excuses): Markup {
  const open = kills.filter((kill) => gradeOf(kill) !== 'right');
  const reasonOf = ({ mutant }: Kill) => excuses.unkillable[keyOf(mutant)] ?? excuses.otherReason[keyOf(mutant)];
  const ordered = [...open].sort((a, b) => Number(reasonOf(a) !== undefined) - Number(reasonOf(b) !== undefined));
  const lines = broken.map((line) => html`<li>${sentence(line)}</li>`);
  return html`${lines.length > 0 && html`<section class="box bad"><h2>In the way</h2><ul>${lines}</ul></section>`}
<section id="open"><h2>Not killed, or for another reason <small>${open.length}</small></h2>
${open.length === 0 && html`<p class="quiet">None.</p>`}
<ul class="open">${ordered.map((kill) => html`<li>${mutantCard(kill, reasonOf(kill) ?? null)}</li>`)}</ul></section>`;
}

/** The bars are relative to the check that kills most; "alone" counts the mutants that only this check kills. */
function checksTable({ checks, kills }: Matrix, { idleChecks }: Excuses): Markup {
  const killsOf = (id: string) => kills.filter(({ killers }) => killers.some(({ check }) => check === id));
  const most = Math.max(1, ...checks.map(({ id }) => killsOf(id).length));
  const rows = checks.map(({ id, title, level }) => {
    const own = killsOf(id);
    const alone = own.filter(({ killers }) => killers.length === 1).length;
    const width = String(Math.round((100 * own.length) / most));
    return html`<tr class="${own.length === 0 ? 'idle' : ''}"><th scope="row"><button type="button" class="to" data-check="${id}">${id}</button>
<span class="quiet">${sentence(title)}${idleChecks[id] !== undefined && html` <em>${idleChecks[id] ?? ''}</em>`}</span></th>
<td>${level}</td><td class="n">${own.length}</td><td class="n">${alone > 0 ? alone : ''}</td>
<td><svg viewBox="0 0 100 8" preserveAspectRatio="none"><rect width="${width}" height="8"/></svg></td></tr>`;
  });
  return html`<section id="checks"><h2>Checks and rules <small>${checks.length}</small></h2><div class="scroll"><table>
<thead><tr><th>Check</th><th>Level</th><th class="n">Kills</th><th class="n">Alone</th><th></th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function cleanServers({ clean }: Matrix): Markup {
  if (clean.length === 0) return html``;
  const rows = clean.map(
    ({ name, alarms }) =>
      html`<li>${alarms.length === 0 ? '✓' : '✕'} ${name}${alarms.length > 0 && html`: ${alarms.join('; ')}`}</li>`,
  );
  return html`<section id="clean"><h2>Servers without a fault <small>${clean.length}</small></h2>
<p class="quiet">Nothing may fail here. More of them, in other worlds and with other seeds, are judged by <code>silence.test.ts</code>.</p>
<ul class="columns">${rows}</ul></section>`;
}

/** Hashes of our own style and script: what a server under test puts into a report must not run. */
function policy(style: string): string {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; style-src ${hashOf(style)}; script-src '${scriptDigest}'; base-uri 'none'; form-action 'none'`;
}

/** Our own constants only. */
function trusted(text: string): Markup {
  return { markup: text };
}
