// Replies without leave to write: account and review do not exist, so nothing can be posted. See 04-replies-written.ts.
import { type Check, defineChecks } from '../check.ts';
import { accountShadows, expectNotInvalid, sendReply, textMax, wideText } from './writing.ts';

const REVIEW = 'casa-conformance-no-such-review';

const longestText: Check = {
  id: 'replies/longest-text',
  title: 'A reply of 4096 characters to an unknown account answers 404 not_found, not 400',
  cites: ['8.reply-text', '2.reply-review-input.text', '4.connect.unknown-account'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const accountId = probe.facts.unknownId;
    const body = { accountId, reviewId: REVIEW, text: wideText(textMax.reply) };
    const exchange = await sendReply(probe, { accountId, reviewId: REVIEW }, body);
    const shadows = accountShadows.filter((code) => code !== 'not_found');
    probe.expectRefusal(exchange, { status: 404, code: 'not_found', clause: '8.reply-text', shadows });
  },
};

const malformedCopies: Check = {
  id: 'replies/malformed-body-copies',
  title: 'Malformed copies of accountId and reviewId in the body of a reply are ignored',
  cites: ['4.rules.path-wins'],
  level: 'must',
  phase: 'refusals',
  after: ['replies/longest-text'],
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const body = { accountId: 'not-a-uuid', reviewId: '', text: 'casa-kit conformance' };
    const exchange = await sendReply(probe, { accountId: probe.facts.unknownId, reviewId: REVIEW }, body);
    expectNotInvalid(probe, exchange, {
      clause: '4.rules.path-wins',
      expected: '404 not_found, as without those copies',
    });
  },
};

const tooLongText: Check = {
  id: 'replies/too-long-text',
  title: 'A reply of 4097 characters is refused',
  cites: ['8.reply-text', '4.connect.reply.invalid'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const accountId = probe.facts.unknownId;
    const body = { accountId, reviewId: REVIEW, text: 'x'.repeat(textMax.reply + 1) };
    const exchange = await sendReply(probe, { accountId, reviewId: REVIEW }, body);
    probe.expectRefusal(exchange, {
      status: 400,
      code: 'invalid_input',
      clause: '8.reply-text',
      shadows: accountShadows,
    });
  },
};

export const replies = defineChecks([longestText, malformedCopies, tooLongText]);
