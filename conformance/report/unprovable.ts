// Clauses that no answer can break. A run cannot prove them, and reports say why.
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';

const permission = 'a permission: the service may, and need not';
const bothWays = 'the contract says two things, and either is taken';

/** A clause that could be broken, and that no polite request can put to the test. */
export const untestable: Partial<Record<ClauseId, string>> = {
  '1.read-only': 'no check looks at it: a request that could show it might change something',
};

const nextAudit = 'asked in turns: a later plain audit asks for it, or one with another --seed';
const trouble = 'shows only while a platform fails';
const unpaid = 'shows only where a payment is due, or a locked account is asked';

/** Clauses that a plain audit may leave open although nothing is missing, and what opens them at the least cost. */
export const seldom: Partial<Record<ClauseId, string>> = {
  '4.articles.get.id': nextAudit,
  '4.articles.get.not-found': nextAudit,
  '4.sites.get.id': nextAudit,
  '4.sites.get.not-found': nextAudit,
  '4.connect.account-id': nextAudit,
  '7.code.payment-required': unpaid,
  '7.code.payment-required-reason': unpaid,
  '7.code.rate-limited': trouble,
  '7.code.provider-error': trouble,
  '7.code.transient': trouble,
};

const reasons: Partial<Record<ClauseId, string>> = {
  '1.further-tools': 'where they are is not shown, so one that is missing is noted',
  '2.nullable-marked': permission,
  '4.any-429': permission,
  '4.calls.snapshot-repeats': permission,
  '7.envelope.tool-extra': permission,
  '4.articles.list.unknown-site': bothWays,
  '4.articles.list.bad-query': bothWays,
  '4.articles.get.malformed-id': bothWays,
  '4.sites.get.malformed-id': bothWays,
  '4.keywords.list.unknown-site': bothWays,
  '4.connect.statuses-unlisted': bothWays,
  '4.calls.bad-parameters': bothWays,
  '8.import.beyond-mcp-cap': bothWays,
  '4.connect.limiter-429': bothWays,
  '3.call.snapshot-visibility': bothWays,
  '4.calls.snapshot-running': 'section 3 hides calls in progress, so a snapshot without any is right, too',
  '4.connect.list-reviews.order': 'which date makes information newest is open',
  '3.link.single-use': 'what uses a link up happens outside of the interface',
  '6.no-webhooks': 'that a service never calls its clients does not show in its answers',
};

/** Why no answer of a server can break the clause; null when one can. */
export function whyUnprovable(clause: ClauseId): string | null {
  const { standing, seenBy } = clauses[clause];
  if (standing === 'silent') return 'the contract leaves it open';
  if (seenBy === 'client') return 'a rule for clients';
  if (seenBy === 'nobody') return 'it does not show in answers';
  return reasons[clause] ?? null;
}
