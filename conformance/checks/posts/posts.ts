// Posts, replies and links without permission to write, at accounts that do not exist, and posts to the account
// that the user named.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Exchange, errorCode } from '../../exchange/exchange.ts';
import { type History, labelled, ofKey, responsesTo } from '../../exchange/history.ts';
import { rowsAt } from '../../exchange/records.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about, aboutStatus, hasStatus, isRejected, judgeEach } from '../../judge/expect.ts';
import * as inputs from '../../judge/inputs.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { isFound, listedAccount } from '../../judge/same-record.ts';
import type { PostLabel, ReplyLabel } from '../../scenarios/unknown-account.ts';
import { accountOf, firstLabels, invalidPosts, noInputs, rowsIn } from '../../scenarios/written.ts';

type Clauses = readonly [ClauseId, ...ClauseId[]];
const ofPattern = '2.create-post-input.account-id-pattern';
const nilOrMax = '2.create-post-input.account-id-nil-max';
const ofReply = '2.reply-review-input.account-id-pattern';
const [ofCopy, ofReplyCopy] = ['2.create-post-input.account-id', '2.reply-review-input.account-id'] as const;
const ofText = ['8.post-text', '2.create-post-input.text'] as const;
const ofReplyText = ['8.reply-text', '2.reply-review-input.text'] as const;
const ofMedia = ['2.create-post-input.media', '2.create-post-input.media.image-url'] as const;
const ofLink = '2.create-post-input.link';
const ofReview = ['4.connect.reply.review-id', '2.reply-review-input.review-id-length'] as const;
const pathWins = '4.rules.path-wins';
const unknown = ['4.connect.unknown-account', '1.unknown-record', '7.code.invalid-input'] as const;

const invalidInputs: Judged = {
  id: 'posts/wrong-inputs',
  title: 'POST endpoints reject invalid fields, even for an unknown account',
  clauses: [
    ...(['7.code.invalid-input', '4.connect.create-post.invalid', '4.connect.create-post.body'] as const),
    ...([...ofText, ...ofMedia, ofLink, '4.connect.reply.invalid', '4.connect.reply.body'] as const),
    ...([...ofReplyText, '4.connect.create-link.invalid', '4.connect.statuses'] as const),
  ],
  scenarios: ['posts/invalid', 'posts/invalid-fields'],
  *judge(history) {
    yield* judgeEach(history, labelled(history, 'invalid input'), inputs.isInvalid);
    for (const one of labelled(history, 'invalid fields')) yield* inputs.isInvalidOrUnknown(history, one);
  },
};

const malformedInputs: Judged = {
  id: 'posts/odd-bodies',
  title: 'POST endpoints reject malformed bodies and review ids',
  clauses: ['4.connect.statuses', '4.connect.create-post.body', '4.connect.reply.body'],
  scenarios: ['posts/malformed'],
  *judge(history) {
    for (const one of labelled(history, 'malformed input')) yield* inputs.isInvalidOrUnknown(history, one);
  },
};

/** The clauses that each valid input shows to hold; a failure names the first one. */
const validPosts: Readonly<Record<PostLabel, Clauses>> = {
  together: [nilOrMax, ...ofText, ...ofMedia, ofLink, pathWins],
  'nil or max account': [nilOrMax],
  'any account': [ofPattern],
  capitals: [ofPattern],
  longest: ofText,
  media: ofMedia,
  link: [ofLink],
  'invalid copy': [pathWins],
  // A null copy counts as absent: servers that require the copy can reject it (interpretation R66).
  'null copy': [ofCopy],
};
const validReplies: Readonly<Record<ReplyLabel, Clauses>> = {
  together: [ofReply, ...ofReplyText, ...ofReview, pathWins],
  'any account': [ofReply],
  'short review id': ofReview,
  longest: ofReplyText,
  'invalid copy': [pathWins],
  'null copy': [ofReplyCopy],
};

const rightPosts: Judged = {
  id: 'posts/right-inputs',
  title: 'Posts with valid inputs return 404 for an unknown account',
  clauses: [nilOrMax, ofPattern, ...ofText, ...ofMedia, ofLink, ofCopy, pathWins, ...unknown],
  scenarios: ['posts/valid', 'posts/inputs'],
  *judge(history) {
    for (const [name, clauses] of Object.entries(validPosts)) yield* areValid(history, `post: ${name}`, clauses);
  },
};

const rightReplies: Judged = {
  id: 'replies/right-inputs',
  title: 'Replies with valid inputs return 404 for an unknown account',
  // The pattern of posts is that of a warning about capitals.
  clauses: [...ofReplyText, ofReply, ...ofReview, ofReplyCopy, pathWins, ...unknown, ofPattern],
  scenarios: ['replies/valid', 'posts/inputs'],
  *judge(history) {
    for (const [name, clauses] of Object.entries(validReplies)) yield* areValid(history, `reply: ${name}`, clauses);
  },
};

function* areValid(history: History, label: string, clauses: Clauses): Iterable<Judgment> {
  for (const exchange of labelled(history, label)) {
    const isInvalid = errorCode(exchange) === 'invalid_input' && !inputs.isPlainInvalid(history, exchange);
    // Hex digits have no case (R9), and yet a server can reject the case alone.
    const isCapital = exchange.target !== exchange.target.toLowerCase();
    if (!isInvalid || !(isCapital || label.endsWith('together'))) yield* inputs.isUnknown(history, exchange, clauses);
    else if (isExplained(history, exchange)) continue;
    else if (isCapital) yield* inputs.warnOfCapitals(exchange);
    else {
      const expected = 'another status, because each input of it is valid alone';
      yield { ...aboutStatus(exchange, '7.code.invalid-input'), expected, isTrue: false };
    }
  }
}

function isExplained(history: History, exchange: Exchange): boolean {
  const names = exchange.operation === 'createPost' ? validPosts : validReplies;
  return responsesTo(history, exchange.operation).some((one) => {
    const name = one.label?.split(': ')[1] ?? '';
    return one !== exchange && name in names && name !== 'together' && errorCode(one) === 'invalid_input';
  });
}

const malformedIds: Judged = {
  id: 'posts/malformed-ids',
  title: 'POST endpoints reject malformed account ids',
  clauses: [ofPattern, ofReply],
  scenarios: ['posts/inputs'],
  *judge(history) {
    for (const [label, clause] of [
      ['post: malformed account', ofPattern],
      ['reply: malformed account', ofReply],
    ] as const) {
      const wanted = { ...inputs.malformedId, clause };
      yield* judgeEach(history, labelled(history, label), (one) => [isRejected(one, wanted)]);
    }
  },
};

const copies = {
  createPost: { accountId: ofCopy },
  replyToReview: { accountId: ofReplyCopy, reviewId: '2.reply-review-input.review-id' },
} as const;

/**
 * Copies of the path in the body: section 2 requires them and section 4 ignores them (interpretation R24). The issues
 * of rejected posts and replies show whether the server requires a missing copy.
 */
const absent: Judged = {
  id: 'connect/absent-copies',
  title: 'POST endpoints do not require accountId and reviewId in the body',
  clauses: [
    copies.createPost.accountId,
    copies.replyToReview.accountId,
    copies.replyToReview.reviewId,
    ofPattern,
    '4.connect.unknown-account',
  ],
  scenarios: ['connect/absent-copies'],
  *judge(history) {
    const [whole] = labelled(history, 'post: its copy');
    if (whole !== undefined) yield* inputs.isUnknown(history, whole, [ofPattern]);
    // The id itself is rejected, so the copy is not the reason.
    const isMalformed = whole !== undefined && errorCode(whole) === 'invalid_input';
    // A server that lists only the first problem might have found others.
    const listsSeveral = ofKey(history).some(
      (one) => errorCode(one) === 'invalid_input' && inputs.issuesOf(one).listed > 1,
    );
    for (const one of inputs.absentCopies(history)) {
      const isPost = one.operation === 'createPost';
      if (isPost && isMalformed) continue;
      for (const [name, clause] of Object.entries(copies[isPost ? 'createPost' : 'replyToReview'])) {
        const isTrue = !inputs.isMissed(one, name);
        if (isTrue && !listsSeveral) continue;
        const words = {
          expected: `none for ${name}, which is in the path`,
          actual: isTrue ? 'none' : `an issue for ${name}`,
        };
        const proves: readonly ClauseId[] = isPost ? [clause, ofPattern] : [clause];
        yield { ...about(one, clause, inputs.issuesOf(one).pointer), ...words, proves: isTrue ? proves : [], isTrue };
      }
    }
  },
};

// Posts with permission to write, to the account that the user named.

const endpoint = '4.connect.create-post.endpoint';
const [invalid, body] = ['4.connect.create-post.invalid', '4.connect.create-post.body'] as const;

const publishes: Judged = {
  id: 'posts/publishes',
  title: 'POST .../posts returns 200 for text, image and link',
  clauses: [endpoint, ofMedia[0], ofLink],
  scenarios: ['posts/first-written'],
  *judge(history) {
    const first = labelled(history, firstLabels.createPost);
    yield* judgeEach(history, first, (one) => isPublished(history, one));
  },
};

function* isPublished(history: History, exchange: Exchange): Iterable<Judgment> {
  const accountId = accountOf(history);
  const code = errorCode(exchange);
  const lists = responsesTo(history, 'listAccounts').flatMap((one) => rowsAt(one, '/data/accounts') ?? []);
  const isListed = lists.some((row) => sameId(row.accountId, accountId));
  if (code === 'not_found' && isReadableAfter(history, exchange)) {
    const expected = '200 for a listed account that returns its reviews';
    yield { ...aboutStatus(exchange, endpoint), expected, isTrue: false };
  } else if (exchange.status !== 200 && inputs.accountShadows.some((shadow) => shadow === code)) {
    yield { doubt: 'precondition', message: inputs.otherAccount(exchange) };
  } else if (exchange.status !== 200 && !isListed) {
    yield { doubt: 'precondition', message: `--account ${accountId} is not among the accounts listed` };
  } else {
    const tested = hasStatus(exchange, 200, { clause: endpoint, proves: [endpoint, ofMedia[0], ofLink] });
    if (tested !== null) yield tested;
  }
}

function isReadableAfter(history: History, exchange: Exchange): boolean {
  const accountId = accountOf(history);
  const { exchanges } = history;
  const after = { ...history, exchanges: exchanges.slice(exchanges.indexOf(exchange) + 1) };
  const lists = responsesTo(after, 'listAccounts').flatMap((one) => rowsAt(one, '/data/accounts') ?? []);
  const target = `/connect/accounts/${accountId}/reviews`;
  const isRead = responsesTo(after, 'listReviews').some((one) => one.status === 200 && sameId(one.target, target));
  return isRead && lists.some((row) => sameId(row.accountId, accountId));
}

const edges = { clause: '8.post-text', proves: ['8.post-text', '2.create-post-input.text'] } as const;

const accepts: Judged = {
  id: 'posts/text-edges',
  title: 'POST .../posts accepts every valid text, and ignores accountId in the body',
  clauses: ['8.post-text', '2.create-post-input.text', pathWins, ofCopy, ofMedia[0], ofLink],
  scenarios: ['posts/valid-written'],
  *judge(history) {
    const known = listedAccount(accountOf(history));
    yield* judgeEach(history, labelled(history, 'post of an edge length'), (one) => {
      const expected = `200 for a text of ${count(String(inputs.inputOf(one).text).length, 'character')}`;
      return [inputs.isNotInvalid(one, { ...edges, expected })];
    });
    for (const what of ['another', 'a malformed']) {
      const sent = labelled(history, `post with ${what} accountId in the body`).slice(-1);
      const wanted = { clause: pathWins, expected: `200, because ${what} accountId in the body is ignored` } as const;
      yield* judgeEach(history, sent, (one) => [inputs.isWritten(one, { ...wanted, ...known })]);
    }
    const withoutCopy = labelled(history, 'post without a copy');
    yield* judgeEach(history, withoutCopy, (one) => [inputs.isWritten(one, { clause: ofCopy, expected: '200' })]);
    yield* judgeEach(history, labelled(history, 'post with null fields'), (one) =>
      one.status === 404 ? isFound(one, { clause: ofMedia[0], ...known }) : inputs.isNullTaken(one, ofMedia[0]),
    );
  },
};

const clausesOf = {
  text: '2.create-post-input.text',
  length: '8.post-text',
  media: ofMedia[0],
  imageUrl: '2.create-post-input.media.image-url',
  link: ofLink,
} as const satisfies Record<keyof typeof invalidPosts, ClauseId>;

const rejects: Judged = {
  id: 'posts/refuses-wrong-bodies',
  title: 'POST .../posts rejects invalid bodies with 400 invalid_input, and accounts that do not exist',
  clauses: [invalid, body, ...Object.values(clausesOf), ofPattern, pathWins, '4.connect.unknown-account'],
  scenarios: ['posts/invalid-written'],
  *judge(history) {
    const known = listedAccount(accountOf(history));
    for (const { what, field } of rowsIn(invalidPosts)) {
      const clause = clausesOf[field];
      const wanted = { ...inputs.invalidInput, what, clause, proves: [clause, invalid, body], ...known };
      yield* judgeEach(history, labelled(history, `post with ${what}`), (one) => isFound(one, wanted));
    }
    for (const what of [...Object.keys(noInputs), 'a list']) {
      const wanted = { ...inputs.noInput, what, clause: body, ...known };
      yield* judgeEach(history, labelled(history, `post with ${what}`), (one) => isFound(one, wanted));
    }
    const other = { ...inputs.unknownId, clause: pathWins } as const;
    yield* judgeEach(history, labelled(history, 'post to an unknown account'), (one) => [isRejected(one, other)]);
    const malformed = { ...inputs.malformedId, clause: ofPattern } as const;
    yield* judgeEach(history, labelled(history, 'post to a malformed account id'), (one) => [
      isRejected(one, malformed),
    ]);
  },
};

export const posts: readonly Judged[] = [
  ...[invalidInputs, malformedInputs, rightPosts, rightReplies, malformedIds, absent],
  ...[publishes, accepts, rejects],
];
