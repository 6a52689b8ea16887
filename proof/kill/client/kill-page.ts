// The script of the kill matrix: filters, keeps the filter in the address, tells what is under the pointer.
// `npm run generate` bundles this file into ../generated/kill-page.ts.
const byId = (id: string) => document.getElementById(id) as HTMLElement;
const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const find = byId('find') as HTMLInputElement;
const rows = all('.row');
const clauses = all('.clause');
const fields = all('.field');
const chips = all('.chip[data-kind]');
const tops = all('.box.bad, #open');
let kind = 'all';

function show(): void {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const { kinds = '', text = '' } = row.dataset;
    const fits = (kind === 'all' || kinds.split(' ').includes(kind)) && words.every((word) => text.includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const box of [...clauses, ...fields]) box.hidden = !box.querySelector('.row:not([hidden])');
  for (const top of tops) top.hidden = find.value !== '' || kind !== 'all';
  for (const chip of chips) chip.setAttribute('aria-pressed', String(chip.dataset.kind === kind));
  byId('count').textContent = shown === rows.length ? `${rows.length} mutants` : `${shown} of ${rows.length}`;
  writeAddress();
}

function writeAddress(): void {
  const state = new URLSearchParams();
  if (find.value) state.set('find', find.value);
  if (kind !== 'all') state.set('kind', kind);
  history.replaceState(null, '', state.size ? `#${state}` : location.pathname + location.search);
}

function readAddress(): void {
  const state = new URLSearchParams(location.hash.slice(1));
  find.value = state.get('find') ?? '';
  kind = state.get('kind') ?? 'all';
  show();
}

function showCheck(button: HTMLElement): void {
  const { check = '' } = button.dataset;
  find.value = find.value === check ? '' : check;
  kind = 'all';
  show();
  const place = button.closest('.field') ?? fields.find((field) => !field.hidden);
  place?.scrollIntoView({ block: 'start' });
}

let lit: Element | null | undefined = null;
function tellUnderPointer({ target }: PointerEvent): void {
  const dot = target instanceof Element ? target.closest<HTMLElement>('.dot[data-says]') : null;
  lit?.classList.remove('lit');
  lit = null;
  const mutant = dot?.closest('.row')?.querySelector('.name')?.firstChild?.textContent;
  byId('says').textContent = dot ? `${mutant} × ${dot.dataset.says}` : '';
  if (!dot) return;
  const column = [...dot.classList].find((name) => /^c\d+$/.test(name));
  lit = dot.closest('.field')?.querySelector(`.head .${column}`);
  lit?.classList.add('lit');
}

function onKey(event: KeyboardEvent): void {
  if (event.key === '/' && document.activeElement !== find) {
    event.preventDefault();
    find.focus();
  }
  if (event.key !== 'Escape') return;
  find.value = '';
  kind = 'all';
  show();
}

function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = isDark ? 'light' : 'dark';
}

find.addEventListener('input', show);
addEventListener('hashchange', readAddress);
for (const chip of chips)
  chip.addEventListener('click', () => {
    kind = chip.dataset.kind ?? 'all';
    show();
  });
for (const button of all('.to')) button.addEventListener('click', () => showCheck(button));
document.addEventListener('pointerover', tellUnderPointer);
addEventListener('keydown', onKey);
byId('theme').addEventListener('click', toggleTheme);
readAddress();
