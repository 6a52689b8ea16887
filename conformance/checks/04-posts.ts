// Posts without leave to write: every request here names an account that does not exist, so that no server, however
// broken, can make a post of it. What needs a real account is in 04-posts-written.ts.
import { type Check, defineChecks } from '../check.ts';
import { errorCode } from '../exchange.ts';
import { accountShadows, expectNotInvalid, sendPost, textMax, wideText } from './writing.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const VERSION_9 = '6b1f0c2e-5d43-9a7b-8c21-0f9e8d7c6b5a';
const TEXT = 'casa-kit conformance';

const unknownAccount: Check = {
  id: 'posts/unknown-account',
  title:
    'A post of 5000 characters to an unknown account answers 404 not_found: the text is not too long, whatever its bytes',
  cites: [
    '4.connect.unknown-account',
    '8.post-text',
    '2.create-post-input.text',
    '1.unknown-record',
    '7.code.not-found',
  ],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 2, least: 1 },
  async run(probe) {
    const { unknownId } = probe.facts;
    const longest = await sendPost(probe, unknownId, { accountId: unknownId, text: wideText(textMax.post) });
    const shadows = accountShadows.filter((code) => code !== 'not_found');
    if (errorCode(longest) !== 'invalid_input') {
      probe.expectRefusal(longest, { status: 404, code: 'not_found', clause: '4.connect.unknown-account', shadows });
      return;
    }
    // Was it the length? The same with a short text tells.
    const short = await sendPost(probe, unknownId, { accountId: unknownId, text: TEXT });
    const isLength = errorCode(short) !== 'invalid_input';
    const clause = isLength ? '8.post-text' : '4.connect.unknown-account';
    probe.expectRefusal(longest, { status: 404, code: 'not_found', clause, shadows });
  },
};

const extremeIds: Check = {
  id: 'posts/nil-and-max-account-id',
  title: 'The all-zero and the all-f account id are not refused as malformed',
  cites: ['2.create-post-input.account-id-nil-max', '2.create-post-input.account-id-pattern'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 2, least: 2 },
  async run(probe) {
    for (const accountId of [NIL, MAX]) {
      const exchange = await sendPost(probe, accountId, { accountId, text: TEXT });
      const expected = '404 not_found: well-formed, and unknown';
      expectNotInvalid(probe, exchange, { clause: '2.create-post-input.account-id-nil-max', expected });
    }
  },
};

const malformedId: Check = {
  id: 'posts/malformed-account-id',
  title: 'An account id of version 9 is refused',
  cites: ['2.create-post-input.account-id-pattern', '4.connect.account-id'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await sendPost(probe, VERSION_9, { accountId: VERSION_9, text: TEXT });
    const clause = '2.create-post-input.account-id-pattern';
    probe.expectRefusal(exchange, { status: 400, code: 'invalid_input', clause, shadows: accountShadows });
  },
};

const malformedCopy: Check = {
  id: 'posts/malformed-body-copy',
  title: 'A malformed accountId in the body of a post is ignored, because the path value wins',
  cites: ['4.rules.path-wins'],
  level: 'must',
  phase: 'refusals',
  after: ['posts/unknown-account'],
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await sendPost(probe, probe.facts.unknownId, { accountId: 'not-a-uuid', text: TEXT });
    expectNotInvalid(probe, exchange, { clause: '4.rules.path-wins', expected: '404 not_found, as without that copy' });
  },
};

const tooLongText: Check = {
  id: 'posts/too-long-text',
  title: 'A text of 5001 characters is refused',
  cites: ['8.post-text', '4.connect.create-post.invalid', '7.code.invalid-input'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const { unknownId } = probe.facts;
    const exchange = await sendPost(probe, unknownId, { accountId: unknownId, text: 'x'.repeat(textMax.post + 1) });
    probe.expectRefusal(exchange, {
      status: 400,
      code: 'invalid_input',
      clause: '8.post-text',
      shadows: accountShadows,
    });
  },
};

export const posts = defineChecks([unknownAccount, extremeIds, malformedId, malformedCopy, tooLongText]);
