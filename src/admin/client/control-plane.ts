// Asks the admin API. How a request gets there is the caller's: over the network for the dashboard, straight into
// the mock for the panel.

/** As `fetch`, for a path of the mock's own origin. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

/** A rejection of the admin API, in its own sentence. */
export class Rejection extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The mock cannot be reached, or another server responded in its place. */
export class Unreachable extends Error {}

/** `ask` rejects with a {@link Rejection} of the mock, or with {@link Unreachable}. */
export interface ControlPlane {
  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** Calls `opened` once the mock reports its events, and `hear` with each, until the stream ends or it fails. */
  follow(hear: (name: string, data: unknown) => void, signal: AbortSignal, opened: () => Promise<void>): Promise<void>;
}

const base = '/__admin';

/** No event of the mock is longer: what sends more is another server. */
const eventLengthMax = 4_000_000;

export function createControlPlane(send: Send): ControlPlane {
  return {
    async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
      const init = {
        method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      };
      const { response, apiResponse } = await send(base + path, init)
        .then(async (response) => ({ response, apiResponse: await response.json() }))
        .catch((error) => Promise.reject(new Unreachable(String(error))));
      if (response.ok) return apiResponse;
      throw new Rejection(response.status, apiResponse.error?.message ?? `The mock returned ${response.status}.`);
    },
    // `EventSource` cannot send the token, so fetch reads the stream.
    async follow(hear, signal, opened) {
      const response = await send(`${base}/events`, { signal });
      if (!response.ok || !response.body) {
        const apiResponse = await response.json().catch(() => null);
        throw new Rejection(response.status, apiResponse?.error?.message ?? 'The mock returned no event stream.');
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const loaded = opened().catch((error) => {
        reader.cancel();
        throw error;
      });
      // Told of below, unless the stream breaks first.
      loaded.catch(() => {});
      let rest = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return loaded;
        const parts = (rest + value).split('\n\n');
        rest = parts.pop() ?? '';
        if (rest.length > eventLengthMax) return reader.cancel();
        for (const part of parts) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/m.exec(part) ?? [];
          if (name !== undefined && data !== undefined) hear(name, JSON.parse(data));
        }
      }
    },
  };
}

/** As `fetch`, for a request to the API of the mock. A fault of the network gets a sentence. */
export function fetchFrom(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch(() => {
    throw new Error('No response arrived: the mock is not running, or a network fault is active.');
  });
}

const tokenKey = 'casa-admin-token';

/** Sends over the network, with the admin token once one was typed. */
export function networkSender(): { send: Send; rememberToken(typed: string): void; hasToken(): boolean } {
  let token = sessionStorage.getItem(tokenKey) ?? '';
  return {
    send: (path, init) =>
      fetch(rootPath() + path, {
        ...init,
        headers: { ...init.headers, ...(token ? { 'x-casa-admin-token': token } : {}) },
      }),
    rememberToken(typed) {
      token = typed;
      sessionStorage.setItem(tokenKey, typed);
    },
    hasToken: () => token !== '',
  };
}

/** Hands a value to the reader as a file of JSON. */
export function save(value: unknown, name: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Returns the path prefix that a proxy adds (`--public-url https://dev.example.com/casa`). */

export function rootPath(): string {
  return /^(.*?)\/__admin(?:\/|$)/.exec(location.pathname)?.[1] ?? '';
}
