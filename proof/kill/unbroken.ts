// Stated and implied clauses of the server that no mutant breaks, each with the reason.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';

const named = 'Named it is, but not that it lives at the MCP door: a tool that is missing there is a note (R53).';
const permission = 'A permission: no answer can break it.';

/** By clause. An entry for a clause that a mutant does break fails a test. */
export const unbroken: Readonly<Partial<Record<ClauseId, string>>> = {
  '1.further-tools': named,
  '2.nullable-marked': permission,
  '4.any-429': permission,
  '4.connect.list-reviews.order': 'Ruling R23 makes the order a note: review dates are opaque strings.',
  '4.calls.snapshot-repeats': permission,
  '4.calls.snapshot-running':
    'Section 3 hides a call until it has settled (3.call.snapshot-visibility): hiding running calls is the other legal reading.',
  '6.no-webhooks': 'A webhook that is not sent cannot be seen, and one that is sent is not an answer to a request.',
  '7.envelope.tool-extra': permission,
  '8.import.either':
    'The mutant that takes both breaks 4.tools.dialer-import-contacts, which says the same of the tool.',
};
