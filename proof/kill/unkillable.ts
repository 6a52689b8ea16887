// Mutants that the kit may not or cannot notice, and those that it notices by something else: each name with the
// reason.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { Excuses } from './kill-gate.ts';

export const excuses: Excuses = {
  unkillable: {
    'mock/sites-redirected-off-base':
      'The run ends in the preflight, with exit code 4 and one sentence about the redirect, before any check starts.',
    'mock/calls-limit-200-gives-100':
      'A page with a cursor may be short, as R17 says of articles: the kit notes one that always is.',
    'mock/mcp-inbox-without-next-cursor':
      'The place of nextCursor in a tool is not specified (R53), and a last page can lack it (R14): without it further messages are unknown.',
    'mock/mcp-address-not-limited':
      'Section 8 says of the window of the key alone that both endpoints share it; an address may have no limiter at the MCP endpoint (R53).',
  },
  otherReason: {},
  idleChecks: {
    'accounts/six-operations':
      'It holds when each operation has returned 200 once, and leaves to the others what is wrong.',
  },
};

const named = 'Named it is, but not that it lives at the MCP endpoint: a tool that is missing there is a note (R53).';
const permission = 'A permission: no response can break it.';

/** By clause. An entry for a clause that a mutant does break fails a test. */
export const unbroken: Readonly<Partial<Record<ClauseId, string>>> = {
  '1.further-tools': named,
  '2.nullable-marked': permission,
  '4.any-429': permission,
  '4.connect.list-reviews.order': 'Interpretation R23 makes the order a note: review dates are opaque strings.',
  '4.calls.snapshot-repeats': permission,
  '4.calls.snapshot-running':
    'Section 3 hides a call until it has settled (3.call.snapshot-visibility): hiding running calls is also legal.',
  '6.no-webhooks': 'A webhook that is not sent cannot be seen, and one that is sent is not a response to a request.',
  '7.envelope.tool-extra': permission,
  '8.import.either':
    'The mutant that takes both breaks 4.tools.dialer-import-contacts, which says the same of the tool.',
};
