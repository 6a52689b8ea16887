// What the page of the kill matrix does: filters, remembers the filter in the address, tells what is under the pointer.
export const script = `
const find = document.getElementById('find'), count = document.getElementById('count'), says = document.getElementById('says');
const rows = [...document.querySelectorAll('.row')], blocks = [...document.querySelectorAll('.clause')];
const fields = [...document.querySelectorAll('.field')], chips = [...document.querySelectorAll('.chip[data-kind]')];
const tops = document.querySelectorAll('.box.bad, #open');
let kind = 'all';
function show() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let seen = 0;
  for (const row of rows) {
    const fits = (kind === 'all' || row.dataset.kinds.split(' ').includes(kind)) && words.every(word => row.dataset.text.includes(word));
    row.hidden = !fits;
    if (fits) seen += 1;
  }
  for (const block of blocks) block.hidden = !block.querySelector('.row:not([hidden])');
  for (const field of fields) field.hidden = !field.querySelector('.row:not([hidden])');
  for (const top of tops) top.hidden = find.value !== '' || kind !== 'all';
  for (const chip of chips) chip.setAttribute('aria-pressed', String(chip.dataset.kind === kind));
  count.textContent = seen === rows.length ? rows.length + ' mutants' : seen + ' of ' + rows.length;
  const state = new URLSearchParams();
  if (find.value) state.set('find', find.value);
  if (kind !== 'all') state.set('kind', kind);
  history.replaceState(null, '', state.size ? '#' + state : location.pathname + location.search);
}
function read() {
  const state = new URLSearchParams(location.hash.slice(1));
  find.value = state.get('find') ?? '';
  kind = state.get('kind') ?? 'all';
  show();
}
find.addEventListener('input', show);
addEventListener('hashchange', read);
for (const chip of chips) chip.addEventListener('click', () => { kind = chip.dataset.kind; show(); });
for (const button of document.querySelectorAll('.to')) button.addEventListener('click', () => {
  find.value = find.value === button.dataset.check ? '' : button.dataset.check;
  kind = 'all';
  show();
  (button.closest('.field') ?? fields.find(field => !field.hidden))?.scrollIntoView({ block: 'start' });
});
let lit = null;
document.addEventListener('pointerover', event => {
  const target = event.target.closest('.dot[data-says]');
  lit?.classList.remove('lit');
  lit = null;
  says.textContent = target ? target.closest('.row').querySelector('.name').firstChild.textContent + ' × ' + target.dataset.says : '';
  if (!target) return;
  const column = [...target.classList].find(name => /^c\\d+$/.test(name));
  lit = target.closest('.field').querySelector('.head .' + column);
  lit?.classList.add('lit');
});
addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== find) { event.preventDefault(); find.focus(); }
  if (event.key === 'Escape') { find.value = ''; kind = 'all'; show(); }
});
document.getElementById('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
});
read();
`;
