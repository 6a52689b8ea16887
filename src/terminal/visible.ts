// Everything that a target sends is hostile until shown otherwise: an escape sequence repaints a terminal, a newline
// starts a command of a CI log, a direction mark turns a sentence around. Reports show such characters as their code
// points.

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** One line: each invisible character, line breaks included, becomes `\u{1b}`. */
export function visible(text: string): string {
  return text.replace(unseen, spell);
}

/** The same, with line breaks and tabs unchanged. */
export function visibleLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, (unseen) => (/[\n\t]/.test(unseen) ? unseen : spell(unseen)));
}

export function clip(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For HTML and XML. Quotes too, so the same function serves attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

function spell(unseen: string): string {
  return `\\u{${unseen.codePointAt(0)?.toString(16)}}`;
}
