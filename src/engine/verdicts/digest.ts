// Short marks in place of long texts and bodies. They are not for secrets: they only tell things apart without keeping
// them.

const encoder = new TextEncoder();
const lengthKept = 100;

/** The text itself, or its beginning and a digest when it is long. */
export function shorten(text: string): string {
  return text.length <= lengthKept ? text : `${text.slice(0, lengthKept)}#${digestText(text)}`;
}

/** For texts of any length; the same text always gives the same mark. */
export function digestText(text: string): string {
  return digestBytes(encoder.encode(text));
}

/** Two independent 32-bit sums and the length. */
export function digestBytes(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tail = bytes.length - (bytes.length % 4);
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  // The locals stay in registers here; a function over both costs four times as much, and bodies have megabytes.
  for (let i = 0; i < bytes.length; i += i < tail ? 4 : 1) {
    const word = i < tail ? view.getInt32(i, true) : (bytes[i] as number);
    a = Math.imul(a ^ word, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b + word, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${bytes.length} ${a >>> 0} ${b >>> 0}`;
}
