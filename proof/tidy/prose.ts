// Finds the prose of a file: Markdown without code, texts and comments of TypeScript, descriptions in YAML.

/** `text` is read by users, `comment` and `test` by contributors. */
export type Kind = 'text' | 'comment' | 'test';

/** One line of prose; `line` counts from 1. */
export interface Prose {
  readonly kind: Kind;
  readonly line: number;
  readonly text: string;
}

const withoutCode = (text: string) =>
  text
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\S+/g, 'URL');

/** Returns the prose of one file, by its extension. */
export function proseOf(path: string, source: string): Prose[] {
  const lines = source.split('\n');
  if (/\.(md|txt)$/.test(path)) return markdown(lines);
  if (/\.ya?ml$/.test(path)) return yaml(lines);
  return /\.tsx?$/.test(path) ? typescript(path, lines) : [];
}

function markdown(lines: readonly string[]): Prose[] {
  let isCode = false;
  return lines.flatMap((text, index) => {
    if (text.trimStart().startsWith('```')) {
      isCode = !isCode;
      return [];
    }
    return isCode ? [] : [{ kind: 'text' as const, line: index + 1, text: withoutCode(text) }];
  });
}

/** Descriptions are read by users; quotations of the contract (`quote`, `text`) keep its words. */
function yaml(lines: readonly string[]): Prose[] {
  const described = /^\s*(?:- )?(?:fact|title|description|summary|means|why|says|shows):\s*"?(.+?)"?$/;
  return lines.flatMap((line, index) => {
    const text = described.exec(line)?.[1];
    return text === undefined ? [] : [{ kind: 'text' as const, line: index + 1, text: withoutCode(text) }];
  });
}

const commentLine = /^\s*(?:\{?\/\*\*?|\/\/|\*(?!\/))\s?(.+?)(?:\*\/\}?)?$/;
const literal = /(['"`])((?:(?!\1)[^\\]|\\.){8,}?)\1/g;
const isSentence = /[a-z,] [a-z'’]+[ .,]/i;

/** Three words in a row make a literal a sentence. Text between tags counts in .tsx. */
function typescript(path: string, lines: readonly string[]): Prose[] {
  const isTest = /\.test\.tsx?$/.test(path) || path.startsWith('proof/') || path.startsWith('testkit/');
  return lines.flatMap((source, index): Prose[] => {
    const line = index + 1;
    const comment = commentLine.exec(source)?.[1];
    if (comment !== undefined) return [{ kind: 'comment', line, text: withoutCode(comment) }];
    const trailing = /(?:^|\s)\/\/ (.+)$/.exec(source.replace(literal, '""'))?.[1];
    const texts = [...source.matchAll(literal)].map((match) => (match[2] ?? '').replace(/\$\{[^}]*\}/g, 'X'));
    if (path.endsWith('.tsx')) texts.push(...betweenTags(source));
    return [
      ...(trailing === undefined ? [] : [{ kind: 'comment' as const, line, text: withoutCode(trailing) }]),
      ...texts
        .filter((text) => isSentence.test(text) && !/[{}]|=>|^[./]/.test(text))
        .map((text) => ({ kind: isTest ? ('test' as const) : ('text' as const), line, text: withoutCode(text) })),
    ];
  });
}

function betweenTags(source: string): string[] {
  const text = source.replace(/<[^>]*>/g, ' ').replace(/\{[^}]*\}/g, ' X ');
  return /[={};()]|=>|^\s*(import|export|const|return|type|interface)\b/.test(text) ? [] : [text.trim()];
}
