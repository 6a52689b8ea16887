// An MCP door that does not open. Cites 1.mcp-door.
import { onLeave } from './hooks/mcp-door.ts';
import { mcpMutantsOf } from './hooks/mutants-of.ts';
import { withJson, withStatus } from './hooks/rewrite.ts';

export const mcpDoorMutants = mcpMutantsOf({
  '1.mcp-door': {
    'mcp-door-500': [
      'Every request with a good key at the MCP door answers 500.',
      onLeave((response) => (response.status < 300 ? withStatus(response, 500) : response)),
    ],
    'mcp-door-speaks-rest': [
      'The MCP door answers every message with an object that is not JSON-RPC.',
      onLeave((response) => (response.status < 300 ? withJson(response, { data: [], summary: '' }) : response)),
    ],
  },
});
