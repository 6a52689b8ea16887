// Reads and changes the page. A text of a client becomes a text node, never markup.

type Child = Node | string | null;
type Attributes = Readonly<Record<string, string | ((event: Event) => void)>>;

/** Throws for an id that the page lacks: script and page come from one build. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element #${id}.`);
  return found as E;
}

/** Makes an element. An attribute that starts with "on" is a listener. */
export function element(tag: string, attributes: Attributes, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(name, value);
    else made.addEventListener(name.slice(2), value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

export const fill = (id: string, ...children: readonly (Node | string)[]): void =>
  byId(id).replaceChildren(...children);

const noticeMs = 6000;
let noticeTimer = 0;

/** The last notice wins; it goes by itself. */
export function showNotice(text: string): void {
  const notice = byId('note');
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = window.setTimeout(() => {
    notice.hidden = true;
  }, noticeMs);
}

/** A listener that does the work and shows a failure as a notice. */
export const act = (work: () => unknown) => async (event?: Event) => {
  event?.preventDefault();
  try {
    await work();
  } catch (error) {
    showNotice((error as Error).message);
  }
};

/** A button that copies its own text. A page that may not write to the clipboard shows the text instead. */
export function copyButton(text: string): HTMLElement {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => showNotice('Copied.'),
      () => showNotice(text),
    );
  return element('button', { class: 'plain mono', title: 'Copy', onclick: copy }, text);
}
