// Mutants that the kit may not or cannot notice, and those that it notices by something else: each name with the
// reason.

import type { Excuses } from './kill-gate.ts';

export const excuses: Excuses = {
  unkillable: {
    'mock/sites-redirected-off-base':
      'The run ends at the door, with exit code 4 and one sentence about the redirect, before any check has begun.',
    'mock/calls-limit-200-gives-100':
      'A page with a cursor may be short, as R17 says of articles: the kit notes one that always is.',
    'independent/key-sixtieth-refused':
      'One request too few may be the doing of somebody else who uses the key (R3), unless the first answer says that nobody does.',
    'independent/calls-reported-late-are-lost':
      'A call that does not come is worth a warning at most (R39), and a watch ends with the first call that it has followed.',
    'mock/key-case-ignored': 'The key ends in hexadecimal digits (5.key-form), and those have no case.',
    'independent/post-account-without-hyphens':
      'The same id in another spelling: a lenient reader of UUIDs takes it (R10 asks for refusals of version and variant only).',
    'independent/snapshot-hides-running':
      'Section 3 hides a call until it has settled: the other legal reading (3.call.snapshot-visibility).',
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
