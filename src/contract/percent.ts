// Percent-encoding in texts from outside.

/** Returns malformed text unchanged; never throws. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether every escape is complete and the bytes are UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    return !text.includes('%') || decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}
