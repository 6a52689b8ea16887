// Shows the clock of the mock, which the page moves on by itself between two events.
import type { ClockState } from './answers.ts';
import { byId, element, fill } from './page.ts';

const tickMs = 250;
const offeredScales = ['1', '10', '60', '3600'];
let shown = { nowMs: 0, scale: 0, seenMs: 0 };

/** Remembers when it was told, so that the clock moves on between two events. */
export function showClock({ nowMs, frozen, scale }: ClockState): void {
  shown = { nowMs, scale, seenMs: performance.now() };
  byId('freeze').textContent = frozen ? 'Resume' : 'Freeze';
  byId('freeze').dataset.act = frozen ? 'resume' : 'freeze';
  byId<HTMLSelectElement>('scale').value = offeredScales.includes(String(scale)) ? String(scale) : '';
  byId('pace').textContent = frozen ? 'frozen' : scale === 1 ? 'running' : `running ${scale}×`;
  tick();
}

/** Every quarter of a second, and at once after an event. */
function tick(): void {
  if (!shown.seenMs) return;
  const now = new Date(shown.nowMs + (performance.now() - shown.seenMs) * shown.scale).toISOString();
  fill('now', `${now.slice(0, 10)} ${now.slice(11, 19)}`, element('span', { class: 'soft' }, ' UTC'));
}

setInterval(tick, tickMs);
