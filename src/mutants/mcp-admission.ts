// Who gets in at the MCP door, how often, and with how much: told or counted wrongly. Cites 5.*, 7.envelope.mcp, 8.body-mcp,
// 8.key-window-shared.

import { bodyBytesMax, mcpBodyBytesMax } from '../contract/generated/limits.ts';
import { bearerKey } from '../http/caller.ts';
import type { CoreRequest } from '../http/message.ts';
import type { Mutant, MutantContext, WrapMcp } from './hooks/mutant.ts';
import { ownerOf } from './hooks/recipes.ts';
import {
  isObject,
  type Json,
  readJson,
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withRequestHeader,
  withStatus,
} from './hooks/rewrite.ts';
import { onEntry, onLeave, onRpcRefusal } from './mcp-door.ts';

function sizeOf({ body }: CoreRequest): number {
  return body?.length ?? 0;
}

/** Another cap. What the door would refuse is handed in without the padding that protocols leave room for. */
function capAt(bytesMax: number): WrapMcp {
  return onEntry(({ request }) => {
    const bytes = sizeOf(request);
    if (bytes > bytesMax)
      return bytes > mcpBodyBytesMax ? request : { ...request, body: new Uint8Array(mcpBodyBytesMax + 1) };
    return bytes > mcpBodyBytesMax ? withoutPadding(request) : request;
  });
}

function withoutPadding(request: CoreRequest): CoreRequest {
  const message = readJson(request.body);
  if (!isObject(message) || !isObject(message.params) || !isObject(message.params._meta)) return request;
  const isShort = ([, value]: [string, Json]) => typeof value !== 'string' || value.length < 1000;
  const meta = Object.fromEntries(Object.entries(message.params._meta).filter(isShort));
  return withBody(request, { ...message, params: { ...message.params, _meta: meta } });
}

const caps: readonly Mutant[] = [
  {
    name: 'mcp-body-cap-one-byte-more',
    breaks: '8.body-mcp',
    shows: 'A body of 1,048,577 bytes at the MCP door is not too large.',
    needs: 'bursts',
    wrapMcp: capAt(mcpBodyBytesMax + 1),
  },
  {
    name: 'mcp-body-cap-one-byte-less',
    breaks: '8.body-mcp',
    shows: 'A body of 1,048,576 bytes at the MCP door is too large.',
    needs: 'bursts',
    wrapMcp: capAt(mcpBodyBytesMax - 1),
  },
  {
    name: 'mcp-body-cap-of-rest',
    breaks: '8.body-mcp',
    shows: 'Bodies up to 2,500,000 bytes are taken at the MCP door.',
    needs: 'bursts',
    wrapMcp: capAt(bodyBytesMax),
  },
  {
    name: 'mcp-body-too-large-400',
    breaks: '8.body-mcp',
    shows: 'A body over the cap of the MCP door answers 400.',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('payload_too_large', (response) => withStatus(response, 400)),
  },
  {
    name: 'mcp-body-too-large-200',
    breaks: '8.body-mcp',
    shows: 'A body over the cap of the MCP door answers 200 with an error of JSON-RPC.',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('payload_too_large', (response) => withStatus(response, 200)),
  },
  {
    name: 'mcp-body-too-large-other-code',
    breaks: '8.body-mcp',
    shows: 'A body over the cap of the MCP door answers 413 with the code "request_too_large".',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('payload_too_large', (response) => ({
      ...response,
      body: String(response.body).replaceAll('payload_too_large', 'request_too_large'),
    })),
  },
];

/** Lets requests in with a good key in the place of theirs. */
function admitted(lets: (key: string | null, context: MutantContext) => boolean): WrapMcp {
  return onEntry(({ request, organization, context }) => {
    if (organization || !lets(bearerKey(request.headers), context)) return request;
    const [good] = [...context.world.keys].find(([, { revoked }]) => !revoked) ?? [''];
    return withRequestHeader(request, 'authorization', `Bearer ${good}`);
  });
}

const keys: readonly Mutant[] = [
  {
    name: 'mcp-no-key-taken',
    breaks: '5.missing-key',
    shows: 'The MCP door lets a request without a key in.',
    wrapMcp: admitted((key) => key === null),
  },
  {
    name: 'mcp-wrong-key-taken',
    breaks: '5.invalid-key',
    shows: 'The MCP door lets a request with a key in that nobody has.',
    wrapMcp: admitted((key, { world }) => key !== null && !world.keys.has(key)),
  },
  {
    name: 'mcp-revoked-key-taken',
    breaks: '5.revoked-key',
    shows: 'The MCP door lets a request with a revoked key in.',
    needs: 'revoked-key',
    wrapMcp: admitted((key, { world }) => key !== null && world.keys.has(key)),
  },
  {
    name: 'mcp-no-key-403',
    breaks: '5.missing-key',
    shows: 'Without a good key the MCP door answers 403.',
    wrapMcp: onRpcRefusal('unauthorized', (response) => withStatus(response, 403)),
  },
  {
    name: 'mcp-wrong-key-200',
    breaks: '5.invalid-key',
    shows: 'To who has no good key the MCP door answers 200 with an error of JSON-RPC.',
    wrapMcp: onRpcRefusal('unauthorized', (response) => withStatus(response, 200)),
  },
];

const blocks: readonly Mutant[] = [
  {
    name: 'mcp-blocked-as-at-rest',
    breaks: '7.envelope.mcp',
    shows: 'The limiter at the MCP door answers `{ error: "rate_limit_exceeded" }`, as at the REST service.',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('rate_limit_exceeded', withJson),
  },
  {
    name: 'mcp-blocked-with-tool-envelope',
    breaks: '7.envelope.mcp',
    shows: 'The limiter at the MCP door answers 429 with the tool envelope.',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('rate_limit_exceeded', (response) =>
      withJson(response, { error: { code: 'rate_limited', message: 'Too many requests.' } }),
    ),
  },
  {
    name: 'mcp-blocked-200',
    breaks: '7.envelope.mcp',
    shows: 'The limiter at the MCP door answers 200 with its error of JSON-RPC.',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('rate_limit_exceeded', (response) => withStatus(response, 200)),
  },
  {
    name: 'mcp-blocked-503',
    breaks: '7.envelope.mcp',
    shows: 'The limiter at the MCP door answers 503.',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('rate_limit_exceeded', (response) => withStatus(response, 503)),
  },
  {
    name: 'mcp-blocked-without-headers',
    breaks: '8.headers.limit',
    shows: 'The limiter at the MCP door answers 429 without X-RateLimit headers.',
    needs: 'bursts',
    wrapMcp: onRpcRefusal('rate_limit_exceeded', (response) =>
      withoutHeader(response, 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'),
    ),
  },
  {
    name: 'mcp-blocked-reset-in-seconds',
    breaks: '8.headers.reset',
    shows: 'X-RateLimit-Reset counts seconds at the MCP door.',
    wrapMcp: onLeave((response) => {
      const { 'x-ratelimit-reset': reset } = response.headers;
      return reset === undefined
        ? response
        : withHeader(response, 'x-ratelimit-reset', String(Math.ceil(Number(reset) / 1000)));
    }),
  },
];

/** Another key of the same organization in the place of the one that was sent: it has a window of its own. */
function underTwin(nameOf: () => string, use: 'again' | 'once'): WrapMcp {
  return (next, context) => async (request) => {
    const organization = ownerOf(request, context);
    if (!organization) return next(request);
    const twin = `${bearerKey(request.headers)}.${nameOf()}`;
    const { keys } = context.world;
    keys.set(twin, { organization, revoked: false });
    const response = await next(withRequestHeader(request, 'authorization', `Bearer ${twin}`));
    if (use === 'once') keys.delete(twin);
    return response;
  };
}

const windows: readonly Mutant[] = [
  {
    name: 'mcp-key-window-of-its-own',
    breaks: '8.key-window-shared',
    shows: 'Requests at the MCP door count in a window of their own for each key.',
    wrapMcp: underTwin(() => 'mcp', 'again'),
  },
  {
    name: 'mcp-not-counted-for-the-key',
    breaks: '8.key-window-shared',
    shows: 'Requests at the MCP door do not count for the key.',
    wrapMcp: (next, context) => {
      let passed = 0;
      const nameOf = () => {
        passed += 1;
        return `mcp-${passed}`;
      };
      return underTwin(nameOf, 'once')(next, context);
    },
  },
  {
    name: 'mcp-address-not-limited',
    breaks: '8.address-window',
    shows: 'The MCP door has no limiter for the address.',
    needs: 'bursts',
    wrapMcp: (next, context) => {
      let passed = 0;
      return onEntry(({ request }) => {
        passed += 1;
        return { ...request, peer: `${request.peer}.${passed}` };
      })(next, context);
    },
  },
];

export const mcpAdmissionMutants: readonly Mutant[] = [...caps, ...keys, ...blocks, ...windows];
