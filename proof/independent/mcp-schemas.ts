// Input schemas of the tools in three forms: full, bare, and nested with references.
import { type Fields, providers } from './types.ts';
import type { Variant } from './variants.ts';

const uuid = { type: 'string', format: 'uuid' };
const cursor = { type: 'string' };
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const integer = (minimum: number, maximum: number, rest: Fields = {}) => {
  return { type: 'integer', minimum, maximum, ...rest };
};
const uri = { type: 'string', format: 'uri' };
const contact = {
  type: 'object',
  properties: { phone: { type: 'string' }, name: { type: 'string' } },
  required: ['phone'],
};

/** The inputs that the tools state; those with a mark are required. */
const inputs = {
  list_reviews: { 'accountId!': uuid, cursor },
  inbox_list: { cursor },
  customers_list: { max: integer(1, 100) },
  calls_log: { since: { type: 'string', format: 'date-time' }, limit: integer(1, 200, { default: 50 }) },
  dialer_import_contacts: {
    csv: { type: 'string', maxLength: 2_000_000 },
    rows: { type: 'array', maxItems: 5000, items: contact },
  },
  publish_post: {
    'accountId!': uuid,
    'text!': text(5000),
    media: { type: 'object', properties: { imageUrl: uri }, required: ['imageUrl'] },
    link: uri,
  },
  reply_to_review: { 'accountId!': uuid, 'reviewId!': { type: 'string', minLength: 1 }, 'text!': text(4096) },
  create_connect_link: {
    'provider!': { type: 'string', enum: [...providers] },
    'label!': text(80),
    maxAccounts: integer(1, 20, { default: 1 }),
  },
  list_accounts: {},
  get_insights: { 'accountId!': uuid, range: { type: 'string', enum: ['7d', '28d', '90d'], default: '28d' } },
} satisfies Record<string, Record<string, Fields>>;

export type ToolName = keyof typeof inputs;
export const toolNames = Object.keys(inputs) as ToolName[];

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'default'];
const safeMax = Number.MAX_SAFE_INTEGER;

/** Types only; whole numbers with the bounds that some generators write for none. */
function bared(schema: Fields): Fields {
  const kept = Object.entries(schema).filter(([name]) => !bounds.includes(name));
  const none = schema.type === 'integer' ? { minimum: -safeMax, maximum: safeMax } : {};
  return { ...Object.fromEntries(kept), ...none };
}

/** Optional inputs can be null too, and each is in a separate definition. */
function nested(properties: Readonly<Record<string, Fields>>, required: readonly string[]): Fields {
  const references = Object.keys(properties).map((name) => {
    const reference = { $ref: `#/$defs/${name}` };
    return [name, required.includes(name) ? reference : { anyOf: [reference, { type: 'null' }] }];
  });
  return { $defs: properties, allOf: [{ properties: Object.fromEntries(references) }] };
}

/** R53: bounds may be left out of a schema, and a kit must not fail that. */
export function schemaOf(name: ToolName, manner: Variant['mcpEndpointSchemas']): Fields {
  const entries: [string, Fields][] = Object.entries(inputs[name]);
  const required = entries.flatMap(([marked]) => (marked.endsWith('!') ? [marked.slice(0, -1)] : []));
  const shown = manner === 'bare' ? bared : (schema: Fields) => schema;
  const stated = entries.map(([marked, schema]) => [marked.replace('!', ''), shown(schema)]);
  const properties = Object.fromEntries(stated);
  const head = { type: 'object', ...(required.length > 0 ? { required } : {}) };
  if (manner === 'nested') return { ...head, ...nested(properties, required) };
  return { ...head, properties, ...(manner === 'full' ? { additionalProperties: false } : {}) };
}
