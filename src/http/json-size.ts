// Looks at a JSON text before it is parsed: one of a million levels or of two hundred thousand members takes half a
// second to parse, and in that time the mock answers nobody. The contract's own bodies have three levels and four
// members.

const levelsMax = 10_000;
const membersMax = 50_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Why the text is not parsed, as the end of a sentence; null when it may be. */
export function whyNotParsed(json: Uint8Array): string | null {
  let levels = 0;
  let members = 0;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i] as number;
    if (byte === quote) i = endOfString(json, i + 1);
    else if (byte === colon) members += 1;
    // The brackets of lists and objects differ from one another in one bit only: `[` and `{`, `]` and `}`.
    else if ((byte | 0x20) === 0x7b) levels += 1;
    else if ((byte | 0x20) === 0x7d) levels -= 1;
    if (levels > levelsMax) return `is nested more than ${levelsMax.toLocaleString('en')} levels deep`;
    if (members > membersMax) return `has more than ${membersMax.toLocaleString('en')} members`;
  }
  return null;
}

function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(quote, start); end !== -1; end = json.indexOf(quote, end + 1)) {
    let first = end;
    while (json[first - 1] === backslash) first -= 1;
    // Of an even number of backslashes each escapes the next, so that the quote is not escaped.
    if (first < start || (end - first) % 2 === 0) return end;
  }
  return json.length;
}
