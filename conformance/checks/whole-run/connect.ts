// The connect endpoints, as all requests of the history show them.
import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import { ConnectAccountInput } from '../../../src/contract/generated/validators.js';
import { parseJson } from '../../../src/contract/json.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { dataOf, type Exchange, errorCode, isObject } from '../../exchange/exchange.ts';
import { ofKey } from '../../exchange/history.ts';
import { findField } from '../../exchange/pointer.ts';
import { invalidLinkLabel } from '../../exchange/request.ts';
import { about } from '../../judge/expect.ts';
import type { Judged } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

const six = words(
  'createConnectLink listAccounts createPost listReviews replyToReview getInsights',
) satisfies readonly OperationId[];

const sixOperations: Judged = {
  id: 'accounts/six-operations',
  title: 'All six connect endpoints exist',
  clauses: ['1.connect-operations'],
  *judge(history) {
    // A path that does not exist returns neither 200 nor a rejection of the input.
    const isThere = (exchange: Exchange) => exchange.status === 200 || errorCode(exchange) === 'invalid_input';
    const done = ofKey(history).filter(isThere);
    const open = six.filter((id) => !done.some(({ operation }) => operation === id));
    const names = open.map((id) => `${operations[id].method} ${operations[id].path}`).join(', ');
    if (open.length > 0)
      yield { doubt: 'precondition', message: `no 200 and no invalid_input in this run of ${names}` };
    else yield { isTrue: true, clause: '1.connect-operations', expected: 'all six', actual: 'as expected' };
  },
};

/** Both fields are given, and both are invalid. */
function hasTwoErrors({ label, requestBody }: Exchange): boolean {
  const input = parseJson(requestBody.text ?? '');
  if (!isObject(input) || input.provider === undefined || input.label === undefined) return label === invalidLinkLabel;
  ConnectAccountInput(input);
  const places = (ConnectAccountInput.errors ?? []).map(({ instancePath }) => instancePath);
  return places.includes('/provider') && places.includes('/label');
}

/** A list with one entry can still name both, in any format (R26). */
function namesBoth(found: unknown): boolean {
  const text = JSON.stringify(found) ?? '';
  const isSingle = typeof found === 'object' && found !== null && Object.keys(found).length === 1;
  return !isSingle || (/provider/i.test(text) && /label/i.test(text));
}

const eachProblem: Judged = {
  id: 'links/each-problem',
  title: 'A request with two errors returns two issues',
  clauses: ['7.code.invalid-input-issues'],
  // R26: two independent problems listed as one are worth a warning.
  level: 'should',
  *judge(history) {
    const isLink = (one: Exchange) => one.operation === 'createConnectLink' && errorCode(one) === 'invalid_input';
    for (const exchange of ofKey(history).filter((one) => isLink(one) && hasTwoErrors(one))) {
      const { value: found, pointer } = findField(exchange.json, 'issues');
      // Whether there are issues at all is rule/issues.
      if (found === undefined) continue;
      const claim = about(exchange, '7.code.invalid-input-issues', pointer);
      const expected = 'an issue for provider and one for label';
      yield { ...claim, isTrue: namesBoth(found), expected, actual: show(found) };
    }
  },
};

/** A server may join posts of the same text, hence only different ones. */
const ownIds: Judged = {
  id: 'posts/own-ids',
  title: 'Every post has a unique id',
  clauses: ['2.create-post-output.post-id'],
  // Only the word "id" implies that it is unique.
  level: 'should',
  scenarios: ['posts/first-written', 'posts/valid-written'],
  *judge(history) {
    const posts = ofKey(history).filter((one) => one.operation === 'createPost' && isPosted(one));
    const texts = new Map<unknown, Set<string>>();
    for (const post of posts) {
      const { postId } = dataOf(post);
      texts.set(postId, (texts.get(postId) ?? new Set()).add(post.requestBody.text ?? ''));
    }
    if (posts.length < 2) return yield { doubt: 'vacuous', message: 'needs at least two posts' };
    const shared = [...texts].find(([, { size }]) => size > 1);
    yield {
      ...about(posts.at(-1), '2.create-post-output.post-id', '/data/postId'),
      isTrue: shared === undefined,
      expected: 'a unique id for each post',
      actual: shared === undefined ? 'as expected' : `${show(shared[0])} for ${count(shared[1].size, 'post')}`,
    };
  },
};

/** A recording can lack bodies. */
const isPosted = (one: Exchange) => one.status === 200 && dataOf(one).postId !== undefined;

export const connect = [sixOperations, eachProblem, ownIds];
