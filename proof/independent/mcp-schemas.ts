// Input schemas of the tools in three forms: full, bare, and nested with references.
import { type Fields, providers } from './types.ts';
import type { Variant } from './variants.ts';

/** The inputs that the tools state. */

const uuid = { type: 'string', format: 'uuid' };
const cursor = { type: 'string' };

const inputs = {
  list_reviews: { properties: { accountId: uuid, cursor }, required: ['accountId'] },
  inbox_list: { properties: { cursor }, required: [] },
  customers_list: { properties: { max: { type: 'integer', minimum: 1, maximum: 100 } }, required: [] },
  calls_log: {
    properties: {
      since: { type: 'string', format: 'date-time' },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    },
    required: [],
  },
  dialer_import_contacts: {
    properties: {
      csv: { type: 'string', maxLength: 2_000_000 },
      rows: {
        type: 'array',
        maxItems: 5000,
        items: {
          type: 'object',
          properties: { phone: { type: 'string' }, name: { type: 'string' } },
          required: ['phone'],
        },
      },
    },
    required: [],
  },
  publish_post: {
    properties: {
      accountId: uuid,
      text: { type: 'string', minLength: 1, maxLength: 5000 },
      media: { type: 'object', properties: { imageUrl: { type: 'string', format: 'uri' } }, required: ['imageUrl'] },
      link: { type: 'string', format: 'uri' },
    },
    required: ['accountId', 'text'],
  },
  reply_to_review: {
    properties: {
      accountId: uuid,
      reviewId: { type: 'string', minLength: 1 },
      text: { type: 'string', minLength: 1, maxLength: 4096 },
    },
    required: ['accountId', 'reviewId', 'text'],
  },
  create_connect_link: {
    properties: {
      provider: { type: 'string', enum: [...providers] },
      label: { type: 'string', minLength: 1, maxLength: 80 },
      maxAccounts: { type: 'integer', minimum: 1, maximum: 20, default: 1 },
    },
    required: ['provider', 'label'],
  },
  list_accounts: { properties: {}, required: [] },
  get_insights: {
    properties: { accountId: uuid, range: { type: 'string', enum: ['7d', '28d', '90d'], default: '28d' } },
    required: ['accountId'],
  },
};

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
function nested(properties: Record<string, Fields>, required: readonly string[]): Fields {
  const entries = Object.entries(properties);
  const orNull = (name: string): Fields => {
    const reference = { $ref: `#/$defs/${name}` };
    return required.includes(name) ? reference : { anyOf: [reference, { type: 'null' }] };
  };
  return {
    $defs: properties,
    allOf: [{ properties: Object.fromEntries(entries.map(([name]) => [name, orNull(name)])) }],
  };
}

/** R53: bounds may be left out of a schema, and a kit must not fail that. */
export function schemaOf(name: ToolName, manner: Variant['mcpEndpointSchemas']): Fields {
  const { required } = inputs[name];
  const properties: Record<string, Fields> = inputs[name].properties;
  const head = { type: 'object', ...(required.length > 0 ? { required } : {}) };
  if (manner === 'nested') return { ...head, ...nested(properties, required) };
  if (manner === 'full') return { ...head, properties, additionalProperties: false };
  const plain = Object.entries(properties).map(([property, schema]) => [property, bared(schema)]);
  return { ...head, properties: Object.fromEntries(plain) };
}
