// Text in Markdown. That of a target is code, in which nothing is markup, and which a person can read and copy.
import { clip, visible, visibleLines } from '../../src/terminal/visible.ts';

const textCharactersMax = 400;

/** One line as code. Its fence is longer than any run of backticks in the text. */
export function codeSpan(text: string, charactersMax = textCharactersMax): string {
  const shown = inert(clip(visible(text), charactersMax));
  const fence = fenceOf(shown, 1);
  const space = /^`|`$/.test(shown) || shown.trim() === '' ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Lines of code. */
export function fenced(text: string, language: 'sh' | 'text'): string {
  const shown = inert(visibleLines(text));
  const fence = fenceOf(shown, 3);
  return `${fence}${language}\n${shown}\n${fence}`;
}

function fenceOf(text: string, lengthMin: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(lengthMin, longest + 1));
}

/** A viewer can ignore a fence, so no code contains a tag. JSON with this escape is the same JSON. */
function inert(text: string): string {
  return text.replace(/<(?=[a-z!/?])(?!(?:email|phone|name|key \d+)>)/gi, '\\u003c');
}

/** Our own sentence, with its code in backticks. */
export function sentence(text: string): string {
  return text.split('`').reduce((all, part, index) => all + (index % 2 === 1 ? `\`${part}\`` : entities(part)), '');
}

/** For table cells, which a code span does not protect. */
export function plain(text: string): string {
  return entities(clip(visible(text), textCharactersMax));
}

/** What Markdown, HTML, links, mentions and emoji are made of. Everything else stays readable in the source. */
const markup = /[&<>`*~|\\[#@]|\](?=\()|(?<![a-z\d])_|_(?![a-z\d])|:(?=\/\/|:|[\w+-]+:)/gi;

function entities(text: string): string {
  return text.replace(markup, (mark) => `&#${mark.charCodeAt(0)};`);
}
