// The response of a server that might be any: its body has a limit, and a failure has its cause.

/** Returns the bytes of the body. Throws an error for more than the limit, without reading on. */
export async function readBytes(response: Response, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`its response is over ${bytesMax / 1_000_000} MB`);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Returns the deepest cause of a failed request, such as `ECONNREFUSED` or `bad port`; `fetch failed` says nothing. */
export function failureOf(error: unknown): string {
  const { cause, errors, code, message } = error as Error & { code?: unknown; errors?: readonly unknown[] };
  const inner = cause ?? errors?.[0];
  if (inner !== undefined && inner !== null) return failureOf(inner);
  return typeof code === 'string' ? code : message;
}
