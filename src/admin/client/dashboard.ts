// The dashboard in the browser: loads every section, follows the events of the mock, and wires the controls.
// `npm run generate` bundles this folder into ../generated/dashboard-script.ts.
import type { Change, ClockState, JournalRow } from './answers.ts';
import { showClock } from './clock.ts';
import { ask, followEvents, rememberToken } from './control-plane.ts';
import { addRow, drawJournal, loadJournal } from './journal.ts';
import { act, byId, showNotice } from './page.ts';
import { loadFaults, loadHealth, loadLimits, loadOrganizations, loadVerdicts } from './sections.ts';

const retryMs = 2000;

/** Each section asks for itself, all at once. */
const loadAll = () =>
  Promise.all([loadHealth(), loadOrganizations(), loadLimits(), loadFaults(), loadVerdicts(), loadJournal()]);

const reload: Readonly<Record<Change, () => Promise<void>>> = {
  faults: loadFaults,
  limits: loadLimits,
  organizations: loadOrganizations,
  calls: async () => {},
};

/** A struck fault counts down, so an exchange with one loads the faults again, once for each drawing. */
function hear(name: string, data: unknown): void {
  if (name === 'clock') showClock(data as ClockState);
  else if (name === 'verdict') act(loadVerdicts)();
  else if (name === 'change') act(reload[(data as { what: Change }).what])();
  else if (name === 'reset') act(loadAll)();
  else if (name === 'exchange' && addRow(data as JournalRow) && (data as JournalRow).fault) act(loadFaults)();
}

/** Ends when the mock does, and starts over two seconds later. */
async function listen(): Promise<void> {
  const dot = byId('dot').classList;
  try {
    await followEvents(() => dot.add('on'), hear);
  } catch {
    // A mock that is gone is asked again below.
  }
  dot.remove('on');
  setTimeout(start, retryMs);
}

/** The page is opened before the mock as often as after it. */
async function start(): Promise<void> {
  try {
    await loadAll();
  } catch {
    // Behind a token the form of the page starts again, not the timer.
    if (!byId('login').hidden) return;
    byId('dot').classList.remove('on');
    setTimeout(start, retryMs);
    return;
  }
  listen();
}

const onClick = (id: string, work: () => unknown) => byId(id).addEventListener('click', act(work));

for (const button of document.querySelectorAll<HTMLElement>('[data-advance]'))
  button.addEventListener(
    'click',
    act(() => ask('POST', '/clock/advance', { duration: button.dataset.advance })),
  );
onClick('freeze', () => ask('POST', `/clock/${byId('freeze').dataset.act}`));
byId('scale').addEventListener(
  'change',
  act(() => ask('POST', '/clock/scale', { scale: Number(byId<HTMLSelectElement>('scale').value) })),
);
onClick('enforce', () => ask('PUT', '/limits', { enforced: byId('enforce').dataset.to === 'true' }));
onClick('ring', async () => {
  const { call } = await ask<{ call: { id: string } }>('POST', '/calls', { durationS: 60 });
  showNotice(`It rings: ${call.id}. Advance the clock by 6 minutes to see it in the call log.`);
});
onClick('fresh', async () => showNotice(`Key ${(await ask<{ key: string }>('POST', '/organizations', {})).key}`));
onClick('reset', async () => {
  if (confirm('Back to the start: world, faults, limits, journal?')) await ask('POST', '/reset');
});
onClick('clear', async () => {
  await ask('DELETE', '/requests');
  await loadJournal();
});
onClick('pardon', async () => {
  await ask('DELETE', '/verdicts');
  await loadVerdicts();
});
byId('filter').addEventListener('input', drawJournal);
byId('closedetail').addEventListener('click', () => {
  byId('detailbox').hidden = true;
});
byId('faultform').addEventListener('submit', act(addFault));
byId('loginform').addEventListener(
  'submit',
  act(async () => {
    rememberToken(byId<HTMLInputElement>('token').value);
    byId('login').hidden = true;
    await start();
  }),
);
start();

/** Empty fields of the form are left out, since the control plane takes them for values. */
async function addFault(): Promise<void> {
  const form = byId<HTMLFormElement>('faultform');
  const { operation, accountId, error, network, ...numbers } = Object.fromEntries(
    [...new FormData(form)].filter(([, value]) => value !== ''),
  );
  await ask('POST', '/faults', {
    match: { ...(operation ? { operation } : {}), ...(accountId ? { accountId } : {}) },
    ...(error ? { error } : {}),
    ...(network ? { network } : {}),
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
  });
  form.reset();
}
