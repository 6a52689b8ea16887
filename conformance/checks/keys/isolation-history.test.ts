import { describe, expect, test } from 'vitest';
import { uuid } from '../../../fixtures/test-kit/articles.ts';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted } from '../../../fixtures/test-kit/check-tests.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { sampleReport } from '../../../fixtures/test-kit/sample-report.ts';
import type { History } from '../../exchange/history.ts';
import { judgeAll } from '../../judge/judge.ts';
import { causesOf, sequenceOf } from '../../report/diagnosis/causes.ts';
import { withProofs } from '../../report/diagnosis/proof.ts';
import { store } from '../../report/report.ts';
import { commandsOfCause } from '../../reporters/commands.ts';
import { checks } from '../index.ts';
import { isolationHistory } from './isolation-history.ts';

const isolation = ['1.organization-scope', '5.key-organization', '1.foreign-record'];

/** A whole list, requested without parameters. */
const isList = (path: string) => (one: Exchanged) =>
  one.method === 'GET' && one.path === path && one.status === 200 && one.query.size === 0;

/** The whole response to the other key instead of some of the responses. */
const mixed = (path: string, nth: number) => () => {
  const bodies: string[] = [];
  return counted(isList(path), (one, read) => {
    const body = JSON.stringify(one.body);
    if (!bodies.includes(body)) bodies.push(body);
    const other = bodies.find((known) => known !== body);
    return read % nth === 0 && other !== undefined ? { body: JSON.parse(other) } : undefined;
  })();
};

const site = (mark: string) => ({ id: uuid(mark), name: `Site ${mark} of Example` });
const account = (mark: string) => ({ accountId: uuid(mark), provider: 'google_business', label: `Roofs & Co ${mark}` });
const at = '/connect/accounts';
const lists = (key: string, marks: string): Line[] => [
  [`${key} GET /sites`, { data: [...marks].map(site) }],
  [`${key} GET ${at}`, { data: { accounts: [...marks].map(account), pendingInvites: [] } }],
];
/** The lists of both keys. */
const own = [...lists('good', 'ab'), ...lists('second', 'cd')];
const says = (message: string) => ({ error: { code: 'not_found', message } });
const tool = (structuredContent: unknown) => ({ jsonrpc: '2.0', id: 1, result: { structuredContent } });
const review = {
  reviewId: 'AbFvOqm8d0wW6EXAMPLE',
  author: 'A',
  rating: 5,
  text: 'Good',
  date: '2026-01-01T00:00:00.5Z',
};
const call = { callId: 'c-4711-8f3e2d1c0b9a', startedAt: '2026-01-01T00:00:00.125Z' };
const calls = { calls: [call], nextCursor: null };
const base64 = Buffer.from(`after:${uuid('a')}`).toString('base64');

describe('a record that one key has listed, in a response to the other key', () => {
  test.each<[string, Line[]]>([
    ['a list', [['second GET /sites', { data: [site('c'), site('a')] }]]],
    ['a response by id', [[`second GET /sites/${uuid('a')}`, { data: site('a') }]]],
    [
      'a response by id of an article',
      [
        ['good GET /articles', { data: [{ id: uuid('e'), siteId: uuid('a') }], cursor: null }],
        ['second GET /articles', { data: [{ id: uuid('f'), siteId: uuid('c') }], cursor: null }],
        [`second GET /articles/${uuid('e')}`, { data: { id: uuid('e') } }],
      ],
    ],
    ['keywords', [[`second GET /keywords?siteId=${uuid('a')}`, { data: [{ id: uuid('9'), siteId: uuid('a') }] }]]],
    ['reviews', [[`second GET ${at}/${uuid('a')}/reviews`, { data: { reviews: [review] } }]]],
    ['insights', [[`second GET ${at}/${uuid('a')}/insights`, { data: { metrics: [{ key: 'views' }] } }]]],
    ['a post', [[`second POST ${at}/${uuid('a')}/posts`, { data: { postId: 'p' } }]]],
    ['the text of an error', [[`second GET /sites/${uuid('0')}`, says(`last seen: ${uuid('a')}`)]]],
    ['an error that quotes a site', [[`second GET /sites/${uuid('a')}`, says('No access to SITE A of Example')]]],
    [
      'an error that quotes an account',
      [
        [`good GET ${at}`, { data: { accounts: [account('9')], pendingInvites: [] } }],
        [`second GET ${at}/${uuid('9')}/insights`, says(`${uuid('9')}, Roofs & Co 9: not found`)],
      ],
    ],
    [
      'an article of a site of the other organization',
      [['second GET /articles?limit=7', { data: [{ id: uuid('e'), siteId: uuid('a') }], cursor: null }]],
    ],
    ['a cursor', [[`second GET ${at}/${uuid('c')}/reviews`, { data: { reviews: [], nextCursor: base64 } }]]],
    ['a result of an MCP tool', [['second mcp', tool({ accounts: [account('a')] })]]],
    ['a text of an MCP tool', [['second mcp', tool({ text: `posted to ${uuid('a')}` })]]],
  ])('is a failure in %s, no clause of isolation holds, and commands use both keys', (_, lines) => {
    const history = historyOf([...own, ...lines]);
    const results = judgeAll([isolationHistory], history);
    const [row] = results;
    const last = `x${history.exchanges.length}`;
    const { result, findings } = judged(isolationHistory, history);
    const named = findings.filter((finding) => finding !== `fail 4.sites.list ${last}`);
    expect([result, ...named]).toEqual(['fail', ...isolation.map((clause) => `fail ${clause} ${last}`)]);
    expect(row?.shown).toEqual([]);
    const exchanges = history.exchanges.map((one) => store(one, true));
    const report = withProofs(sampleReport({ checks: results, exchanges }), history.exchanges);
    const [cause] = causesOf(report);
    const commands = commandsOfCause(cause as NonNullable<typeof cause>, report).join('\n');
    expect(commands).toContain(history.exchanges.at(-1)?.url);
    expect([commands.includes('$CONFORMANCE_API_KEY'), commands.includes('$CONFORMANCE_SECOND_KEY')]).toEqual([
      true,
      true,
    ]);
    expect(row?.findings[0]?.actual).toMatch(
      /^("[^"]+" of )?record [\w-]+ of the organization of the first key, as in x\d$/,
    );
  });

  // biome-ignore format: one row a line
  test.each<[string, Line[], Partial<History>, string]>([
    [
      'one shared review of a platform',
      [
        [`good GET ${at}/${uuid('a')}/reviews`, { data: { reviews: [review] } }],
        [`second GET ${at}/${uuid('c')}/reviews`, { data: { reviews: [review] } }],
      ],
      {},
      'warn',
    ],
    ['one shared call', [['good GET /connect/calls/log', { data: calls }], ['second GET /connect/calls/log', { data: calls }]], {}, 'warn'],
    ['three shared sites that no list lacks', [], { exchanges: historyOf([...lists('good', 'abc'), ...lists('second', 'abc')]).exchanges }, 'fail'],
    [
      'test data that is alike on purpose',
      [],
      { exchanges: historyOf([...lists('good', 'abc'), ...lists('second', 'abc')]).exchanges, isSeededAlike: true },
      'warn',
    ],
    [
      'a common text, a text of the request and a provider',
      [
        ['good GET /sites', { data: [{ id: uuid('7'), name: 'No such site here' }, ...['a', 'b'].map(site)] }],
        [`good GET /sites/${uuid('0')}`, says('There is no such site here')],
        [`second GET /sites/${uuid('7')}`, says('There is no such site here')],
        [`second GET ${at}/${uuid('a')}/reviews?cursor=Roofs+%26+Co+a`, says('No google_business account')],
      ],
      {},
      'pass',
    ],
    [
      'an invite that holds little',
      (['good', 'second'] as const).map((key): Line => {
        const pendingInvites = [{ id: '1', provider: 'tiktok', label: 'spring' }];
        return [`${key} GET ${at}?invites`, { data: { accounts: [], pendingInvites } }];
      }),
      {},
      'warn',
    ],
    ['an id of the request', [[`second GET /sites/${uuid('a')}`, says(`no site ${uuid('a')}`)]], {}, 'pass'],
    ['an empty list for a foreign site', [[`second GET /articles?siteId=${uuid('a')}`, { data: [], cursor: null }]], {}, 'pass'],
    ['rejections only', [['second GET /sites', says('')]], {}, 'pass'],
    [
      'a recording of one organization with a renewed key',
      [],
      { exchanges: historyOf([...lists('good', 'ab'), ...lists('second', 'abc')]).exchanges, isRecorded: true },
      'inconclusive(precondition)',
    ],
    ['a recording of two organizations', [[`second GET /sites/${uuid('a')}`, { data: site('a') }]], { isRecorded: true }, 'fail'],
    [
      'a recording in which the second key has listed nothing',
      [],
      {
        exchanges: historyOf([...lists('good', 'ab'), [`second GET /sites/${uuid('a')}`, { data: site('a') }]])
          .exchanges,
        isRecorded: true,
      },
      'inconclusive(precondition)',
    ],
    ['one key', [], { exchanges: historyOf(lists('good', 'ab')).exchanges }, 'inconclusive(vacuous)'],
  ])('is judged with care: %s', (_, lines, rest, result) => {
    expect(judged(isolationHistory, { ...historyOf([...own, ...lines]), ...rest }).result).toBe(result);
  });
});

test('a list that one key cannot read proves nothing', () => {
  const closed: Line[] = [['good GET /sites', says('')], ...own.slice(1)];
  const shownIn = (lines: Line[]) => judgeAll([isolationHistory], historyOf(lines))[0]?.shown;
  expect(shownIn(own)).toEqual(['1.organization-scope', '5.key-organization', '4.sites.list']);
  expect(shownIn(closed)).toEqual(['1.organization-scope', '5.key-organization']);
});

test('a cache that mixes the lists of two keys in a run verifies no clause, and both responses are named', async () => {
  const { report } = await bench({ checks, spoil: mixed('/connect/accounts', 3), run: { requests: 120 } });
  const covered = report.coverage.filter(({ clause }) => isolation.includes(clause));
  expect(covered.map(({ result }) => result)).toEqual(['fail', 'fail', 'fail']);
  const [cause, ...others] = causesOf(report);
  expect([cause, ...others].filter((one) => one?.finding.unsteady !== undefined)).toEqual([]);
  expect(cause?.checks[0]).toMatch(/^isolation/);
  const keys = sequenceOf(cause as NonNullable<typeof cause>, report.exchanges).requests.map(({ key }) => key);
  expect(new Set(keys)).toEqual(new Set(['good', 'second']));
});
