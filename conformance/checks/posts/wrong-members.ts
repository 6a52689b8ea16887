// The members of a post, a reply and a link, wrong in every way that the pools have. An audit draws one of them each.

import { sendOdd } from '../../assertions/odd-inputs.ts';
import { thorough } from '../../assertions/thorough.ts';
import { isOfAccount } from '../../assertions/write-answers.ts';
import { wrongLink, wrongPost, wrongReply, wrongTurns } from '../../assertions/wrong-inputs.ts';
import { type Exchange, errorCode } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const reviewId = 'casa-conformance-no-such-review';
/** The first turns are those of the checks that an audit has room for. */
const turns = Array.from({ length: wrongTurns - 1 }, (_, index) => index + 1);

const wrongMembers: CheckRow = {
  id: 'connect/wrong-members',
  title: 'Posts, replies and links are refused and break nothing, in whatever way their members are wrong',
  cites: [
    '4.connect.statuses',
    '4.connect.create-post.invalid',
    '4.connect.reply.invalid',
    '4.connect.create-link.invalid',
  ],
  needs: thorough,
  cost: { requests: 3 * turns.length, least: 1, confirms: 6 * turns.length },
  async run(probe) {
    const accountId = probe.facts.unknownId;
    for (const turn of turns) {
      const post = { accountId, ...wrongPost(probe, turn).body };
      expectRefused(probe, await sendOdd(probe, { operation: 'createPost', params: { accountId }, body: post }));
      const reply = { accountId, reviewId, ...wrongReply(probe, turn).body };
      const params = { accountId, reviewId };
      expectRefused(probe, await sendOdd(probe, { operation: 'replyToReview', params, body: reply }));
      const link = { ...wrongLink(probe, turn).body };
      expectRefused(probe, await sendOdd(probe, { operation: 'createConnectLink', body: link }));
    }
  },
};

/** Nobody has the account, and payment may be asked for before the body is read (R1). */
function expectRefused(probe: Probe, exchange: Exchange): void {
  if (isOfAccount(exchange) || errorCode(exchange) === 'payment_required') return;
  probe.expectStatus(exchange, [400, 404], '4.connect.statuses');
}

export const wrongMembersOfWrites = defineChecks({ phase: 'refusals' }, [wrongMembers]);
