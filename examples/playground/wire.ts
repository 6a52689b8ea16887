// The wire of the suite in a page: requests go directly to the mock. Replaces conformance/driver/wire/http.ts and agents.ts.
import type { Wire } from '../../conformance/driver/wire/http.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { complete, mcpPath } from '../../src/http/message.ts';

let engine: Engine | null = null;

/** Sets the mock that responds to the next run. */
export function connectWire(mock: Engine): void {
  engine = mock;
}

export const proxyTrouble = 'the proxy of ';
export const noTlsDetail = 'the port does not accept TLS';
export const usualBodyBytesMax = 8_000_000;
export const speaksTls = async () => false;
export const findProxy = () => null;

/** The suite has one source address here, as `--source-address` needs sockets. */
export function openWire(): Wire {
  return {
    async send({ method, origin, path, headers, body }) {
      if (engine === null) throw new Error('The playground has no mock.');
      const [pathname = '', query = ''] = path.split(/\?(.*)/s);
      const request = { method, path: pathname, query, headers, body, peer: '127.0.0.1', origin };
      const isMcp = pathname === mcpPath;
      const response = await complete(isMcp ? await engine.handleMcp(request) : engine.handle(request));
      const bytes = typeof response.body === 'string' ? new TextEncoder().encode(response.body) : response.body;
      const isLost = response.network !== undefined;
      return {
        status: isLost ? 0 : response.status,
        headers: response.headers,
        body: Buffer.from(isLost ? '' : bytes),
        problem: isLost ? 'reset' : 'none',
        detail: isLost ? 'the connection was closed' : null,
        isUnsent: false,
      };
    },
    close: () => undefined,
  };
}
