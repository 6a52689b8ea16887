// How the deployment reads what the contract leaves open: known, mixed, or unknown with the reason.

import { readings } from '../../../src/contract/generated/readings.ts';
import { count } from '../../../src/terminal/count.ts';
import { visible } from '../../../src/terminal/visible.ts';
import type { ReadingState } from '../../observe/observe.ts';
import type { Report } from '../../report/report.ts';
import { html, type Markup } from './markup.ts';

const valueMax = 300;

export function readingsView({ readings: states }: Report): Markup {
  if (states.length === 0) return html``;
  const known = states.filter(({ state }) => state !== 'unknown').length;
  return html`<section id="readings"><h2>Readings</h2>
<p class="lead">The contract leaves room. What this deployment does with it is no finding: ${known} of ${states.length} readings
were seen. conformance calibrate writes them to a file, and casa mock --profile answers like it.</p>
<details class="section"><summary><span class="name">All readings</span><span class="bar"></span>
<span class="amount">${known} of ${states.length}</span></summary><ul class="clauses">${states.map(row)}</ul></details></section>`;
}

function row(state: ReadingState): Markup {
  const { about, ruling } = readings[state.id];
  const told = state.state === 'unknown' ? state.why : textOf(state.value);
  const seen = state.state === 'unknown' ? '' : `, seen ${count(state.seen, 'time')}`;
  const shares = state.state === 'mixed' ? html`<p class="quiet">${visible(textOf(state.shares))}</p>` : '';
  return html`<li id="reading:${state.id}"><span class="badge ${state.state === 'known' ? 'pass' : 'none'}">${state.state}</span>
<div><code>${state.id}</code> <em>${ruling}</em><p>${about}${seen}: ${visible(told)}</p>${shares}</div></li>`;
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}
