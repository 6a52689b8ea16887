// Mutants that the kit may not or cannot notice, and those that it notices by something else: each name with the
// reason.

import type { Excuses } from './kill-gate.ts';

export const excuses: Excuses = {
  unkillable: {
    'mock/sites-redirected-off-base':
      'The run ends at the door, with exit code 4 and one sentence about the redirect, before any check has begun.',
    'mock/calls-limit-200-gives-100':
      'A page with a cursor may be short, as R17 says of articles: the kit notes one that always is.',
    'mock/mcp-inbox-without-next-cursor':
      'Where the door keeps nextCursor is not shown (R53), and a last page may have none (R14): without it nobody knows of further messages.',
    'mock/mcp-address-not-limited':
      'Section 8 says of the window of the key alone that both doors share it; an address may have no limiter at the MCP door (R53).',
  },
  otherReason: {},
  idleChecks: {
    'accounts/six-operations':
      'It holds when each operation has answered 200 once, and leaves to the others what is wrong.',
  },
};
