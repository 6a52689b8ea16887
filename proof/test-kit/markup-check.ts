// A strict look at XML and HTML that our reporters write: every element is closed, and no text holds a bare mark.

const voidElements = new Set(['meta', 'input', 'br', 'link']);

/** An element that was opened, in the order of the text. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text right inside it, entities resolved. */
  text: string;
  readonly parent: Element | null;
}

/** Throws at the first place that is not well formed. Script and style are not parsed. */
export function readMarkup(source: string): Element[] {
  const elements: Element[] = [];
  let open: Element | null = null;
  const tokens =
    /<!doctype html>|<\?xml [^>]*\?>|<\/([a-z0-9-]+)>|<([a-zA-Z0-9-]+)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>|([^<]+)/giy;
  while (tokens.lastIndex < source.length) {
    const at = tokens.lastIndex;
    const match = tokens.exec(source);
    if (match === null) throw new Error(`no markup at ${at}: ${source.slice(at, at + 80)}`);
    const [, closed, opened, attributes = '', empty, text] = match;
    if (closed !== undefined) {
      if (open?.name !== closed) throw new Error(`</${closed}> closes <${open?.name}> at ${at}`);
      open = open.parent;
    } else if (opened !== undefined) {
      const element: Element = { name: opened, attributes: readAttributes(attributes), text: '', parent: open };
      elements.push(element);
      if (empty !== '/' && !voidElements.has(opened)) open = element;
      if (opened === 'script' || opened === 'style')
        tokens.lastIndex = source.indexOf(`</${opened}>`, tokens.lastIndex);
    } else if (text !== undefined && open) open.text += resolve(text);
  }
  if (open !== null) throw new Error(`<${open.name}> is never closed`);
  return elements;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name, resolve(value ?? '')]),
  );
}

/** The four entities and decimal numbers: our reporters write no others. */
function resolve(text: string): string {
  return text.replace(/&(?:#(\d+);|(amp|lt|gt|quot);)?/g, (entity, number, name) => {
    if (number) return String.fromCodePoint(Number(number));
    if (!name) throw new Error(`a bare & in: ${text.slice(0, 80)}`);
    return { amp: '&', lt: '<', gt: '>', quot: '"' }[name as 'amp'] ?? entity;
  });
}
