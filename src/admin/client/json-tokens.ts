// Cuts JSON into pieces that a page can colour. Every piece stays text.

/** A piece, and what it is coloured as. */
export interface Token {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain';
  readonly text: string;
}

/** A page with more pieces than this gets slow; what follows stays plain. */
export const tokensMax = 4000;

/** Each level costs two blanks on every line of it: a body of brackets would become a hundred megabytes. */
const depthMax = 100;

/** The body as it reads best: indented when it is JSON, as it came when it is not, or nests too deep to be read. */
export function indent(body: string): string {
  if (depthOf(body) > depthMax) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Counts brackets inside of texts too: too deep a guess only leaves a body as it came. */
function depthOf(body: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of body) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The pieces together are the text, whether it is JSON or not. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (tokens.length >= tokensMax) break;
    if (match.index > at) tokens.push({ kind: 'plain', text: text.slice(at, match.index) });
    tokens.push({ kind: kindOf(match), text: match[1] ?? match[0] });
    at = match.index + (match[1] ?? match[0]).length;
  }
  if (at < text.length) tokens.push({ kind: 'plain', text: text.slice(at) });
  return tokens;
}

function kindOf([whole, quoted, colon]: RegExpExecArray): Token['kind'] {
  if (quoted !== undefined) return colon === undefined ? 'string' : 'key';
  return /^[tfn]/.test(whole) ? 'word' : 'number';
}
