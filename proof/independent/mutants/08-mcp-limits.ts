import type { MutantsByClause } from './mutant.ts';
import { recoded, restatus } from './recipes.ts';

/** How much the MCP door takes, and how often. */
export const mcpLimitMutants: MutantsByClause = {
  '8.body-mcp': {
    'mcp-cap-of-the-other-door': {
      shows: 'The door takes 2,500,000 bytes.',
      needs: 'bursts',
      wrong: () => ({ 'door.cap': () => 2_500_000 }),
    },
    'mcp-cap-one-lower': {
      shows: 'The door refuses 1,048,576 bytes.',
      needs: 'bursts',
      wrong: () => ({ 'door.cap': (bytes) => bytes - 1 }),
    },
    'mcp-cap-one-higher': {
      shows: 'The door takes 1,048,577 bytes.',
      needs: 'bursts',
      wrong: () => ({ 'door.cap': (bytes) => bytes + 1 }),
    },
    'mcp-cap-of-a-million': {
      shows: 'The door takes 1,000,000 bytes.',
      needs: 'bursts',
      wrong: () => ({ 'door.cap': () => 1_000_000 }),
    },
    'mcp-too-large-is-invalid': {
      shows: 'A body over the cap of the door answers 400.',
      needs: 'bursts',
      wrong: () => ({
        'door.refused': (answer, { code }) => (code === 'payload_too_large' ? restatus(answer, 400) : answer),
      }),
    },
    'mcp-too-large-without-code': {
      shows: 'A body over the cap of the door answers 413 with another code.',
      needs: 'bursts',
      variant: 'mixed',
      wrong: () => ({
        'door.refused': (answer, { code }) =>
          code === 'payload_too_large' ? recoded(answer, answer.status, 'too_big') : answer,
      }),
    },
  },
  '7.envelope.mcp': {
    'mcp-blocked-as-at-the-other-door': {
      shows: 'A blocked request at the door gets { error: "rate_limit_exceeded" }.',
      needs: 'bursts',
      wrong: () => ({ 'door.limited': (answer) => ({ ...answer, body: { error: 'rate_limit_exceeded' } }) }),
    },
    'mcp-blocked-with-envelope': {
      shows: 'A blocked request at the door gets the tool envelope.',
      needs: 'bursts',
      wrong: () => ({
        'door.limited': (answer) => ({ ...answer, body: { error: { code: 'rate_limited', message: 'too many' } } }),
      }),
    },
    'mcp-blocked-with-200': {
      shows: 'A blocked request at the door gets its JSON-RPC error with status 200.',
      needs: 'bursts',
      wrong: () => ({ 'door.limited': (answer) => restatus(answer, 200) }),
    },
  },
  '8.key-window-shared': {
    'mcp-window-of-its-own': {
      shows: 'Requests at the door count in a window of their own for each key.',
      needs: 'bursts',
      variant: 'strict',
      wrong: () => ({
        'limit.name': (name, { which, visit }) => (which === 'key' && visit.door ? `door of ${name}` : name),
      }),
    },
    'mcp-not-counted': {
      shows: 'Requests at the door do not count for the key.',
      needs: 'bursts',
      variant: 'strict',
      wrong: () => ({
        'limit.name': (name, { which, visit }) => (which === 'key' && visit.door ? undefined : name),
      }),
    },
  },
};
