// Asks the control plane, with the admin token once one was typed.
import { byId } from './page.ts';

const base = '/__admin';
const tokenKey = 'casa-admin-token';
let token = sessionStorage.getItem(tokenKey) ?? '';

/** For this tab only: the token must not outlive the session on a shared machine. */
export function rememberToken(typed: string): void {
  token = typed;
  sessionStorage.setItem(tokenKey, typed);
}

const tokenHeader = (): Record<string, string> => (token ? { 'x-casa-admin-token': token } : {});

/** Throws the sentence of the refusal; a 401 opens the form for the token. */
export async function ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(base + path, {
    method,
    headers: { ...tokenHeader(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.status === 401) byId('login').hidden = false;
  if (!response.ok) throw new Error(answer.error ? answer.error.message : `HTTP ${response.status}`);
  return answer;
}

/**
 * Calls `hear` with each event until the stream ends. `EventSource` cannot send the token, so fetch reads the stream.
 */
export async function followEvents(onOpen: () => void, hear: (name: string, data: unknown) => void): Promise<void> {
  const response = await fetch(`${base}/events`, { headers: tokenHeader() });
  if (!response.ok || !response.body) throw new Error('closed');
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/m.exec(part) ?? [];
      if (name !== undefined && data !== undefined) hear(name, JSON.parse(data));
    }
  }
}
