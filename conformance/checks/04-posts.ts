// Posts without leave to write: every request here names an account that does not exist, so that no server, however
// broken, can make a post of it. What needs a real account is in 04-posts-written.ts.
import { type Check, defineChecks } from '../check.ts';
import { errorCode } from '../exchange.ts';
import type { Probe } from '../probe.ts';
import { accountShadows, expectNotInvalid, sendPost, textMax, wideText } from './writing.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const TEXT = 'casa-kit conformance';
const NOT_A_UUID = 'not-a-uuid';

/** The run's unknown id as one of version 7, and of variant b. */
function versionSeven(id: string): string {
  return `${id.slice(0, 14)}7${id.slice(15, 19)}b${id.slice(20)}`;
}

const unknownAccount: Check = {
  id: 'posts/unknown-account',
  title: 'A post to an account the organization does not have answers 404 not_found, also for an id of version 7',
  cites: [
    '4.connect.unknown-account',
    '1.unknown-record',
    '7.code.not-found',
    '2.create-post-input.account-id-pattern',
  ],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 2, least: 1 },
  async run(probe) {
    const accountId = versionSeven(probe.facts.unknownId);
    const exchange = await sendPost(probe, accountId, { accountId, text: TEXT });
    const shadows = accountShadows.filter((code) => code !== 'not_found');
    const isMalformed = errorCode(exchange) === 'invalid_input' && !(await isInvalidToo(probe));
    const clause = isMalformed ? '2.create-post-input.account-id-pattern' : '4.connect.unknown-account';
    probe.expectRefusal(exchange, { status: 404, code: 'not_found', clause, shadows });
  },
};

/** Whether the same post is refused as invalid for an id of version 4, too. */
async function isInvalidToo(probe: Probe): Promise<boolean> {
  const { unknownId } = probe.facts;
  return errorCode(await sendPost(probe, unknownId, { accountId: unknownId, text: TEXT })) === 'invalid_input';
}

/** Three right things in one request; each is asked about alone only when the three together are refused as invalid. */
const rightInputs: Check = {
  id: 'posts/right-inputs',
  title:
    'The all-zero account id, a text of 5000 characters and a malformed accountId in the body are not refused as invalid',
  cites: ['2.create-post-input.account-id-nil-max', '8.post-text', '2.create-post-input.text', '4.rules.path-wins'],
  level: 'must',
  phase: 'refusals',
  after: ['posts/unknown-account'],
  cost: { requests: 4, least: 1 },
  async run(probe) {
    const { unknownId } = probe.facts;
    const longest = wideText(textMax.post);
    const together = await sendPost(probe, NIL, { accountId: NOT_A_UUID, text: longest });
    const isFine = errorCode(together) !== 'invalid_input';
    const nil = isFine ? together : await sendPost(probe, NIL, { accountId: NIL, text: TEXT });
    const long = isFine ? together : await sendPost(probe, unknownId, { accountId: unknownId, text: longest });
    const copy = isFine ? together : await sendPost(probe, unknownId, { accountId: NOT_A_UUID, text: TEXT });
    const expected = '404 not_found';
    expectNotInvalid(probe, nil, { clause: '2.create-post-input.account-id-nil-max', expected });
    expectNotInvalid(probe, long, { clause: '8.post-text', expected });
    expectNotInvalid(probe, copy, { clause: '4.rules.path-wins', expected });
  },
};

export const posts = defineChecks([unknownAccount, rightInputs]);
