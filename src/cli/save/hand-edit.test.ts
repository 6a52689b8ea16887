import { describe, expect, it } from 'vitest';
import { googleAccount, startTestEngine } from '../../../proof/rigs/engine.ts';
import type { CommitEntry } from '../../engine/commit.ts';
import { judgeChange, judgeSnapshot } from './hand-edit.ts';

const { engine } = startTestEngine();
const organizationId = 'org_1';
const [review] = engine.world.organizations.get(organizationId)?.accounts.get(googleAccount)?.reviews.toData() ?? [];

const post = {
  postId: 'post_1',
  permalink: null,
  text: 'Hello',
  postedAt: '2026-01-01T00:00:00.000Z',
};
const link = {
  id: 'l',
  token: 'abc',
  label: 'Branch',
  provider: 'tiktok',
  maxAccounts: 1,
  expiresAtMs: 1_000,
  usedAtMs: null,
  accountIds: [],
};
const entryOf = (change: unknown, rest: object = {}) => ({ change, atMs: 1_000, random: 7, ...rest });
const posted = (parts: object, rest: object = {}) =>
  entryOf({ kind: 'post', organizationId, accountId: googleAccount, post: { ...post, ...parts }, ...rest });

const contact = {
  contactId: 'a',
  phone: '+1555',
  name: null,
  email: null,
  fields: {},
  importedAt: '2026-01-01T00:00:00.000Z',
};
const imported = (sent: object, contactIds: readonly string[]) =>
  entryOf({ kind: 'import', organizationId, sent, contactIds, importedAt: contact.importedAt });

describe('a change that we have not written', () => {
  it.each([
    ['a post', posted({})],
    ['a link', entryOf({ kind: 'link', organizationId, link })],
    [
      'a reply',
      entryOf({
        kind: 'reply',
        organizationId,
        accountId: googleAccount,
        reviewId: review?.reviewId,
        text: 'Thanks',
      }),
    ],
    ['an import of a csv', imported({ csv: 'phone,vip\n+1555,yes\n+1 555,no\n' }, ['a', 'a'])],
    ['an import of rows', imported({ rows: [{ phone: '+1555', vip: true, note: null }] }, ['a'])],
    ['contacts of an older version', entryOf({ kind: 'contacts', organizationId, contacts: [contact] })],
    ['a payment', entryOf({ kind: 'payment', organizationId, payment: 'ok' })],
    ['a clock', entryOf({ kind: 'clock', clock: { baseMs: 1, sourceMs: 1, scale: 2 } })],
    ['a reset', entryOf({ kind: 'reset' })],
    [
      'a rule',
      entryOf({
        kind: 'fault',
        id: 'a',
        entry: { rule: { id: 'a', match: {}, error: 'transient' }, struck: 0 },
        random: 1,
      }),
    ],
  ])('is taken: %s', async (_what, value) => {
    expect(await judgeChange(value, engine.world)).toBeNull();
    expect(() => startTestEngine().engine.replay([value as CommitEntry])).not.toThrow();
  });

  it.each([
    ['nothing', null, 'change: '],
    ['a text', 'post', 'change: '],
    ['an unknown kind', entryOf({ kind: 'pots' }), 'change.change.kind: '],
    ['no instant', { change: { kind: 'reset' }, random: 1 }, 'change.atMs: '],
    ['an instant that is a text', posted({}, {}) && { ...posted({}), atMs: 'now' }, 'change.atMs: '],
    ['a number for a text', posted({ text: 5 }), 'accounts[0].posts[0].text: not a string'],
    ['a missing member', posted({ postedAt: undefined }), 'accounts[0].posts[0].postedAt: missing'],
    ['an unknown member', posted({ likes: 3 }), 'accounts[0].posts[0].likes: unknown member'],
    ['a text that is not an instant', posted({ postedAt: 'soon' }), 'accounts[0].posts[0].postedAt: not an ISO 8601'],
    ['a csv without phones', imported({ csv: 'name\nAda\n' }, ['a']), 'the import cannot be read: The first line'],
    ['a row with a bad phone', imported({ rows: [{ phone: 'x' }] }, ['a']), 'cannot be read: Row 1 has a phone that'],
    ['an import with an id too few', imported({ csv: 'phone\n1555\n1556\n' }, ['a']), '1 ids for 2 contacts'],
    ['an import of nothing', imported({}, []), 'change.change.sent: '],
    ['two contacts with one id', imported({ csv: 'phone\n1555\n1556\n' }, ['a', 'a']), 'contactId'],
    ['another organization', posted({}, { organizationId: 'org_9' }), 'there is no organization "org_9"'],
    ['another account', posted({}, { accountId: 'x' }), 'there is no account "x"'],
    [
      'another review',
      entryOf({ kind: 'reply', organizationId, accountId: googleAccount, reviewId: 'x', text: 'y' }),
      'the account has no review "x"',
    ],
    [
      'a link without a label',
      entryOf({ kind: 'link', organizationId, link: { ...link, label: '' } }),
      'links[0].label',
    ],
  ])('is told: %s', async (_what, value, problem) => {
    expect(await judgeChange(value, engine.world)).toContain(problem);
  });
});

describe('a snapshot that we have not written', () => {
  const whole = () => {
    const { journal: _journal, verdicts: _verdicts, ...rest } = engine.snapshot();
    return structuredClone(rest);
  };

  it('is taken when it is one', async () => {
    expect(await judgeSnapshot(whole())).toBeNull();
  });

  it.each([
    ['null', () => null, 'snapshot: '],
    ['without a world', () => ({ ...whole(), world: undefined }), 'snapshot.world: '],
    [
      'with windows of another shape',
      () => ({ ...whole(), limits: { settings: {}, windows: {} } }),
      'snapshot.limits.',
    ],
    ['with a broken clock', () => ({ ...whole(), clock: { baseMs: 'x' } }), 'snapshot.clock.baseMs: '],
    [
      'with a record that is malformed',
      () => {
        const snapshot = whole();
        Object.assign(snapshot.world[0]?.accounts[0] as object, { status: 'sleepy' });
        return snapshot;
      },
      'accounts[0].status',
    ],
  ])('is told: %s', async (_what, make, problem) => {
    expect(await judgeSnapshot(make())).toContain(problem);
  });
});
