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

/** Whether a text begins as an object, a list or a string of JSON, so that anything else is a mistake. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[{["]/.test(text);
}
