// What moves on the page: filter, search, copying, links into closed parts, printing. Without it everything is still there.
export const script = `'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const chips = all('.chip'), rows = all('.check'), search = document.querySelector('[data-search]');
const kinds = new Set();

function filter() {
  const words = (search?.value ?? '').toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const fits = (kinds.size === 0 || kinds.has(row.dataset.kind)) && words.every((word) => row.dataset.words.includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  const isWhole = shown === rows.length;
  for (const place of all('[data-shown]')) place.textContent = isWhole ? String(shown) : shown + ' of ' + rows.length;
  for (const place of all('[data-none]')) place.hidden = shown > 0;
  for (const place of all('[data-clear]')) place.hidden = kinds.size === 0 && words.length === 0;
}

function toggle(chip, isPressed) {
  chip.setAttribute('aria-pressed', String(isPressed));
  if (isPressed) kinds.add(chip.dataset.kind);
  else kinds.delete(chip.dataset.kind);
}

function showAll() {
  for (const chip of chips) toggle(chip, false);
  if (search) search.value = '';
  filter();
}

for (const chip of chips) chip.addEventListener('click', () => {
  const isPressed = chip.getAttribute('aria-pressed') !== 'true';
  toggle(chip, isPressed);
  filter();
  if (isPressed) document.getElementById('checks')?.scrollIntoView();
});
search?.addEventListener('input', filter);
for (const button of all('[data-clear]')) button.addEventListener('click', showAll);

async function copy(button) {
  const text = button.parentElement.querySelector('code').textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const range = document.createRange();
    range.selectNodeContents(button.parentElement.querySelector('code'));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    document.execCommand('copy');
  }
  button.textContent = 'Copied';
  for (const leaving of ['pointerleave', 'blur']) button.addEventListener(leaving, () => { button.textContent = 'Copy'; }, { once: true });
}
for (const button of all('[data-copy]')) button.addEventListener('click', () => void copy(button));

function reach() {
  const id = decodeURIComponent(location.hash.slice(1));
  const place = id === '' ? null : document.getElementById(id);
  for (const other of all('.reached')) other.classList.remove('reached');
  if (!place) return;
  if (place.hidden) showAll();
  for (let node = place; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
  if (place.tagName === 'DETAILS') place.classList.add('reached');
  place.scrollIntoView();
}
addEventListener('hashchange', reach);
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (link && link.hash === location.hash) reach();
});
reach();

addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName ?? '');
  if (event.key === '/' && !isTyping && search) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && event.target === search) showAll();
});

const opened = [];
addEventListener('beforeprint', () => {
  for (const part of all('details.evidence:not([open])')) {
    part.open = true;
    opened.push(part);
  }
});
addEventListener('afterprint', () => {
  for (const part of opened.splice(0)) part.open = false;
});
`;
