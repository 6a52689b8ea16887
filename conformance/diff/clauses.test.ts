import { expect, test } from 'vitest';
import type { ClauseCoverage } from '../report/coverage.ts';
import { relateClauses } from './clauses.ts';

const row = (more: Partial<ClauseCoverage>) =>
  ({ clause: '5.revoked-key', verdict: null, why: null, ...more }) as ClauseCoverage;

test.each([
  ['--mcp-url URL', 'needs --mcp-url-a URL and --mcp-url-b URL'],
  ['CONFORMANCE_SECOND_KEY', 'needs CONFORMANCE_SECOND_KEY_A and CONFORMANCE_SECOND_KEY_B'],
  ['CONFORMANCE_REVOKED_KEY', 'needs CONFORMANCE_REVOKED_KEY_A and CONFORMANCE_REVOKED_KEY_B'],
  ['--allow-writes=links', 'a comparison writes nothing: an audit needs --allow-writes=links'],
  ['--watch', 'no plain run shows it: an audit needs --watch'],
])('a clause that needs %s says how a comparison opens it', (needs, why) => {
  const open = row({ why: `needs ${needs}` });
  expect(relateClauses(open, open)).toEqual({ kind: 'open', why });
});

test('a clause that one side alone shows names the other', () => {
  const relation = relateClauses(row({ verdict: 'pass' }), row({ why: 'nothing showed it' }));
  expect(relation).toEqual({ kind: 'open', why: 'B: nothing showed it' });
});
