// The journal: the newest requests, a filter over them, and one request in full.
import type { JournalRecord, JournalRow } from './answers.ts';
import { ask } from './control-plane.ts';
import { act, byId, element, fill } from './page.ts';

const rowsMax = 1000;
const rowsShown = 200;
let rows: readonly JournalRow[] = [];
let isDrawing = false;

/** Brings rows into the form that events have. */
export async function loadJournal(): Promise<void> {
  const { requests } = await ask<{ requests: readonly JournalRecord[] }>('GET', `/requests?limit=${rowsShown}`);
  rows = requests.map(({ request, response, ...rest }) => ({ ...request, ...rest, status: response.status }));
  drawJournal();
}

/** Adds a row; however many arrive, the page is drawn once a frame. Says whether this row asked for the drawing. */
export function addRow(row: JournalRow): boolean {
  // A second one tells of the answer that left in place of the first.
  const others = rows.some(({ id }) => id === row.id) ? rows.filter(({ id }) => id !== row.id) : rows;
  rows = [row, ...others].slice(0, rowsMax);
  if (isDrawing) return false;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    drawJournal();
  });
  return true;
}

/** At most 200 rows: a browser draws those without a stutter. */
export function drawJournal(): void {
  const wanted = byId<HTMLInputElement>('filter').value.toLowerCase();
  fill(
    'journal',
    ...rows
      .filter((row) => fits(row, wanted))
      .slice(0, rowsShown)
      .map(drawRow),
  );
}

function fits(row: JournalRow, wanted: string): boolean {
  const words = [row.method, row.path, row.query, row.status, row.operation, row.key, row.fault, row.blockedBy];
  return wanted === '' || words.join(' ').toLowerCase().includes(wanted);
}

function drawRow(row: JournalRow): HTMLElement {
  const by = row.blockedBy ? `${row.blockedBy} limiter` : row.fault ? `fault ${row.fault}` : (row.key ?? '');
  return element(
    'tr',
    { onclick: act(() => showRequest(row.id)) },
    element('td', { class: 'soft mono' }, `#${row.id}`),
    element('td', { class: 'mono' }, row.at.slice(11, 19)),
    element('td', { class: statusClass(row.status) }, String(row.status)),
    element('td', { class: 'mono' }, `${row.method} ${row.path}${row.query ? `?${row.query}` : ''}`),
    element('td', { class: 'soft' }, row.operation || 'no operation'),
    element('td', { class: 'soft' }, by),
  );
}

const statusClass = (status: number) => (status < 300 ? 'good' : status < 500 ? 'warn' : 'bad');

/** As the control plane shows it, keys redacted. */
export async function showRequest(id: number): Promise<void> {
  byId('detail').textContent = JSON.stringify(await ask('GET', `/requests/${id}`), null, 2);
  byId('detailbox').hidden = false;
  byId('detailbox').scrollIntoView({ block: 'nearest' });
}
