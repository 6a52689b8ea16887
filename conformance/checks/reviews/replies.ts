// Replies without permission to write: account and review do not exist, so nothing can be posted. See
// reviews/replies-written.ts.

import { expectInvalidRejected, invalidReply } from '../../assertions/invalid-bodies.ts';
import { drawn, invalidIds, sendInvalid } from '../../assertions/invalid-inputs.ts';
import {
  checkTogether,
  expectUnknown,
  isPlainInvalid,
  sendReply,
  textMax,
  versioned,
  wideText,
} from '../../assertions/writes.ts';
import { errorCode } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';

const reviewId = 'casa-conformance-no-such-review';
/** The shortest that section 2 allows. */
const shortId = 'x';
const replyText = 'casa-kit conformance';
const replyMax = textMax.reply;

/** Four valid inputs in one request; each is sent alone only if the four are rejected as invalid together. */
const validInputs: CheckRow = {
  id: 'replies/right-inputs',
  title: 'Valid reply inputs are not rejected as invalid',
  cites: [
    '8.reply-text',
    '2.reply-review-input.text',
    '2.reply-review-input.account-id-pattern',
    '2.reply-review-input.review-id-length',
    '4.connect.reply.review-id',
    '4.rules.path-wins',
    '4.connect.unknown-account',
    '7.code.invalid-input',
    // Of a warning about its capitals.
    '2.create-post-input.account-id-pattern',
  ],
  // Behind the bodies that are too large, which must not stay with the requests that follow.
  cost: { requests: 1, least: 1, confirms: 6 },
  async run(probe) {
    const { unknownId } = probe.facts;
    const ofVersion8 = versioned(unknownId, '8a');
    const text = wideText(replyMax);
    const send = (id: string, review: string, body: Record<string, unknown>) =>
      sendReply(probe, { accountId: id, reviewId: review }, body);
    // In capitals, because hex digits have no case (R9).
    const sendAll = () => send(ofVersion8.toUpperCase(), shortId, { accountId: 42, reviewId: '', text });
    const together = await sendAll();
    const isFine = errorCode(together) !== 'invalid_input';
    const ofId = '2.reply-review-input.account-id-pattern';
    if (!isFine && (await isPlainInvalid(probe, together))) return void (await expectUnknown(probe, together, ofId));
    const plain = { accountId: unknownId, reviewId, text: replyText };
    const one = async (id: string, review: string, body: Record<string, unknown>) =>
      isFine ? together : send(id, review, body);
    const version = await one(ofVersion8, reviewId, { ...plain, accountId: ofVersion8 });
    const short = await one(unknownId, shortId, { ...plain, reviewId: shortId });
    const long = await one(unknownId, reviewId, { ...plain, text });
    const copies = await one(unknownId, reviewId, { accountId: 42, reviewId: '', text: replyText });
    const alone = [version, short, long, copies];
    const isAlone = alone.every((one) => errorCode(one) !== 'invalid_input');
    if (!isFine && isAlone) await checkTogether(probe, together, sendAll);
    await expectUnknown(probe, version, ofId);
    await expectUnknown(probe, short, '4.connect.reply.review-id', ['2.reply-review-input.review-id-length']);
    await expectUnknown(probe, long, '8.reply-text');
    await expectUnknown(probe, copies, '4.rules.path-wins');
  },
};

const invalidInputs: CheckRow = {
  id: 'replies/wrong-inputs',
  title: 'Replies with an invalid text return 400, even for an unknown account',
  cites: ['4.connect.reply.invalid', '4.connect.reply.body', '2.reply-review-input.text', '8.reply-text'],
  phase: 'rejections',
  cost: { requests: 1, least: 1, confirms: 2 },
  async run(probe) {
    const accountId = probe.facts.unknownId;
    const invalidId = drawn(probe, invalidIds);
    const invalid = invalidReply(probe);
    const params = { accountId, reviewId: invalidId };
    // Without the copies of the path: connect/absent-copies looks whether they are missed.
    expectInvalidRejected(
      probe,
      await sendInvalid(probe, { operation: 'replyToReview', params, body: invalid.body }),
      invalid,
    );
  },
};

const usual = { phase: 'bursts' } as const;
export const replies = defineChecks(usual, [invalidInputs]);
export const repliesAfterBursts = defineChecks(usual, [validInputs]);
