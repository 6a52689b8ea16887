// Posts and links with permission to write. Posts go to the account that the user named; a link cannot be taken back,
// it expires by itself. The first write shows whether the target takes any of the kind. Replies are in replies.ts.
import { linkAccounts } from '../../src/contract/generated/limits.ts';
import { words } from '../../src/contract/words.ts';
import { type Exchange, errorCode, nameOfResponse } from '../exchange/exchange.ts';
import { type History, labelled } from '../exchange/history.ts';
import { rowsAt } from '../exchange/records.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { sameId } from '../exchange/same-id.ts';
import { malformedFrom, markOf, textMax, unusualText, wideText } from '../exchange/texts.ts';
import { type Asks, get, type Scenario, scenario, send, write } from './scenario.ts';

type Body = Readonly<Record<string, unknown>>;
/** Inputs by the field that is invalid, each with its name. */
export type Table<Field extends string, Input = unknown> = Readonly<Record<Field, Readonly<Record<string, Input>>>>;

export function rowsIn<Field extends string, Input>(table: Table<Field, Input>) {
  const fields = Object.entries(table) as [Field, Readonly<Record<string, Input>>][];
  return fields.flatMap(([field, rows]) => Object.entries(rows).map(([what, input]) => ({ field, what, input })));
}

export const firstLabels = { createPost: 'first post', replyToReview: 'first reply', createConnectLink: 'first link' };

/** Scenarios that write nothing more of a kind after the first one was not accepted. */
export function afterFirst(operation: keyof typeof firstLabels, scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.map(({ ask, ...scenario }) => ({
    ...scenario,
    *ask(run) {
      const [first] = labelled(run.history(), firstLabels[operation]);
      if (first === undefined || first.status === 200) return yield* ask(run);
      return `${nameOfResponse(first)} for the ${firstLabels[operation]}`;
    },
  }));
}

export const accountOf = ({ given }: History): string => given.account ?? '';

/** Sends the plain text after an unusual one that is rejected as invalid: only the length of a text is specified. */
export function* writeUnusual(texts: readonly string[], specOf: (text: string) => RequestSpec): Asks<Exchange | null> {
  let last: Exchange | null = null;
  for (const text of texts) {
    last = yield* write(specOf(text));
    if (errorCode(last) !== 'invalid_input') break;
  }
  return last;
}

export const noInputs: Readonly<Record<string, Pick<RequestSpec, 'body' | 'bytes'>>> = {
  'no body': {},
  null: { body: null },
  'half a body': { bytes: new TextEncoder().encode('{"text":') },
};

const media = { imageUrl: 'https://example.com/image.png' };
const needs = ['account', 'writes:posts'] as const;

function postOf(history: History, label: string, body: Body): RequestSpec {
  return { operation: 'createPost', params: { accountId: accountOf(history) }, label, body };
}

/** The first write of a run: if the account rejects it, the later scenarios write nothing. */
const firstPostRow = { needs, changes: 'one post', least: 1, most: 3 } as const;
const firstPost = scenario('posts/first-written', firstPostRow, function* ({ history }) {
  const accountId = accountOf(history());
  const body = { accountId, text: markOf(history()), media, link: 'https://example.com/' };
  const exchange = yield* write(postOf(history(), firstLabels.createPost, body));
  if (exchange.status === 200) return;
  const rows = rowsAt(yield* get('listAccounts'), '/data/accounts') ?? [];
  if (errorCode(exchange) !== 'not_found' || !rows.some((row) => sameId(row.accountId, accountId))) return;
  // An account that is still listed and shows its reviews exists.
  yield* send({ operation: 'listAccounts' });
  yield* send({ operation: 'listReviews', params: { accountId } });
});

/** In UTF-8: some databases store only three bytes of a character. */
const fourBytes = '👋';

const validPostsRow = { needs, changes: 'six posts, one of a single character', least: 6, most: 8 } as const;
const validPosts = scenario('posts/valid-written', validPostsRow, function* ({ history }) {
  const [accountId, mark] = [accountOf(history()), markOf(history())];
  const post = (label: string, body: Body) => write(postOf(history(), label, body));
  yield* get('listAccounts');
  // Its beginning names its author.
  const longest = `${mark} ${wideText(textMax.post)}`.slice(0, textMax.post);
  for (const text of ['.', longest]) yield* post('post of an edge length', { accountId, text });
  const nulls = { media: null, link: null };
  yield* post('post with null fields', { accountId, text: `${mark}: no media, no link`, ...nulls });
  // Nobody else's account is named in the body, so a server that follows it posts nowhere.
  for (const [what, copy] of Object.entries({ another: history().given.unknownId, 'a malformed': 'not-a-uuid' })) {
    const text = `${mark}: ${what} accountId in the body`;
    const specOf = (text: string) =>
      postOf(history(), `post with ${what} accountId in the body`, { accountId: copy, text });
    yield* writeUnusual([`${text} ${fourBytes}`, text], specOf);
  }
  yield* post('post without a copy', { text: `${mark}: no accountId in the body` });
});

const text = 'casa-kit conformance';

/** By the field that is invalid; each has one error. A URI has a scheme, which inputs of lax servers often lack. */
export const invalidPosts: Table<'text' | 'length' | 'media' | 'imageUrl' | 'link', Body> = {
  text: {
    'media without a text': { media },
    'a number as text': { text: 7 },
    'null as text': { text: null },
    'a list as text': { text: [text] },
  },
  length: {
    'an empty text': { text: '' },
    [`a text of ${textMax.post + 1} characters`]: { text: 'x'.repeat(textMax.post + 1) },
  },
  media: { 'a list as media': { text, media: [media] }, 'a text as media': { text, media: media.imageUrl } },
  imageUrl: {
    'a number as imageUrl': { text, media: { imageUrl: 7 } },
    'media without imageUrl': { text, media: {} },
    'a path as imageUrl': { text, media: { imageUrl: '/images/1.png' } },
  },
  link: {
    'a link without a scheme': { text, link: 'www.example.com/page' },
    'a path as link, next to media': { text, media, link: '/posts/1' },
    'a number as link': { text, link: 7 },
    'an empty link': { text, link: '' },
  },
};

const invalidPostsWrittenRow = {
  needs,
  changes: 'nothing, unless the target accepts invalid requests',
  least: 21,
  most: 21,
} as const;
const invalidPostsWritten = scenario('posts/invalid-written', invalidPostsWrittenRow, function* ({ history }) {
  const [accountId, mark] = [accountOf(history()), markOf(history())];
  yield* get('listAccounts');
  for (const { what, input } of rowsIn(invalidPosts))
    yield* write(postOf(history(), `post with ${what}`, { accountId, ...input }));
  const operation = 'createPost';
  const bodies = Object.entries({ ...noInputs, 'a list': { body: [{ accountId, text }] } });
  for (const [what, body] of bodies)
    yield* write({ operation, params: { accountId }, label: `post with ${what}`, ...body });
  const toOther = (id: string, copy: string, label: string) =>
    write({ operation, params: { accountId: id }, label, body: { accountId: copy, text: `${mark}: ${label}` } });
  yield* toOther(history().given.unknownId, accountId, 'post to an unknown account');
  const malformed = malformedFrom(accountId, 'version');
  if (malformed !== null) yield* toOther(malformed, malformed, 'post to a malformed account id');
});

const provider = 'google_business';

const linkOf = (label: string, body: unknown): RequestSpec => ({ operation: 'createConnectLink', label, body });

const firstLinkRow = { needs: ['writes:links'], changes: 'one connect link', least: 1, most: 2 } as const;
const firstLink = scenario('links/first-written', firstLinkRow, function* ({ history }) {
  const exchange = yield* write(linkOf(firstLabels.createConnectLink, { provider, label: markOf(history()) }));
  // The response itself does not have maxAccounts.
  if (exchange.status === 200) yield* send({ operation: 'listAccounts' });
});

const linkElsewhereRow = { needs: ['writes:links', 'second-key'], least: 1, most: 1 } as const;
const linkElsewhere = scenario('links/of-another-organization', linkElsewhereRow, function* () {
  yield* send({ operation: 'listAccounts', key: 'second' });
});

/** Both limits are in one link, because each link stays until it expires. */
const validLinksRow = {
  needs: ['writes:links'],
  changes: 'four connect links, one of them where null is read as absent',
  least: 5,
  most: 6,
} as const;
const validLinks = scenario('links/valid-written', validLinksRow, function* ({ history }) {
  const mark = markOf(history());
  yield* write(linkOf('link of the least values', { provider, label: 'x', maxAccounts: 1 }));
  const label = `${mark} ${wideText(textMax.label)}`.slice(0, textMax.label);
  yield* write(linkOf('link of the most values', { provider, label, maxAccounts: linkAccounts.max }));
  const labels = [`${mark} \u{1F600}${unusualText}`, mark];
  yield* writeUnusual(labels, (text) =>
    linkOf('link of the last provider', { provider: 'google_contacts', label: text }),
  );
  yield* write(linkOf('link with a null maximum', { provider, label: mark, maxAccounts: null }));
  yield* send({ operation: 'listAccounts' });
});

/** All of section 2 but those of the other links. */
const providers = words(
  'facebook_page tiktok instagram google_analytics google_search_console google_ads google_calendar',
);

const linksOfProvidersRow = {
  needs: ['writes:links'],
  changes: 'seven connect links, one for each other provider',
  least: providers.length,
  most: providers.length,
} as const;
const linksOfProviders = scenario('links/providers', linksOfProvidersRow, function* ({ history }) {
  for (const other of providers)
    yield* write(linkOf('link of a provider', { provider: other, label: markOf(history()) }));
});

/** The label of invalid links, if it is valid. */
export const invalidLinksLabel = 'casa-kit';
const named = { label: invalidLinksLabel };
const linked = { provider, ...named };

/** By the field that is invalid; each has one error, but the last ones. */
export const invalidLinks: Table<'provider' | 'label' | 'maxAccounts' | 'all' | 'body'> = {
  provider: {
    'no provider': named,
    'an unknown provider': { provider: 'casa_conformance', ...named },
    'a platform that is not on the list': { provider: 'linkedin', ...named },
    'a provider in capitals': { provider: provider.toUpperCase(), ...named },
    'null as provider': { provider: null, ...named },
    'half a provider': { provider: 'google', ...named },
    'a provider with a blank': { provider: `${provider} `, ...named },
  },
  label: {
    'no label': { provider },
    'an empty label': { provider, label: '' },
    [`a label of ${textMax.label + 1} characters`]: { provider, label: 'x'.repeat(textMax.label + 1) },
    'a number as label': { provider, label: 7 },
    'null as label': { provider, label: null },
    'a list as label': { provider, label: [invalidLinksLabel] },
  },
  maxAccounts: Object.fromEntries(
    [0, linkAccounts.max + 1, 2_147_483_648, 1.5, '3', true].map((maxAccounts) => [
      `maxAccounts ${JSON.stringify(maxAccounts)}`,
      { ...linked, maxAccounts },
    ]),
  ),
  all: { 'an input wrong in all three': { provider: 'casa', label: '', maxAccounts: 99 } },
  body: { 'null instead of the input': null, 'the input in an array': [linked] },
};

export const [invitesBefore, invitesAfter] = ['invites before invalid links', 'invites after invalid links'];

/** Stops at the first body that is accepted: more of them would make more links. */
const invalidLinksWrittenRow = {
  needs: ['writes:links'],
  changes: 'nothing, unless the target accepts invalid requests',
  least: 25,
  most: 25,
} as const;
const invalidLinksWritten = scenario('links/invalid-written', invalidLinksWrittenRow, function* () {
  yield* send({ operation: 'listAccounts', label: invitesBefore });
  for (const { what, input } of [...rowsIn(invalidLinks), { what: 'no body', input: undefined }]) {
    const exchange = yield* write(linkOf(`link with ${what}`, input));
    if (exchange.status === 200) return;
  }
  yield* send({ operation: 'listAccounts', label: invitesAfter });
});

export const writtenScenarios: readonly Scenario[] = [
  firstPost,
  ...afterFirst('createPost', [validPosts, invalidPostsWritten]),
  firstLink,
  ...afterFirst('createConnectLink', [linkElsewhere, validLinks, linksOfProviders, invalidLinksWritten]),
];
