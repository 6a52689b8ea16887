// node:http by require. An import would read every one of its exports, some of which load node's whole HTTP client
// first: that alone took 40 ms of a start that has 150 to spend.
// It is asked for by name, and not imported, so that a page may import the package for `createMock`.
import type * as Http from 'node:http';

const loaded = globalThis.process?.getBuiltinModule?.('node:http') as typeof Http | undefined;

/** Undefined in a page. */
export const createServer = loaded?.createServer;
export const STATUS_CODES = loaded?.STATUS_CODES ?? {};
