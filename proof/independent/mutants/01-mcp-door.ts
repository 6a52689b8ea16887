import type { MutantsByClause } from './mutant.ts';
import { restatus } from './recipes.ts';

/** Keys at the MCP door: which of them it lets in. */
export const mcpDoorMutants: MutantsByClause = {
  '1.mcp-door': {
    'mcp-door-breaks-down': {
      shows: 'Every request at the door answers 500.',
      wrong: () => ({ answer: (answer, { visit }) => (visit.door ? restatus(answer, 500) : answer) }),
    },
    'mcp-door-knows-no-key': {
      shows: 'The door refuses the key that the other door takes.',
      wrong: () => ({ 'key.org': (name, { visit }) => (visit.door ? undefined : name) }),
    },
  },
  '5.missing-key': {
    'mcp-door-without-key': {
      shows: 'The door lets a request without a key in.',
      wrong: () => ({ 'key.org': (name, { visit }) => (visit.door && visit.key === undefined ? 'first' : name) }),
    },
  },
  '5.invalid-key': {
    'mcp-door-with-any-key': {
      shows: 'The door lets a request with any key in.',
      wrong: () => ({ 'key.org': (name, { visit }) => (visit.door && visit.key !== undefined ? 'first' : name) }),
    },
    'mcp-door-forbids': {
      shows: 'The door answers 403 to a client without a good key.',
      wrong: () => ({
        'door.refused': (answer, { code }) => (code === 'unauthorized' ? restatus(answer, 403) : answer),
      }),
    },
  },
};
