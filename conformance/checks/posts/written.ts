// Posts with permission to write, to the account that the user named.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Exchange, errorCode } from '../../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { rowsAt } from '../../exchange/records.ts';
import { sameId } from '../../exchange/same-id.ts';
import { aboutStatus } from '../../judge/claims.ts';
import { hasStatus, isRejected, judgeEach } from '../../judge/expect.ts';
import {
  accountShadows,
  inputOf,
  invalidInput,
  isNotInvalid,
  isNullTaken,
  isWritten,
  listedAccount,
  malformedId,
  noInput,
  otherAccount,
  unknownId,
} from '../../judge/inputs.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { isFound } from '../../judge/same-record.ts';
import { accountOf, firstLabels, invalidPosts, noInputs, rowsIn } from '../../scenarios/written.ts';

const endpoint = '4.connect.create-post.endpoint';
const ofMedia = '2.create-post-input.media';
const ofLink = '2.create-post-input.link';
const ofCopy = '2.create-post-input.account-id';
const ofPattern = '2.create-post-input.account-id-pattern';
const [pathWins, invalid, body] = [
  '4.rules.path-wins',
  '4.connect.create-post.invalid',
  '4.connect.create-post.body',
] as const;

const publishes: Judged = {
  id: 'posts/publishes',
  title: 'POST .../posts returns 200 for text, image and link',
  clauses: [endpoint, ofMedia, ofLink],
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
  } else if (exchange.status !== 200 && accountShadows.some((shadow) => shadow === code)) {
    yield { doubt: 'precondition', message: otherAccount(exchange) };
  } else if (exchange.status !== 200 && !isListed) {
    yield { doubt: 'precondition', message: `--account ${accountId} is not among the accounts listed` };
  } else {
    const tested = hasStatus(exchange, 200, { clause: endpoint, proves: [endpoint, ofMedia, ofLink] });
    if (tested !== null) yield tested;
  }
}

/** Whether the account is still listed and shows its reviews: then it exists. */
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
  clauses: ['8.post-text', '2.create-post-input.text', pathWins, ofCopy, ofMedia, ofLink],
  scenarios: ['posts/valid-written'],
  *judge(history) {
    const known = listedAccount(accountOf(history));
    yield* judgeEach(history, labelled(history, 'post of an edge length'), (one) => {
      const expected = `200 for a text of ${count(String(inputOf(one).text).length, 'character')}`;
      return [isNotInvalid(one, { ...edges, expected })];
    });
    for (const what of ['another', 'a malformed']) {
      const sent = labelled(history, `post with ${what} accountId in the body`).slice(-1);
      const wanted = { clause: pathWins, expected: `200, because ${what} accountId in the body is ignored` } as const;
      yield* judgeEach(history, sent, (one) => [isWritten(one, { ...wanted, ...known })]);
    }
    const withoutCopy = labelled(history, 'post without a copy');
    yield* judgeEach(history, withoutCopy, (one) => [isWritten(one, { clause: ofCopy, expected: '200' })]);
    yield* judgeEach(history, labelled(history, 'post with null fields'), (one) =>
      one.status === 404 ? isFound(one, { clause: ofMedia, ...known }) : isNullTaken(one, ofMedia),
    );
  },
};

const clausesOf = {
  text: '2.create-post-input.text',
  length: '8.post-text',
  media: ofMedia,
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
      const wanted = { ...invalidInput, what, clause, proves: [clause, invalid, body], ...known };
      yield* judgeEach(history, labelled(history, `post with ${what}`), (one) => isFound(one, wanted));
    }
    for (const what of [...Object.keys(noInputs), 'a list']) {
      const wanted = { ...noInput, what, clause: body, ...known };
      yield* judgeEach(history, labelled(history, `post with ${what}`), (one) => isFound(one, wanted));
    }
    const other = { ...unknownId, clause: pathWins } as const;
    yield* judgeEach(history, labelled(history, 'post to an unknown account'), (one) => [isRejected(one, other)]);
    const malformed = { ...malformedId, clause: ofPattern } as const;
    yield* judgeEach(history, labelled(history, 'post to a malformed account id'), (one) => [
      isRejected(one, malformed),
    ]);
  },
};

export const postsWritten: readonly Judged[] = [publishes, accepts, rejects];
