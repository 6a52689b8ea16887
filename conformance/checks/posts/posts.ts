// Posts without permission to write: every request here names an account that does not exist, so no server,
// however broken, can make a post of it. Checks that need a real account are in posts/written.ts.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { accountsOrNone } from '../../assertions/accounts.ts';
import { expectInvalidRejected, invalidPost, invalidPostClauses } from '../../assertions/invalid-bodies.ts';
import { sendInvalid, turnOf } from '../../assertions/invalid-inputs.ts';
import {
  checkTogether,
  expectRejected,
  expectUnknown,
  isPlainInvalid,
  isThere,
  malformedId,
  sendPost,
  sendReply,
  textMax,
  unknownShadows,
  versioned,
  warnOfCapitals,
  wideText,
} from '../../assertions/writes.ts';
import { errorCode } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { bytesOf, invalidBodies, invalidIds, maxUuid, nilUuid, rareBodies } from '../../scenarios/inputs.ts';

const postText = 'casa-kit conformance';
/** A server that looks at the copy at all rejects it, for its type or for its form. */
const noCopy = 42;
const reviewId = 'casa-conformance-no-such-review';
const bodies = [...invalidBodies, ...rareBodies];

const unknownAccount: CheckRow = {
  id: 'posts/unknown-account',
  title: 'POST .../posts returns 404 for an unknown account',
  cites: [
    '4.connect.unknown-account',
    '1.unknown-record',
    '7.code.not-found',
    '2.create-post-input.account-id-pattern',
  ],
  cost: { requests: 1, least: 1, confirms: 2 },
  async run(probe) {
    // In capitals, because hex digits have no case (R9).
    const small = versioned(probe.facts.unknownId, '7b');
    const capitals = await sendPost(probe, small.toUpperCase(), { accountId: small.toUpperCase(), text: postText });
    const isInvalid = errorCode(capitals) === 'invalid_input';
    const exchange = isInvalid ? await sendPost(probe, small, { accountId: small, text: postText }) : capitals;
    if (isInvalid && errorCode(exchange) !== 'invalid_input') warnOfCapitals(probe, capitals);
    const isMalformed = errorCode(exchange) === 'invalid_input' && !(await isInvalidToo(probe));
    const clause = isMalformed ? '2.create-post-input.account-id-pattern' : '4.connect.unknown-account';
    const unknown = ['4.connect.unknown-account', '1.unknown-record'] as const;
    const proves = isThere(probe, exchange) ? unknown : [];
    probe.expectRejection(exchange, { status: 404, code: 'not_found', clause, proves, shadows: unknownShadows });
  },
};

const invalidInputs: CheckRow = {
  id: 'posts/wrong-inputs',
  title: 'Invalid posts return 400, even for an unknown account',
  cites: ['7.code.invalid-input', ...invalidPostClauses],
  needs: [],
  cost: { requests: 1, least: 1, confirms: 2 },
  async run(probe) {
    const invalid = invalidPost(probe);
    // With an id of version 7 and no copy of it: connect/absent-copies looks whether either is held against it.
    const params = { accountId: versioned(probe.facts.unknownId, '7b') };
    expectInvalidRejected(
      probe,
      await sendInvalid(probe, { operation: 'createPost', params, body: invalid.body }),
      invalid,
    );
  },
};

const invalidBodiesCheck: CheckRow = {
  id: 'posts/odd-bodies',
  title: 'POST endpoints reject malformed bodies and review ids',
  cites: ['4.connect.statuses', '4.connect.create-post.body', '4.connect.reply.body'],
  cost: { requests: 2 * bodies.length + invalidIds.length, least: 1, confirms: 2 * bodies.length },
  async run(probe) {
    const accountId = probe.facts.unknownId;
    for (const body of bodies) {
      const bytes = bytesOf(body);
      expectRejected(probe, await sendInvalid(probe, { operation: 'createPost', params: { accountId }, bytes }));
      expectRejected(
        probe,
        await sendInvalid(probe, { operation: 'replyToReview', params: { accountId, reviewId }, bytes }),
      );
    }
    for (const id of invalidIds) {
      const body = { accountId, reviewId: id, text: postText };
      const params = { accountId, reviewId: id };
      expectRejected(probe, await sendInvalid(probe, { operation: 'replyToReview', params, body }));
    }
  },
};

/** Whether the same post is rejected as invalid for an id of version 4, too. */
async function isInvalidToo(probe: Probe): Promise<boolean> {
  const { unknownId } = probe.facts;
  return errorCode(await sendPost(probe, unknownId, { accountId: unknownId, text: postText })) === 'invalid_input';
}

/** An organization may have named a real account so; then nothing is sent to it without permission. */
async function stopIfListed(probe: Probe, ids: readonly string[]): Promise<void> {
  const rows = await accountsOrNone(probe);
  const listed = ids.find((id) => rows.some(({ accountId }) => sameId(accountId, id)));
  if (listed !== undefined) probe.stop('precondition', `the organization has an account ${listed}`);
}

/** The all-zero id in most audits, the all-f one in capitals (R9) in the others. */
function smallOf({ settings: { seed } }: Probe): string {
  return turnOf(seed, 4) < 3 ? nilUuid : maxUuid;
}

/** Several valid inputs in one request; each is sent alone only if they are rejected as invalid together. */
const validInputs: CheckRow = {
  id: 'posts/right-inputs',
  title: 'Valid post inputs are not rejected as invalid',
  cites: [
    '2.create-post-input.account-id-nil-max',
    '2.create-post-input.account-id-pattern',
    '8.post-text',
    '2.create-post-input.text',
    '2.create-post-input.media',
    '2.create-post-input.media.image-url',
    '2.create-post-input.link',
    '4.rules.path-wins',
    '4.connect.unknown-account',
    '7.code.invalid-input',
  ],
  needs: [],
  cost: { requests: 1, least: 1, confirms: 6, uses: ['accounts'] },
  async run(probe) {
    const { unknownId } = probe.facts;
    const small = smallOf(probe);
    await stopIfListed(probe, [small]);
    const clause = '2.create-post-input.account-id-nil-max';
    const longest = wideText(textMax.post);
    const optional = { media: { imageUrl: 'http://example.com/image.png' }, link: 'http://example.com/?casa=1#kit' };
    const send = () => sendPost(probe, small.toUpperCase(), { accountId: noCopy, text: longest, ...optional });
    const together = await send();
    const isFine = errorCode(together) !== 'invalid_input';
    if (!isFine && (await isPlainInvalid(probe, together))) return void (await expectUnknown(probe, together, clause));
    const id = isFine ? together : await sendPost(probe, small, { accountId: small, text: postText });
    const long = isFine ? together : await sendPost(probe, unknownId, { accountId: unknownId, text: longest });
    const copy = isFine ? together : await sendPost(probe, unknownId, { accountId: noCopy, text: postText });
    const rich = isFine
      ? together
      : await sendPost(probe, unknownId, { accountId: unknownId, text: postText, ...optional });
    const alone = [id, long, copy, rich];
    const isAlone = alone.every((one) => errorCode(one) !== 'invalid_input');
    if (!isFine && isAlone) await checkTogether(probe, together, send);
    await expectUnknown(probe, id, clause);
    await expectUnknown(probe, long, '8.post-text');
    await expectUnknown(probe, long, '2.create-post-input.text');
    await expectUnknown(probe, copy, '4.rules.path-wins');
    await expectUnknown(probe, rich, '2.create-post-input.media', ['2.create-post-input.media.image-url']);
    await expectUnknown(probe, rich, '2.create-post-input.link');
  },
};

/** Both match the pattern of section 2, although many checks of UUIDs reject them. */
const nilAndMax: CheckRow = {
  id: 'posts/nil-and-max',
  title: 'The nil and max UUIDs are not rejected as malformed account ids',
  cites: [
    '2.create-post-input.account-id-nil-max',
    '2.reply-review-input.account-id-pattern',
    '4.connect.unknown-account',
  ],
  after: ['posts/right-inputs'],
  cost: { requests: 3, least: 2, confirms: 1, uses: ['accounts'] },
  async run(probe) {
    await stopIfListed(probe, [nilUuid, maxUuid]);
    // The one that posts/right-inputs does not test.
    const other = smallOf(probe) === nilUuid ? maxUuid : nilUuid;
    const post = await sendPost(probe, other, { accountId: other, text: postText });
    await expectUnknown(probe, post, '2.create-post-input.account-id-nil-max');
    for (const accountId of [nilUuid, maxUuid]) {
      const reply = await sendReply(probe, { accountId, reviewId }, { accountId, reviewId, text: postText });
      await expectUnknown(probe, reply, '2.reply-review-input.account-id-pattern');
    }
  },
};

/** Version digit, then variant digit: a wrong version at each end, and a wrong variant at each end. */
const malformed = ['0a', '9b', '47', '4c'] as const;

const malformedIds: CheckRow = {
  id: 'posts/malformed-ids',
  title: 'POST endpoints reject malformed account ids',
  cites: ['2.create-post-input.account-id-pattern', '2.reply-review-input.account-id-pattern'],
  after: ['posts/unknown-account'],
  cost: { requests: 2 * malformed.length },
  async run(probe) {
    for (const digits of malformed) {
      const accountId = versioned(probe.facts.unknownId, digits);
      const post = await sendPost(probe, accountId, { accountId, text: postText });
      probe.expectRejection(post, { ...malformedId, clause: '2.create-post-input.account-id-pattern' });
      const reply = await sendReply(probe, { accountId, reviewId }, { accountId, reviewId, text: postText });
      probe.expectRejection(reply, { ...malformedId, clause: '2.reply-review-input.account-id-pattern' });
    }
  },
};

/** Version digit, then variant digit; some for each operation, since both share the pattern. */
const validDigits = { posts: ['18', '29', '3a', '5b', '68', '8a'], replies: ['19', '6b', '7a'] } as const;

const validIds: CheckRow = {
  id: 'posts/right-ids',
  title: 'POST endpoints accept account ids of every UUID version',
  cites: [
    '2.create-post-input.account-id-pattern',
    '2.reply-review-input.account-id-pattern',
    '4.connect.unknown-account',
  ],
  after: ['posts/unknown-account'],
  cost: { requests: validDigits.posts.length + validDigits.replies.length, confirms: 1 },
  async run(probe) {
    for (const digits of validDigits.posts) {
      const accountId = versioned(probe.facts.unknownId, digits);
      const post = await sendPost(probe, accountId, { accountId, text: postText });
      await expectUnknown(probe, post, '2.create-post-input.account-id-pattern');
    }
    for (const digits of validDigits.replies) {
      const accountId = versioned(probe.facts.unknownId, digits);
      const reply = await sendReply(probe, { accountId, reviewId }, { accountId, reviewId, text: postText });
      await expectUnknown(probe, reply, '2.reply-review-input.account-id-pattern');
    }
  },
};

/** Of no type, empty, malformed, and of another type. */
const copies = [null, '', 'not-a-uuid', ['x']] as const;

const anyCopy: CheckRow = {
  id: 'posts/any-copy',
  title: 'POST endpoints ignore accountId and reviewId in the body',
  cites: [
    '4.rules.path-wins',
    '2.create-post-input.account-id',
    '2.reply-review-input.account-id',
    '4.connect.unknown-account',
  ],
  after: ['posts/right-inputs'],
  cost: { requests: copies.length + 2, confirms: 1 },
  async run(probe) {
    const { unknownId } = probe.facts;
    // A null copy counts as absent: servers that require the copy can reject it (interpretation R66).
    const clauseOf = (copy: unknown, ofNull: ClauseId) => (copy === null ? ofNull : '4.rules.path-wins');
    for (const accountId of copies) {
      const post = await sendPost(probe, unknownId, { accountId, text: postText });
      await expectUnknown(probe, post, clauseOf(accountId, '2.create-post-input.account-id'));
    }
    for (const copy of [7, null]) {
      const body = { accountId: copy, reviewId: copy, text: postText };
      const reply = await sendReply(probe, { accountId: unknownId, reviewId }, body);
      await expectUnknown(probe, reply, clauseOf(copy, '2.reply-review-input.account-id'));
    }
  },
};

export const posts = defineChecks({ phase: 'rejections', needs: ['extended'] }, [
  invalidInputs,
  invalidBodiesCheck,
  unknownAccount,
  validInputs,
  nilAndMax,
  malformedIds,
  validIds,
  anyCopy,
]);
