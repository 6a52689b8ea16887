// Attacks on bodies: of the API and of the MCP door.
import type { Attack, Field } from '../field.ts';

const account = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';
const accept = { accept: 'application/json, text/event-stream' };
const surrogates = ['\\ud800', '\\udfff\\ud800', 'a\\u0000b', '\\u001b]52;c;x\\u0007', '\\u202e'] as const;

const post = (field: Field, path: string, body: string | Uint8Array) =>
  field.ask({ method: 'POST', path: `/api/v1/connect/${path}`, body });
const tell = (field: Field, body: string) => field.ask({ method: 'POST', path: '/mcp', headers: accept, body });
const call = (field: Field, tool: string, input: string) =>
  tell(field, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${input}}}`);
const nested = (depth: number, core = '1') => '['.repeat(depth) + core + ']'.repeat(depth);

const overCap = Buffer.alloc(2_600_000, 'x');
const refused = Buffer.from(`{"provider":"${'x'.repeat(2_400_000)}"}`);
const rows = JSON.stringify(`phone\n${Array.from({ length: 60_000 }, (_, i) => `+1201${5_550_000 + i}`).join('\n')}`);

export const bodyAttacks: readonly Attack[] = [
  {
    name: 'bodies over the cap',
    sends: 'a body of 2.6 MB',
    share: 0.3,
    run: (field) => post(field, 'accounts', overCap),
  },
  {
    name: 'large refused bodies',
    sends: 'a body of 2.4 MB that is refused for its input',
    share: 0.3,
    run: (field) => post(field, 'accounts', refused),
  },
  {
    name: 'deep JSON',
    sends: 'arrays in arrays, 50,000 deep',
    share: 4,
    run: (field) => post(field, `accounts/${account}/posts`, `{"text":${nested(50_000)}}`),
  },
  {
    name: 'wide JSON',
    sends: 'an object of 5,000 members, those of every object among them',
    share: 4,
    run: (field) => {
      const members = Array.from({ length: 5_000 }, (_, i) => `"m${i}":${i}`).join(',');
      return post(field, 'accounts', `{"__proto__":{"provider":"tiktok"},"constructor":{},${members}}`);
    },
  },
  {
    name: 'no JSON',
    sends: 'bodies that are not JSON, or not the kind that is wanted',
    share: 60,
    run: (field) =>
      post(
        field,
        'accounts',
        field.pick<string | Uint8Array>(['{', 'null', '[]', '"x"', '1e999', Buffer.from([0xff, 0xfe, 0]), '']),
      ),
  },
  {
    name: 'surrogates and NUL in texts',
    sends: 'halves of characters, NUL and escape sequences in texts that are kept',
    share: 6,
    run: (field) => {
      const text = field.pick(surrogates);
      return field.below(2) === 0
        ? post(field, 'accounts', `{"provider":"tiktok","label":"${text}"}`)
        : post(field, `accounts/${account}/posts`, `{"text":"${text}"}`);
    },
  },
  {
    name: 'writes',
    sends: 'links and posts that are right, so that there is something to lose',
    share: 4,
    run: (field) =>
      field.below(2) === 0
        ? post(field, 'accounts', `{"provider":"tiktok","label":"Storm ${field.hex(6)}"}`)
        : post(field, `accounts/${account}/posts`, `{"text":"Storm ${field.hex(6)}"}`),
  },
  {
    name: 'MCP nesting',
    sends: 'arguments and ids that are 6,000 deep',
    share: 6,
    run: (field) =>
      field.below(2) === 0
        ? call(field, 'create_post', `{"accountId":"${account}","text":${nested(6_000)}}`)
        : tell(field, `{"jsonrpc":"2.0","id":${nested(6_000)},"method":"tools/list"}`),
  },
  {
    name: 'MCP csv',
    sends: 'a csv of 60,000 rows, three times what is taken',
    share: 0.05,
    run: (field) => call(field, 'dialer_import_contacts', `{"csv":${rows}}`),
  },
  {
    name: 'MCP issues',
    sends: 'rows with nothing right in them',
    share: 0.3,
    run: (field) => call(field, 'dialer_import_contacts', `{"rows":[${Array(4_000).fill('{"x":1}').join(',')}]}`),
  },
  {
    name: 'MCP texts',
    sends: 'halves of characters and objects where texts belong',
    share: 20,
    run: (field) => {
      const text = field.pick(['{"a":1}', '[]', 'null', '7', ...surrogates.map((each) => `"${each}"`)]);
      return call(
        field,
        field.pick(['create_post', 'reply_review']),
        `{"accountId":"${account}","reviewId":${text},"text":${text}}`,
      );
    },
  },
  {
    name: 'MCP garbage',
    sends: 'batches, methods and versions that there are not',
    share: 30,
    run: (field) =>
      tell(
        field,
        field.pick([
          '[]',
          '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
          '{"jsonrpc":"1.0","id":1,"method":"ping"}',
          '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":[]}',
          '{"jsonrpc":"2.0","method":"x"}',
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
          '{',
        ]),
      ),
  },
];
