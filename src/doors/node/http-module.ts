// node:http by require. An import would read every one of its exports, some of which load node's whole HTTP client
// first: that alone took 40 ms of a start that has 150 to spend.
import type * as Http from 'node:http';
import { createRequire } from 'node:module';

export const { createServer, STATUS_CODES } = createRequire(import.meta.url)('node:http') as typeof Http;
