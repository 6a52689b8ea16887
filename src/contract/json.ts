/** The value of a JSON text, or `otherwise` for any other text. */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Whether a JSON value is an object, and not a list or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or else the text. Throws a SyntaxError for a text that begins as JSON and is not. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text, text);
  if (value !== text || !/^\s*[{["]/.test(text)) return value;
  throw new SyntaxError('is not valid JSON. To send it unchanged, write it as a JSON string.');
}
