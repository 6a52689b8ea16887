// Copies of the path in the body: section 2 requires them and section 4 ignores them (interpretation R24). The issues
// of rejected posts and replies show whether the server requires a missing copy. No requests are added.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { invalidLink, invalidPost, invalidReply, invalidTurns, issuesOf } from '../../assertions/invalid-bodies.ts';
import { sendInvalid } from '../../assertions/invalid-inputs.ts';
import { expectRejected, expectUnknown, sendPost } from '../../assertions/writes.ts';
import { type Exchange, errorCode } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { segmentOf } from '../../observe/look.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const ofPost = { accountId: '2.create-post-input.account-id' } as const;
const ofReply = { accountId: '2.reply-review-input.account-id', reviewId: '2.reply-review-input.review-id' } as const;
const ofPattern = '2.create-post-input.account-id-pattern';

const absentCopies: CheckRow = {
  id: 'connect/absent-copies',
  title: 'POST endpoints do not require accountId and reviewId in the body',
  cites: [ofPost.accountId, ofReply.accountId, ofReply.reviewId, ofPattern, '4.connect.unknown-account'],
  // Tests whether version 7 is the reason, if replies require no copy.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const replies = rejectedWithout(probe, 'replyToReview');
    for (const reply of replies)
      for (const [name, clause] of Object.entries(ofReply)) checkCopy(probe, reply, [name, clause]);
    for (const post of rejectedWithout(probe, 'createPost')) {
      const isMissed = names(post, 'accountId');
      // A server that requires the copy in replies likely requires it here too.
      const isExplained = replies.some((reply) => names(reply, 'accountId'));
      if (isMissed && !isExplained && (await isMalformed(probe, post))) return;
      checkCopy(probe, post, ['accountId', ofPost.accountId], [ofPattern]);
    }
  },
};

/** Rejected as invalid, with a list of problems, and a body without the copy. */
function rejectedWithout(probe: Probe, operation: 'createPost' | 'replyToReview'): Exchange[] {
  const isOne = (one: Exchange) => one.operation === operation && one.key === 'good' && lacksCopy(one);
  return probe.history().filter((one) => isOne(one) && errorCode(one) === 'invalid_input' && issuesOf(one).listed > 0);
}

function lacksCopy({ requestBody: { text } }: Exchange): boolean {
  return /^\{"(text|media)":/.test(text ?? '') && !/"(account|review)Id":/.test(text ?? '');
}

function names(exchange: Exchange, field: string): boolean {
  return issuesOf(exchange).text.includes(field.toLowerCase());
}

/** Fails if the issues name the copy; passes if several issues do not name it. */
function checkCopy(
  probe: Probe,
  exchange: Exchange,
  [name, clause]: readonly [string, ClauseId],
  also: readonly ClauseId[] = [],
): void {
  const isNamed = names(exchange, name);
  if (!isNamed && !listsSeveral(probe)) return;
  probe.holds(!isNamed, {
    ...about(exchange, clause, issuesOf(exchange).pointer),
    proves: isNamed ? [] : [clause, ...also],
    expected: `none for ${name}, which is in the path`,
    actual: isNamed ? `an issue for ${name}` : 'none',
  });
}

/** A server that lists only the first problem might have found others. */
function listsSeveral(probe: Probe): boolean {
  const rejected = probe.history().filter((one) => one.key === 'good' && errorCode(one) === 'invalid_input');
  return rejected.some((one) => issuesOf(one).listed > 1);
}

/** Whether the id itself is rejected: with its copy, and with a right text. Nobody has the account. */
async function isMalformed(probe: Probe, post: Exchange): Promise<boolean> {
  const accountId = segmentOf(post, 2);
  const whole = await sendPost(probe, accountId, { accountId, text: 'casa-kit conformance' });
  await expectUnknown(probe, whole, ofPattern);
  return errorCode(whole) === 'invalid_input';
}

export const absentCopiesOfWrites = defineChecks({ phase: 'rejections' }, [absentCopies]);

// The fields of a post, a reply and a link, wrong in every way that the pools have. An audit draws one of them each.

const reviewId = 'casa-conformance-no-such-review';
/** An audit runs the checks of the first turns. */
const turns = Array.from({ length: invalidTurns - 1 }, (_, index) => index + 1);

const invalidFields: CheckRow = {
  id: 'connect/wrong-members',
  title: 'POST endpoints reject every invalid field without a server error',
  cites: [
    '4.connect.statuses',
    '4.connect.create-post.invalid',
    '4.connect.reply.invalid',
    '4.connect.create-link.invalid',
  ],
  needs: ['extended'],
  cost: { requests: 3 * turns.length, least: 1, confirms: 6 * turns.length },
  async run(probe) {
    const accountId = probe.facts.unknownId;
    for (const turn of turns) {
      const post = { accountId, ...invalidPost(probe, turn).body };
      expectRejected(probe, await sendInvalid(probe, { operation: 'createPost', params: { accountId }, body: post }));
      const reply = { accountId, reviewId, ...invalidReply(probe, turn).body };
      const params = { accountId, reviewId };
      expectRejected(probe, await sendInvalid(probe, { operation: 'replyToReview', params, body: reply }));
      const link = { ...invalidLink(probe, turn).body };
      expectRejected(probe, await sendInvalid(probe, { operation: 'createConnectLink', body: link }));
    }
  },
};

export const invalidFieldsOfWrites = defineChecks({ phase: 'rejections' }, [invalidFields]);
