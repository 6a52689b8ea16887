// Requests and responses as plain data. Adapters translate; the core never sees a socket or a Web object.

export interface CoreRequest {
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the `?`. */
  readonly query: string;
  /** Lower-case names; a repeated header has its values joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Null when absent. At most one byte more than the cap is kept. */
  readonly body: Uint8Array | null;
  /** Address of the client as the adapter knows it. */
  readonly peer: string;
  /** Tells connections apart. Of two requests on one, the second was sent after the first got a response. */
  readonly connection?: number | undefined;
  /** Calls back when the client closes its side; gives back a way to stop. */
  readonly onLeave?: ((act: () => void) => () => void) | undefined;
  /** When the request came and its response left, for violations. */
  readonly passage?: Passage | undefined;
  /** Scheme and host under which the client reached us, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Where the client reaches the API, if that is another path of the origin than `/api/v1`. */
  readonly baseUrl?: string | undefined;
}

/** The steps of a request through a transport, which counts them. */
export interface Passage {
  readonly came: number;
  /** Null until a client could have the response. */
  left: number | null;
  /** Whether a request that came after `left` was surely sent after it. A socket cannot promise that. */
  readonly exact: boolean;
}

/** A response as plain data; it names the parts that the transport has to do (network faults, streams). */
export interface CoreResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** A network fault: the adapter does this to the connection. */
  readonly network?: 'reset' | 'empty' | 'truncated' | 'slow' | 'timeout' | undefined;
  /** How long the adapter has to hold the response back. */
  readonly latencyMs?: number | undefined;
  /** For a stream (server-sent events): gets functions to send text and to end, and returns a function to stop. */
  readonly stream?: ((send: (text: string) => void, end: () => void) => () => void) | undefined;
  /**
   * For a large, rarely requested text (a page): the transport calls it to get the text and its headers, which stay out
   * of memory until then.
   */
  readonly later?: (() => Promise<Remainder>) | undefined;
}

/** The rest of a response with `later`. */
export type Remainder = Pick<CoreResponse, 'headers' | 'body'> &
  Partial<Pick<CoreResponse, 'status' | 'network' | 'latencyMs'>>;

/** Loads what a response left out. */
export async function complete({ later, ...rest }: CoreResponse): Promise<CoreResponse> {
  const { headers, ...made } = (await later?.()) ?? { headers: {} };
  return { ...rest, ...made, headers: { ...rest.headers, ...headers } };
}

/** Path of the MCP endpoint, outside the API, as the contract gives it a separate address. Cites 1.mcp-door. */
export const mcpPath = '/mcp';
/** Of the admin API: outside of the API's path, so no operation of the contract can meet it. */
export const adminPath = '/__admin';

/** Why a body is not read (assumption C5), as the end of a sentence; null for one that is not compressed. */
export function whyEncoded({ 'content-encoding': encoding = 'identity' }: CoreRequest['headers']): string | null {
  if (/^(identity)?$/i.test(encoding.trim())) return null;
  return `is sent with content-encoding ${encoding.slice(0, 50)}; send it uncompressed, without this header`;
}

const utf8 = new TextDecoder();

export function bodyText({ body }: Pick<CoreResponse, 'body'>): string {
  return typeof body === 'string' ? body : utf8.decode(body);
}

// The Date header (assumption C70). Its text is made once a second: most responses share it with the one before.
let knownSecond = Number.NaN;
let knownDate = '';

/** In the form of RFC 9110; whole seconds, rounded down. */
export function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== knownSecond) {
    knownSecond = second;
    knownDate = new Date(nowMs).toUTCString();
  }
  return knownDate;
}
