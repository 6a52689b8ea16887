// The script of the HTML report, which also works without it: filter, search, copy buttons, links into closed parts.
// `npm run generate` bundles this file into ../generated/report-page.ts.
import { percentDecoded } from '../../../src/contract/percent.ts';

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const chips = all('.chip');
const rows = all('.check');
const search = document.querySelector<HTMLInputElement>('[data-search]');
const kinds = new Set<string>();

/** Results are joined by "or", words by "and". */
function filterRows(): void {
  const words = (search?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const { kind = '' } = row.dataset;
    const text = row.textContent.toLowerCase();
    const fits = (kinds.size === 0 || kinds.has(kind)) && words.every((word) => text.includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  const isWhole = shown === rows.length;
  for (const place of all('[data-shown]')) place.textContent = isWhole ? String(shown) : `${shown} of ${rows.length}`;
  for (const place of all('[data-none]')) place.hidden = shown > 0;
  for (const place of all('[data-clear]')) place.hidden = kinds.size === 0 && words.length === 0;
}

/** Screen readers and the style sheet both use `aria-pressed`. */
function press(chip: HTMLElement, isPressed: boolean): void {
  const { kind = '' } = chip.dataset;
  chip.setAttribute('aria-pressed', String(isPressed));
  if (isPressed) kinds.add(kind);
  else kinds.delete(kind);
}

function showAll(): void {
  for (const chip of chips) press(chip, false);
  if (search) search.value = '';
  filterRows();
}

async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.parentElement?.querySelector('code');
  if (!code) return;
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    copySelected(code);
  }
  button.textContent = 'Copied';
  const restore = () => {
    button.textContent = 'Copy';
  };
  for (const leaving of ['pointerleave', 'blur']) button.addEventListener(leaving, restore, { once: true });
}

// A page from disk may lack the clipboard of `navigator`.
function copySelected(code: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(code);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
  document.execCommand('copy');
}

/** Opens and marks the part in the URL, even if a filter hides it. */
function showNamedPart(): void {
  const id = percentDecoded(location.hash.slice(1));
  const part = id === '' ? null : document.getElementById(id);
  for (const other of all('.reached')) other.classList.remove('reached');
  if (!part) return;
  if (part.hidden) showAll();
  for (let node: HTMLElement | null = part; node; node = node.parentElement)
    if (node instanceof HTMLDetailsElement) node.open = true;
  if (part.tagName === 'DETAILS') part.classList.add('reached');
  part.scrollIntoView();
}

/** `/` focuses the search field, and Escape removes all filters. */
function onKey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key === '/' && !isTyping && search) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && event.target === search) showAll();
}

for (const chip of chips)
  chip.addEventListener('click', () => {
    const isPressed = chip.getAttribute('aria-pressed') !== 'true';
    press(chip, isPressed);
    filterRows();
    if (isPressed) document.getElementById('checks')?.scrollIntoView();
  });
search?.addEventListener('input', filterRows);
for (const button of all('[data-clear]')) button.addEventListener('click', showAll);
for (const button of all('[data-copy]')) button.addEventListener('click', () => void copyCode(button));

/** Ids are plain text in the file, and links only where the page has the part. */
function linkOf(word: string): HTMLElement | string {
  const id = ['clause:', 'check:', ''].map((prefix) => prefix + word).find((name) => document.getElementById(name));
  if (id === undefined) return word;
  const link = document.createElement('a');
  link.href = `#${id}`;
  link.textContent = word;
  return link;
}

for (const list of all('.ids'))
  list.replaceChildren(...list.textContent.split(' ').flatMap((word) => [linkOf(word), ' ']));
addEventListener('hashchange', showNamedPart);
addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
  // Browsers send no hashchange event if the URL stays the same.
  if (link && link.hash === location.hash) showNamedPart();
});
showNamedPart();
addEventListener('keydown', onKey);

const openedForPrint: HTMLDetailsElement[] = [];
addEventListener('beforeprint', () => {
  for (const part of document.querySelectorAll<HTMLDetailsElement>('#exchanges details:not([open])')) {
    part.open = true;
    openedForPrint.push(part);
  }
});
addEventListener('afterprint', () => {
  for (const part of openedForPrint.splice(0)) part.open = false;
});
