// Replies without leave to write: account and review do not exist, so nothing can be posted. See 04-replies-written.ts.
import { type Check, defineChecks } from '../check.ts';
import { errorCode } from '../exchange.ts';
import { expectNotInvalid, sendReply, textMax, wideText } from './writing.ts';

const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const reviewId = 'casa-conformance-no-such-review';
const TEXT = 'casa-kit conformance';

/** Three right things in one request; each is asked about alone only when the three together are refused as invalid. */
const rightInputs: Check = {
  id: 'replies/right-inputs',
  title: 'The all-f account id, a reply of 4096 characters and malformed copies in the body are not refused as invalid',
  cites: [
    '8.reply-text',
    '2.reply-review-input.text',
    '2.reply-review-input.account-id-pattern',
    '4.rules.path-wins',
    '4.connect.unknown-account',
  ],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 4, least: 1 },
  async run(probe) {
    const accountId = probe.facts.unknownId;
    const text = wideText(textMax.reply);
    const together = await sendReply(
      probe,
      { accountId: MAX, reviewId },
      { accountId: 'not-a-uuid', reviewId: '', text },
    );
    const isFine = errorCode(together) !== 'invalid_input';
    const ask = (id: string, body: Record<string, unknown>) => sendReply(probe, { accountId: id, reviewId }, body);
    const max = isFine ? together : await ask(MAX, { accountId: MAX, reviewId, text: TEXT });
    const long = isFine ? together : await ask(accountId, { accountId, reviewId, text });
    const copies = isFine ? together : await ask(accountId, { accountId: 'not-a-uuid', reviewId: '', text: TEXT });
    const expected = '404 not_found';
    expectNotInvalid(probe, max, { clause: '2.reply-review-input.account-id-pattern', expected });
    expectNotInvalid(probe, long, { clause: '8.reply-text', expected });
    expectNotInvalid(probe, copies, { clause: '4.rules.path-wins', expected });
  },
};

export const replies = defineChecks([rightInputs]);
