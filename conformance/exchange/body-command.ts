// A shell command that writes the bytes of a body which a command line cannot hold as text.

const plainMax = 2000;
const unitMax = 4;

/** The longest part that repeats a unit of one to four bytes around the middle of the body. */
interface Repeated {
  readonly start: number;
  readonly end: number;
  readonly unit: number;
}

/** Returns null for a body that no short command can write. */
export function bodyCommand(body: Uint8Array): string | null {
  const { start, end, unit } = repeatedIn(body);
  const count = Math.floor((end - start) / unit);
  const [before, rest] = [body.subarray(0, start), body.subarray(start + count * unit)];
  if (count < plainMax && body.byteLength <= plainMax) return `printf ${escaped(body)}`;
  if (before.byteLength + rest.byteLength > plainMax) return null;
  const repeat = `yes "$(printf ${escaped(body.subarray(start, start + unit))})" | head -n ${count} | tr -d '\\n'`;
  return `{ printf ${escaped(before)}; ${repeat}; printf ${escaped(rest)}; }`;
}

function repeatedIn(body: Uint8Array): Repeated {
  const middle = body.byteLength >> 1;
  let best: Repeated = { start: middle, end: middle, unit: 1 };
  for (let unit = 1; unit <= unitMax; unit += 1) {
    let [start, end] = [middle, middle];
    while (start > 0 && body[start - 1] === body[start - 1 + unit]) start -= 1;
    while (end + unit < body.byteLength && body[end] === body[end + unit]) end += 1;
    if (end + unit - start > best.end - best.start + unitMax) best = { start, end: end + unit, unit };
    // The text around it is short enough: a longer unit can add nothing to a large body.
    if (body.length - (best.end - best.start) < plainMax - unitMax) break;
  }
  return best;
}

/** As an argument of printf. */
function escaped(bytes: Uint8Array): string {
  const letters = [...bytes].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `\\${octal(byte)}`));
  return `'${letters.join('')}'`;
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && !['\\', '%', "'"].includes(String.fromCharCode(byte));
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}
