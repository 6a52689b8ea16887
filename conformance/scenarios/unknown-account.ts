// Posts, replies and links without permission to write: posts and replies name an account that does not exist, and no
// link has both a valid provider and a label, so no server, however broken, can make anything of them.
import { type Exchange, errorCode } from '../exchange/exchange.ts';
import { type Given, labelled } from '../exchange/history.ts';
import { segmentOf } from '../exchange/look.ts';
import { rowsAt } from '../exchange/records.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { sameId } from '../exchange/same-id.ts';
import { textMax, versioned, wideText } from '../exchange/texts.ts';
import { absentCopies, isMissed, isPlainInvalid } from '../judge/inputs.ts';
import * as inputs from './inputs.ts';
import { type Asks, get, type Scenario, type SoFar, scenario, send, sendInvalid } from './scenario.ts';

const noReview = 'casa-conformance-no-such-review';
const plainText = 'casa-kit conformance';

/** A post or reply has a plain text, and the ids of its path in the body, apart from what its row names. */
interface Row {
  readonly operation: 'createPost' | 'replyToReview';
  readonly label: string;
  readonly ids: Readonly<Partial<Record<'accountId' | 'reviewId', string>>>;
  readonly body: Readonly<Record<string, unknown>>;
}

type Other = 'malformed account' | 'its copy';

function post(label: PostLabel | Other, ids: Row['ids'], body: Row['body'] = {}): Row {
  return { operation: 'createPost', label: `post: ${label}`, ids, body };
}

function reply(label: ReplyLabel | Other, ids: Row['ids'], body: Row['body'] = {}): Row {
  return { operation: 'replyToReview', label: `reply: ${label}`, ids, body };
}

function requestOf({ operation, label, ids, body }: Row, { unknownId }: Given): RequestSpec {
  const params = { accountId: unknownId, ...(operation === 'createPost' ? {} : { reviewId: noReview }), ...ids };
  return { operation, params, label, body: { ...params, text: plainText, ...body } };
}

/** If a plain text is rejected as invalid too, no field of the row is the reason. */
function* sendRow({ history }: SoFar, row: Row): Asks<Exchange> {
  const { given } = history();
  const exchange = yield* send(requestOf(row, given));
  const label = `plain ${row.operation}`;
  if (errorCode(exchange) === 'invalid_input' && labelled(history(), label).length === 0)
    yield* send(requestOf({ ...row, label, ids: {}, body: {} }, given));
  return exchange;
}

/** An organization may have named a real account so; then nothing is sent to it without permission. */
function* listedOf(ids: readonly string[]): Asks<string | undefined> {
  const rows = rowsAt(yield* get('listAccounts'), '/data/accounts') ?? [];
  const listed = ids.find((id) => rows.some(({ accountId }) => sameId(accountId, id)));
  return listed === undefined ? undefined : `the organization has an account ${listed}`;
}

/** Names of valid inputs. All of `together` are sent alone only if they are rejected as invalid together. */
type Usual = 'together' | 'longest' | 'invalid copy' | 'null copy';
export type PostLabel = Usual | 'nil or max account' | 'any account' | 'capitals' | 'media' | 'link';
export type ReplyLabel = Usual | 'any account' | 'short review id';

const nil = { accountId: inputs.nilUuid };
/** A server that looks at the copies at all rejects these, for their type or for their form. */
const [noCopy, noCopies] = [{ accountId: 42 }, { accountId: 42, reviewId: '' }];
const longestPost = { text: wideText(textMax.post) };
const longestReply = { text: wideText(textMax.reply) };
const media = { media: { imageUrl: 'http://example.com/image.png' } };
const link = { link: 'http://example.com/?casa=1#kit' };
const short = { reviewId: 'x' };

/** Several valid inputs in one request, and each alone. */
function* sendTogether(run: SoFar, together: Row, alone: readonly Row[]): Asks<undefined> {
  const first = yield* sendRow(run, together);
  if (errorCode(first) !== 'invalid_input' || isPlainInvalid(run.history(), first)) return undefined;
  for (const row of alone) yield* sendRow(run, row);
  return undefined;
}

const validPost = scenario('posts/valid', { least: 1, most: 7 }, function* (run) {
  const listed = yield* listedOf([inputs.nilUuid]);
  if (listed !== undefined) return listed;
  return yield* sendTogether(run, post('together', nil, { ...longestPost, ...media, ...link, ...noCopy }), [
    post('nil or max account', nil),
    post('longest', {}, longestPost),
    post('media', {}, media),
    post('link', {}, link),
    post('invalid copy', {}, noCopy),
  ]);
});

const validReply = scenario('replies/valid', { least: 1, most: 6 }, function* (run) {
  const ids = { accountId: versioned(run.history().given.unknownId, '8a') };
  // Hex digits have no case (R9).
  const capitals = { accountId: ids.accountId.toUpperCase(), ...short };
  return yield* sendTogether(run, reply('together', capitals, { ...longestReply, ...noCopies }), [
    reply('any account', ids),
    reply('short review id', short),
    reply('longest', {}, longestReply),
    reply('invalid copy', {}, noCopies),
  ]);
});

/** Version digit, then variant digit; some for each operation, since both share the pattern. */
const validDigits = { posts: ['18', '29', '3a', '5b', '68', '7b', '8a'], replies: ['19', '6b', '7a'] } as const;
/** A wrong version at each end, and a wrong variant at each end. */
const malformedDigits = ['0a', '9b', '47', '4c'] as const;
/** Empty, malformed, and of another type. */
const invalidCopies = ['', 'not-a-uuid', ['x']] as const;

const furtherRows = ({ unknownId }: Given): readonly Row[] => {
  const ofDigits = (digits: string) => ({ accountId: versioned(unknownId, digits) });
  return [
    post('capitals', { accountId: versioned(unknownId, '7b').toUpperCase() }),
    ...validDigits.posts.map((digits) => post('any account', ofDigits(digits))),
    ...validDigits.replies.map((digits) => reply('any account', ofDigits(digits))),
    // The nil and the max UUID match the pattern, although many checks of UUIDs reject them.
    post('nil or max account', { accountId: inputs.maxUuid }),
    ...[inputs.nilUuid, inputs.maxUuid].map((accountId) => reply('any account', { accountId })),
    ...invalidCopies.map((accountId) => post('invalid copy', {}, { accountId })),
    post('null copy', {}, { accountId: null }),
    reply('invalid copy', {}, { accountId: 7, reviewId: 7 }),
    reply('null copy', {}, { accountId: null, reviewId: null }),
    ...malformedDigits.flatMap((digits) => [
      post('malformed account', ofDigits(digits)),
      reply('malformed account', ofDigits(digits)),
    ]),
  ];
};

const furtherInputs = scenario('posts/inputs', { least: 28, most: 30 }, function* (run) {
  const listed = yield* listedOf([inputs.nilUuid, inputs.maxUuid]);
  if (listed !== undefined) return listed;
  for (const row of furtherRows(run.history().given)) yield* sendRow(run, row);
  return undefined;
});

/** Without copies of the path, and the post with an id of version 7: connect/absent-copies looks for either. */
const invalid = scenario('posts/invalid', { least: 2, most: 4 }, function* ({ history }) {
  const { unknownId } = history().given;
  const ofPost = { params: { accountId: versioned(unknownId, '7b') }, body: inputs.invalidPost() };
  const ofReply = { params: { accountId: unknownId, reviewId: inputs.invalidIds[0] }, body: inputs.invalidReply() };
  yield* sendInvalid({ operation: 'createPost', label: 'invalid input', ...ofPost });
  yield* sendInvalid({ operation: 'replyToReview', label: 'invalid input', ...ofReply });
});

/** The fields of a post, a reply and a link, invalid in every way of the tables but the first, which others send. */
const invalidFieldsRow = { least: 3 * (inputs.invalidTurns - 1), most: 3 * inputs.invalidTurns } as const;
const invalidFields = scenario('posts/invalid-fields', invalidFieldsRow, function* ({ history }) {
  const { unknownId: accountId } = history().given;
  const params = { accountId, reviewId: noReview };
  const label = 'invalid fields';
  for (let turn = 1; turn < inputs.invalidTurns; turn += 1) {
    const body = { accountId, ...inputs.invalidPost(turn) };
    yield* sendInvalid({ operation: 'createPost', label, params: { accountId }, body });
    yield* sendInvalid({
      operation: 'replyToReview',
      label,
      params,
      body: { ...params, ...inputs.invalidReply(turn) },
    });
    yield* sendInvalid({ operation: 'createConnectLink', label, body: inputs.invalidLink(turn) });
  }
});

const bodies = [...inputs.invalidBodies, ...inputs.rareBodies].map(inputs.bytesOf);
const malformedLeast = 2 * bodies.length + inputs.invalidIds.length;

const malformedRow = { least: malformedLeast, most: malformedLeast + 2 } as const;
const malformed = scenario('posts/malformed', malformedRow, function* ({ history }) {
  const { unknownId: accountId } = history().given;
  const label = 'malformed input';
  for (const bytes of bodies) {
    yield* sendInvalid({ operation: 'createPost', label, params: { accountId }, bytes });
    yield* sendInvalid({ operation: 'replyToReview', label, params: { accountId, reviewId: noReview }, bytes });
  }
  for (const reviewId of inputs.invalidIds) {
    const params = { accountId, reviewId };
    yield* sendInvalid({ operation: 'replyToReview', label, params, body: { ...params, text: plainText } });
  }
});

/** Follows up where the rejection of an invalid post names the copy of its account, and no reply missed one. */
const absentCopy = scenario('connect/absent-copies', { most: 2 }, function* (run) {
  const missed = absentCopies(run.history()).filter((one) => isMissed(one, 'accountId'));
  const rejected = missed.find(({ operation }) => operation === 'createPost');
  if (rejected === undefined || missed.some(({ operation }) => operation === 'replyToReview')) return;
  yield* sendRow(run, post('its copy', { accountId: segmentOf(rejected, 2) }));
});

const deep = 1000;
/** Neither is an object that a lenient reader could take for a link. */
const oddBytes = [
  Uint8Array.from([...inputs.bytesOf('{"pad":"'), 0xff, 0xfe, ...inputs.bytesOf('"}')]),
  inputs.bytesOf(`{"pad":${'['.repeat(deep)}${']'.repeat(deep)}}`),
];

const firstLink = scenario('links/malformed', { least: 1, most: 3 }, function* () {
  yield* malformedLinks('malformed link', bodies.slice(0, 1));
});

const links = scenario('links/malformed-more', { least: bodies.length + 1, most: bodies.length + 3 }, function* () {
  yield* malformedLinks('malformed link', bodies.slice(1));
  yield* malformedLinks('link of odd bytes', oddBytes);
});

function* malformedLinks(label: string, all: readonly Uint8Array[]): Asks<void> {
  for (const bytes of all) yield* sendInvalid({ operation: 'createConnectLink', bytes, label });
}

export const unknownAccountScenarios: readonly Scenario[] = [
  ...[invalid, validPost, validReply, firstLink, furtherInputs, invalidFields, malformed, links, absentCopy],
];
