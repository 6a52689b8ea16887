// Incorrect keys, rate limits and caps at the MCP endpoint. Cites 5.*, 7.envelope.mcp, 8.body-mcp, 8.key-window-shared.

import { bodyBytesMax, mcpBodyBytesMax } from '../contract/generated/limits.ts';
import { bearerKey } from '../http/caller.ts';
import type { CoreRequest } from '../http/message.ts';
import {
  fussy,
  onEntry,
  onInput,
  onLeave,
  onProperties,
  onRpcRejection,
  restate,
  thankful,
} from './hooks/mcp-endpoint.ts';
import { type MutantContext, mcpMutantsNeeding, mcpMutantsOf, type WrapMcp } from './hooks/mutant.ts';
import { ownerOf } from './hooks/recipes.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  readJson,
  withBody,
  withJson,
  withRequestHeader,
  withStatus,
} from './hooks/rewrite.ts';

/** Another cap. A body that the endpoint would reject is passed without the padding that protocols allow. */
function capAt(bytesMax: number): WrapMcp {
  return onEntry(({ request }) => {
    const bytes = request.body?.length ?? 0;
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

const caps = mcpMutantsNeeding('bursts', {
  '8.body-mcp': {
    'mcp-body-cap-one-byte-more': [
      'A body of 1,048,577 bytes at the MCP endpoint is not too large.',
      capAt(mcpBodyBytesMax + 1),
    ],
    'mcp-body-cap-one-byte-less': [
      'A body of 1,048,576 bytes at the MCP endpoint is too large.',
      capAt(mcpBodyBytesMax - 1),
    ],
    'mcp-body-cap-of-rest': ['Bodies up to 2,500,000 bytes are taken at the MCP endpoint.', capAt(bodyBytesMax)],
  },
});

/** Lets requests in with a valid key instead of theirs. */
function admitted(lets: (key: string | null, context: MutantContext) => boolean): WrapMcp {
  return onEntry(({ request, organization, context }) => {
    if (organization || !lets(bearerKey(request.headers), context)) return request;
    const [validKey] = [...context.world.keys].find(([, { revoked }]) => !revoked) ?? [''];
    return withRequestHeader(request, 'authorization', `Bearer ${validKey}`);
  });
}

/** Replaces the key by another key of the same organization, which has a separate window. */
function underCalibration(nameOf: () => string, use: 'again' | 'once'): WrapMcp {
  return (next, context) => async (request) => {
    const organization = ownerOf(request, context);
    if (!organization) return next(request);
    const calibration = `${bearerKey(request.headers)}.${nameOf()}`;
    const { keys } = context.world;
    keys.set(calibration, { organization, revoked: false });
    const response = await next(withRequestHeader(request, 'authorization', `Bearer ${calibration}`));
    if (use === 'once') keys.delete(calibration);
    return response;
  };
}

const windows = mcpMutantsOf({
  '5.missing-key': {
    'mcp-no-key-taken': ['The MCP endpoint lets a request without a key in.', admitted((key) => key === null)],
    'mcp-no-key-403': [
      'Without a valid key the MCP endpoint returns 403.',
      onRpcRejection('unauthorized', (response) => withStatus(response, 403)),
    ],
  },
  '5.invalid-key': {
    'mcp-wrong-key-taken': [
      'The MCP endpoint accepts a request with an unknown key.',
      admitted((key, { world }) => key !== null && !world.keys.has(key)),
    ],
    'mcp-wrong-key-200': [
      'Without a valid key the MCP endpoint returns 200 with an error of JSON-RPC.',
      onRpcRejection('unauthorized', (response) => withStatus(response, 200)),
    ],
  },
  '1.organization-scope': {
    'mcp-door-of-one-organization': [
      'The tools of the MCP endpoint show the first organization to every key.',
      onEntry(({ request, organization, context }) => {
        const [first] = context.world.organizations.values();
        const key = first?.keys.find(({ revoked }) => !revoked)?.key;
        return organization && organization.id !== first?.id && key !== undefined
          ? withRequestHeader(request, 'authorization', `Bearer ${key}`)
          : request;
      }),
      { needs: 'second-key' },
    ],
  },
  '5.revoked-key': {
    'mcp-revoked-key-taken': [
      'The MCP endpoint lets a request with a revoked key in.',
      admitted((key, { world }) => key !== null && world.keys.has(key)),
      { needs: 'revoked-key' },
    ],
  },
  '7.envelope.mcp': {
    'mcp-blocked-200': [
      'The limiter at the MCP endpoint returns 200 with its error of JSON-RPC.',
      onRpcRejection('rate_limit_exceeded', (response) => withStatus(response, 200)),
      { needs: 'bursts' },
    ],
    'mcp-blocked-503': [
      'The limiter at the MCP endpoint returns 503.',
      onRpcRejection('rate_limit_exceeded', (response) => withStatus(response, 503)),
      { needs: 'bursts' },
    ],
  },
  '8.key-window-shared': {
    'mcp-key-window-of-its-own': [
      'Requests at the MCP endpoint count in a separate window for each key.',
      underCalibration(() => 'mcp', 'again'),
      { needs: 'bursts' },
    ],
    'mcp-not-counted-for-the-key': [
      'Requests at the MCP endpoint do not count for the key.',
      (next, context) => {
        let passed = 0;
        const nameOf = () => {
          passed += 1;
          return `mcp-${passed}`;
        };
        return underCalibration(nameOf, 'once')(next, context);
      },
      { needs: 'bursts' },
    ],
  },
  '8.address-window': {
    'mcp-address-not-limited': [
      'The MCP endpoint has no limiter for the address.',
      (next, context) => {
        let passed = 0;
        return onEntry(({ request }) => {
          passed += 1;
          return { ...request, peer: `${request.peer}.${passed}` };
        })(next, context);
      },
      { needs: 'bursts' },
    ],
  },
});

export const mcpLimitMutants = [...caps, ...windows];

export const mcpProtocolMutants = mcpMutantsOf({
  '1.mcp-door': {
    'mcp-door-500': [
      'Every request with a valid key at the MCP endpoint returns 500.',
      onLeave((response) => (response.status < 300 ? withStatus(response, 500) : response)),
    ],
    'mcp-door-speaks-rest': [
      'The MCP endpoint responds to every message with an object that is not JSON-RPC.',
      onLeave((response) => (response.status < 300 ? withJson(response, { data: [], summary: '' }) : response)),
    ],
  },
});

// Imports of contacts: stated, taken or rejected wrongly. Cites 4.tools.dialer-import-contacts, 8.import.*.

const lengthOf = (value: Json | undefined) => (typeof value === 'string' ? value.length : 0);
const rowsOf = ({ rows }: JsonObject): Json[] => (Array.isArray(rows) ? rows : []);
const linesOf = ({ csv }: JsonObject) => (typeof csv === 'string' ? csv.split('\n').filter((line) => line !== '') : []);

const stated = mcpMutantsOf({
  '4.tools.dialer-import-contacts': {
    'mcp-import-offers-file': [
      '`dialer_import_contacts` takes `file` instead of `csv`.',
      onProperties('dialer_import_contacts', ({ csv = {}, rows = {} }) => ({ file: csv, rows })),
    ],
  },
  '8.import.rows': {
    'mcp-import-states-5001-rows': [
      '`dialer_import_contacts` says that there may be 5,001 rows.',
      restate('dialer_import_contacts', 'rows', { maxItems: 5001 }),
    ],
  },
  '8.import.csv-characters': {
    'mcp-import-states-long-csv': [
      '`dialer_import_contacts` says that the csv may have 2,500,000 characters.',
      restate('dialer_import_contacts', 'csv', { maxLength: 2_500_000 }),
    ],
  },
});

const taken = mcpMutantsNeeding('writes', {
  '8.import.rows': {
    'mcp-import-5001-rows-taken': [
      '`dialer_import_contacts` takes 5,001 rows.',
      onInput('dialer_import_contacts', (input) =>
        rowsOf(input).length === 5001 ? { ...input, rows: rowsOf(input).slice(0, 5000) } : input,
      ),
    ],
    'mcp-import-5000-rows-refused': [
      '`dialer_import_contacts` rejects 5,000 rows.',
      fussy('dialer_import_contacts', 'rows', (input) => rowsOf(input).length === 5000),
    ],
  },
  '8.import.csv-contacts': {
    'mcp-import-20001-contacts-taken': [
      '`dialer_import_contacts` takes 20,001 contacts as csv: the limit counts the line of names among them.',
      onInput('dialer_import_contacts', (input) =>
        linesOf(input).length === 20_002 ? { ...input, csv: linesOf(input).slice(0, 20_001).join('\n') } : input,
      ),
    ],
    'mcp-import-20000-contacts-refused': [
      '`dialer_import_contacts` takes 20,000 lines of csv, and one of them names the columns.',
      fussy('dialer_import_contacts', 'csv', (input) => linesOf(input).length > 20_000),
    ],
  },
  '8.import.csv-characters': {
    'mcp-import-short-csv-only': [
      '`dialer_import_contacts` rejects a csv of more than 200,000 characters.',
      fussy('dialer_import_contacts', 'csv', ({ csv }) => lengthOf(csv) > 200_000),
    ],
  },
});

const both = mcpMutantsOf({
  '4.tools.dialer-import-contacts': {
    'mcp-import-both-taken': [
      '`dialer_import_contacts` takes csv and rows in one call.',
      thankful('dialer_import_contacts', ({ csv, rows }) => csv !== undefined && rows !== undefined, {
        imported: 0,
        updated: 0,
        total: 0,
      }),
      { result: 'warn' },
    ],
  },
});

export const mcpImportMutants = [...stated, ...taken, ...both];
