// Judged at the end of the run, from everything that it has shown, without a request of its own.

import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import { about } from '../../assertions/claims.ts';
import { type Exchange, errorCode } from '../../exchange/exchange.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { findMember } from '../../rules/envelope.ts';

/** The operations that section 1 counts. */
const SIX = [
  'createConnectLink',
  'listAccounts',
  'createPost',
  'listReviews',
  'replyToReview',
  'getInsights',
] as const satisfies readonly OperationId[];

const sixOperations: CheckRow = {
  id: 'accounts/six-operations',
  title: 'Each of the six operations on connected accounts has answered as one that is there',
  cites: ['1.connect-operations'],
  cost: { requests: 0 },
  async run(probe) {
    // What is not there answers neither 200 nor a refusal that has looked at the input.
    const isThere = (exchange: Exchange) => exchange.status === 200 || errorCode(exchange) === 'invalid_input';
    const done = probe.history().filter((exchange) => exchange.key === 'good' && isThere(exchange));
    const open = SIX.filter((id) => !done.some(({ operation }) => operation === id));
    const names = open.map((id) => `${operations[id].method} ${operations[id].path}`).join(', ');
    if (open.length > 0) return probe.stop('precondition', `no 200 and no invalid_input in this run of ${names}`);
    probe.holds(true, { clause: '1.connect-operations', expected: 'all six', actual: 'as expected' });
  },
};

/** Larger than any body but the one at the cap, which names neither a provider nor a label. */
const PADDED = 1_000_000;

/**
 * Bodies of this kit in which both provider and label are wrong: told by the mark of links/refuses-wrong-bodies, or by
 * the size of the padded ones.
 */
function lacksBoth({ requestBody: { bytes, text } }: Exchange): boolean {
  return bytes > PADDED || text?.includes('"label":"","maxAccounts":99') === true;
}

/** A list of one entry may still name both, in whatever shape (R26). */
function namesBoth(found: unknown): boolean {
  const text = JSON.stringify(found) ?? '';
  const isSingle = typeof found === 'object' && found !== null && Object.keys(found).length === 1;
  return !isSingle || (/provider/i.test(text) && /label/i.test(text));
}

const eachProblem: CheckRow = {
  id: 'links/each-problem',
  title: 'With several fields wrong in one body, issues lists more than one problem',
  cites: ['7.code.invalid-input-issues'],
  // R26: two independent problems listed as one are worth a warning.
  level: 'should',
  cost: { requests: 0 },
  async run(probe) {
    const refused = probe.history().filter((exchange) => {
      const isLink = exchange.operation === 'createConnectLink' && exchange.key === 'good';
      return isLink && errorCode(exchange) === 'invalid_input' && lacksBoth(exchange);
    });
    // Whether there are issues at all is rule/issues.
    const lists = refused.map((exchange) => ({ exchange, found: findMember(exchange.json, 'issues') }));
    for (const { exchange, found } of lists.filter(({ found }) => found !== undefined)) {
      probe.holds(namesBoth(found), {
        ...about(exchange, '7.code.invalid-input-issues', '/error/issues'),
        expected: 'the problem of provider and that of label',
        actual: show(found),
      });
    }
  },
};

export const wholeRun = defineChecks({ phase: 'after bursts' }, [sixOperations, eachProblem]);
