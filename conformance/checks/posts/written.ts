// Posts with permission to write, to the account that the user named. Each text carries the run's id.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { count } from '../../../src/terminal/count.ts';
import { listedAccount } from '../../assertions/accounts.ts';
import { invalidPostClauses } from '../../assertions/invalid-bodies.ts';
import { expectFound } from '../../assertions/same-record.ts';
import {
  accountOf,
  accountShadows,
  expectNotInvalid,
  expectWritten,
  invalidInput,
  malformedFrom,
  malformedId,
  noInput,
  noInputs,
  noteNull,
  sendUnusual,
  tag,
  textMax,
  unknownShadows,
  wideText,
  writtenCheck,
} from '../../assertions/writes.ts';
import { type Exchange, errorCode, nameOfResponse } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { aboutStatus } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const needs = ['account', 'writes:posts'] as const;

/** Sends to the user's account only. */
function publish(probe: Probe, body: Record<string, unknown>): Promise<Exchange> {
  return probe.write({ operation: 'createPost', params: { accountId: accountOf(probe) }, body });
}

/** The first write of a run: if the account rejects it, the later checks do not repeat it. */
const publishes: CheckRow = {
  id: 'posts/publishes',
  title: 'POST .../posts returns 200 for text, image and link',
  cites: ['4.connect.create-post.endpoint', '2.create-post-input.media', '2.create-post-input.link'],
  needs,
  mutates: 'one post',
  cost: { requests: 1, confirms: 2, writes: 1, uses: ['accounts'] },
  async run(probe) {
    const accountId = accountOf(probe);
    const exchange = await publish(probe, { accountId, text: tag(probe), media, link: 'https://example.com/' });
    const code = errorCode(exchange);
    if (code === 'not_found' && (await isReadable(probe, accountId))) {
      const claim = aboutStatus(exchange, '4.connect.create-post.endpoint');
      probe.holds(false, { ...claim, expected: '200 for a listed account that returns its reviews' });
      return;
    }
    if (exchange.status !== 200 && accountShadows.some((shadow) => shadow === code)) {
      probe.stop('precondition', `the account returns ${nameOfResponse(exchange)}: name another with --account`);
    }
    const isListed = (await probe.facts.accounts()).some((row) => sameId(row.accountId, accountId));
    if (exchange.status !== 200 && !isListed)
      probe.stop('precondition', `--account ${accountId} is not among the accounts listed`);
    probe.expectStatus(exchange, 200, {
      clause: '4.connect.create-post.endpoint',
      proves: ['4.connect.create-post.endpoint', '2.create-post-input.media', '2.create-post-input.link'],
    });
  },
};

/** Whether the account is still listed and shows its reviews: then it exists. */
async function isReadable(probe: Probe, accountId: string): Promise<boolean> {
  const accounts = rowsOf(await probe.send({ operation: 'listAccounts' }), ['data', 'accounts']);
  const isListed = accounts.some((row) => sameId(row.accountId, accountId));
  return isListed && (await probe.send({ operation: 'listReviews', params: { accountId } })).status === 200;
}

/** The longest text begins with the run's mark, so its author can be found. */
const edges = writtenCheck('posts', {
  id: 'posts/text-edges',
  title: 'POST .../posts accepts texts of 1 and 5000 characters',
  cites: ['8.post-text', '2.create-post-input.text'],
  mutates: 'two posts, one of a single character',
  cost: { requests: 2, writes: 2 },
  async run(probe) {
    const accountId = accountOf(probe);
    const longest = `${tag(probe)} ${wideText(textMax.post)}`.slice(0, textMax.post);
    for (const text of ['.', longest]) {
      const exchange = await publish(probe, { accountId, text });
      const proof = { clause: '8.post-text', proves: ['8.post-text', '2.create-post-input.text'] } as const;
      expectNotInvalid(probe, exchange, { ...proof, expected: `200 for a text of ${count(text.length, 'character')}` });
    }
  },
});

const text = 'casa-kit conformance';
const media = { imageUrl: 'https://example.com/image.png' };

/** In UTF-8: some databases store only three bytes of a character. */
const fourBytes = '👋';

/** Each body has one error; a URI has a scheme, which inputs of lax servers often lack. */
const invalidBodies: readonly (readonly [what: string, clause: ClauseId, body: Record<string, unknown>])[] = [
  ['media without a text', '2.create-post-input.text', { media }],
  ['an empty text', '8.post-text', { text: '' }],
  [`a text of ${textMax.post + 1} characters`, '8.post-text', { text: 'x'.repeat(textMax.post + 1) }],
  ['a number as text', '2.create-post-input.text', { text: 7 }],
  ['null as text', '2.create-post-input.text', { text: null }],
  ['a list as text', '2.create-post-input.text', { text: [text] }],
  ['a list as media', '2.create-post-input.media', { text, media: [media] }],
  ['a number as imageUrl', '2.create-post-input.media.image-url', { text, media: { imageUrl: 7 } }],
  ['a text as media', '2.create-post-input.media', { text, media: media.imageUrl }],
  ['media without imageUrl', '2.create-post-input.media.image-url', { text, media: {} }],
  ['a path as imageUrl', '2.create-post-input.media.image-url', { text, media: { imageUrl: '/images/1.png' } }],
  ['a link without a scheme', '2.create-post-input.link', { text, link: 'www.example.com/page' }],
  ['a path as link, next to media', '2.create-post-input.link', { text, media, link: '/posts/1' }],
  ['a number as link', '2.create-post-input.link', { text, link: 7 }],
  ['an empty link', '2.create-post-input.link', { text, link: '' }],
];

const rejectsInvalid = writtenCheck('posts', {
  id: 'posts/refuses-wrong-bodies',
  title: 'POST .../posts rejects invalid bodies with 400 invalid_input',
  cites: invalidPostClauses,
  cost: { requests: invalidBodies.length + 4, confirms: 1, writes: invalidBodies.length + 4 },
  async run(probe) {
    const accountId = accountOf(probe);
    for (const [what, clause, body] of invalidBodies) {
      const exchange = await publish(probe, { accountId, ...body });
      const proves: readonly ClauseId[] = [clause, '4.connect.create-post.invalid', '4.connect.create-post.body'];
      await expectFound(probe, exchange, { ...invalidInput, what, clause, proves, ...listedAccount(accountId) });
    }
    const list = ['a list', { body: [{ accountId, text }] }] as const;
    for (const [what, body] of [...noInputs, list]) {
      const exchange = await probe.write({ operation: 'createPost', params: { accountId }, ...body });
      const clause = '4.connect.create-post.body';
      await expectFound(probe, exchange, { ...noInput, what, clause, ...listedAccount(accountId) });
    }
  },
});

const nullOptionals = writtenCheck('posts', {
  id: 'posts/null-optionals',
  title: 'POST .../posts returns no server error for null in optional fields',
  cites: ['2.create-post-input.media', '2.create-post-input.link'],
  level: 'should',
  mutates: 'one post, where null is read as absent',
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    const accountId = accountOf(probe);
    const exchange = await publish(probe, {
      accountId,
      text: `${tag(probe)}: no media, no link`,
      media: null,
      link: null,
    });
    const clause = '2.create-post-input.media';
    if (exchange.status === 404) await expectFound(probe, exchange, { clause, ...listedAccount(accountId) });
    else noteNull(probe, exchange, clause);
  },
});

/** Nobody else's account is named in the body, so a server which follows it posts nowhere. */
const pathWins = writtenCheck('posts', {
  id: 'posts/path-wins',
  title: 'The accountId in the path overrides the body of a post',
  cites: ['4.rules.path-wins'],
  mutates: 'two posts',
  cost: { requests: 4, optional: 2, writes: 4 },
  async run(probe) {
    for (const [what, accountId] of [
      ['another', probe.facts.unknownId],
      ['a malformed', 'not-a-uuid'],
    ] as const) {
      const text = `${tag(probe)}: ${what} accountId in the body`;
      const send = (words: string) => publish(probe, { accountId, text: words });
      const { exchange } = await sendUnusual([`${text} ${fourBytes}`, text], send);
      const expected = `200, because ${what} accountId in the body is ignored`;
      const known = listedAccount(accountOf(probe));
      await expectWritten(probe, exchange, { clause: '4.rules.path-wins', expected, ...known });
    }
  },
});

const pathStays = writtenCheck('posts', {
  id: 'posts/path-stays-unknown',
  title: 'POST .../posts returns 404 for an unknown account, for any body',
  cites: ['4.rules.path-wins', '4.connect.unknown-account'],
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    const exchange = await probe.write({
      operation: 'createPost',
      params: { accountId: probe.facts.unknownId },
      body: { accountId: accountOf(probe), text: `${tag(probe)}: an unknown account in the path` },
    });
    const rejection = { status: 404, code: 'not_found', clause: '4.rules.path-wins' } as const;
    probe.expectRejection(exchange, { ...rejection, shadows: unknownShadows });
  },
});

const malformedPath = writtenCheck('posts', {
  id: 'posts/malformed-account-id',
  title: 'POST .../posts rejects a malformed account id',
  cites: ['2.create-post-input.account-id-pattern', '4.connect.create-post.invalid'],
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    const accountId = malformedFrom(probe, accountOf(probe), 'version');
    const body = { accountId, text: `${tag(probe)}: a malformed accountId in the path` };
    const exchange = await probe.write({ operation: 'createPost', params: { accountId }, body });
    probe.expectRejection(exchange, { ...malformedId, clause: '2.create-post-input.account-id-pattern' });
  },
});

const absentCopy = writtenCheck('posts', {
  id: 'posts/absent-body-copy',
  title: 'POST .../posts does not require accountId in the body',
  cites: ['2.create-post-input.account-id'],
  level: 'should',
  mutates: 'one post',
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    const exchange = await publish(probe, { text: `${tag(probe)}: no accountId in the body` });
    await expectWritten(probe, exchange, { clause: '2.create-post-input.account-id', expected: '200' });
  },
});

export const postsWritten = defineChecks({ phase: 'writes' }, [
  publishes,
  edges,
  rejectsInvalid,
  nullOptionals,
  pathWins,
  pathStays,
  malformedPath,
  absentCopy,
]);
