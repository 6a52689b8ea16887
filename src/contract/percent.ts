// Percent-encoding in texts from outside.

/** The text as it is where it is encoded wrongly: nothing throws. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
