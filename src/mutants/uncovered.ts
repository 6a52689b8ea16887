// Stated and implied clauses of the server that no mutant breaks, each with the reason.
import type { ClauseId } from '../contract/generated/clauses.ts';

const mcpOnly = 'Shown by the MCP door alone; mutants are made of REST answers.';
const permission = 'A permission: no answer can break it.';

export const uncovered: Readonly<Partial<Record<ClauseId, string>>> = {
  '1.read-only': 'Only an undocumented request, such as DELETE on an article, could show it.',
  '1.further-tools': mcpOnly,
  '1.mcp-door': mcpOnly,
  '2.nullable-marked': permission,
  '4.any-429': permission,
  '4.connect.list-reviews.order': 'Ruling R23 makes the order a note: review dates are opaque strings.',
  '4.calls.snapshot-repeats': permission,
  '4.calls.snapshot-running':
    'Section 3 hides a call until it has settled (3.call.snapshot-visibility): hiding running calls is the other legal reading.',
  '4.tools.inbox-list': mcpOnly,
  '4.tools.customers-list': mcpOnly,
  '4.tools.customers-list.no-cursor': mcpOnly,
  '4.tools.dialer-import-contacts': mcpOnly,
  '6.no-webhooks': 'A webhook that is not sent cannot be seen, and one that is sent is no answer to a request.',
  '7.envelope.tool-extra': permission,
  '7.envelope.mcp': mcpOnly,
  '8.key-window-shared': mcpOnly,
  '8.body-mcp': mcpOnly,
  '8.import.csv-contacts': mcpOnly,
  '8.import.csv-characters': mcpOnly,
  '8.import.rows': mcpOnly,
  '8.customers-max': mcpOnly,
};
