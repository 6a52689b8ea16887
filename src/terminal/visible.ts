// Everything that a target sends is hostile until shown otherwise: an escape sequence repaints a terminal, a newline
// starts a command of a CI log, a direction mark turns a sentence around. Reports show such characters as their code
// points.

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Commands in a log of GitHub, also after spaces, and of Azure Pipelines and TeamCity, anywhere in a line. */
const logCommand = /(?<=^|\s):(?=:[\w-]+[^\n]{0,500}?::)|#(?=#\w*\[)/g;

/** One line: each invisible character, line breaks included, becomes `\u{1b}`. Commands of a CI log lose their form. */
export function visible(text: string): string {
  return text.replace(unseen, spell).replace(logCommand, spell);
}

/** The same, with line breaks and tabs unchanged. */
export function visibleLines(text: string): string {
  const shown = text
    .replaceAll('\r\n', '\n')
    .replace(unseen, (unseen) => (/[\n\t]/.test(unseen) ? unseen : spell(unseen)));
  return shown.replace(logCommand, spell);
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

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
