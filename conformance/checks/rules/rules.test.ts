import { describe, expect, test } from 'vitest';
import { sampleExchange } from '../../../fixtures/test-kit/sample-report.ts';
import { errorExamples } from '../../../src/contract/generated/errors.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { judgeRules } from '../../judge/judge.ts';
import { makeLedger } from '../../judge/ledger.ts';
import { rules } from './index.ts';
import { inWhole, isInRow, rowsCheckedMax, rowWindows } from './row-windows.ts';

const site = {
  id: '3F1C2B4E-8d7a-4c59-9e21-6b0f4a7d5c13',
  name: 'Bakery',
  domain: 'bakery.example',
  cms: 'any',
  language: 'any',
  createdAt: '20251103T0900,5+0530',
};
const account = {
  accountId: 'a',
  provider: 'tiktok',
  label: '',
  name: null,
  status: 'connected',
  locked: false,
  connectedAt: 'yesterday',
};
const accounts = {
  accounts: [account],
  pendingInvites: [],
  billing: { connected: 1.5, free: 1, billable: 0, needsPayment: false },
};

function exchange(operation: OperationId, rest: Partial<Exchange> = {}): Exchange {
  const json = rest.json ?? { data: [site] };
  const usual = { sentAt: 0, receivedAt: 1, headers: { 'content-type': 'application/json' }, requestHeaders: {} };
  return { ...sampleExchange({ operation, ...usual }), bodyText: JSON.stringify(json), json, ...rest };
}

/** All findings in one exchange, as `severity rule clause pointer`. */
function linesOf(subject: Exchange): string[] {
  return rules.flatMap((rule) => {
    const ledger = makeLedger(rule.level);
    rule.check(subject, ledger, { findSecrets: (text) => (text.includes('key_1') ? ['$KEY'] : []) });
    return ledger.findings().map(({ severity, clause, pointer }) => `${severity} ${rule.id} ${clause} ${pointer}`);
  });
}

describe('the shape rules', () => {
  test('take every legal writing of a site', () => {
    expect(linesOf(exchange('listSites'))).toEqual([]);
  });

  // Missing fields, nulls and types are mutants: the kill matrix checks them.
  test('note an extra field of an open object', () => {
    const found = linesOf(exchange('listSites', { json: { data: [{ ...site, more: 1 }] } }));
    expect(found).toEqual(['note rule/list-sites-shape 2.extra-fields /data/0']);
  });

  test('warn of a nullable field that is missing', () => {
    const keyword = {
      id: site.id,
      siteId: site.id,
      keyword: 'rye',
      searchVolume: 1,
      difficulty: null,
      createdAt: site.createdAt,
    };
    expect(linesOf(exchange('listKeywords', { json: { data: [keyword] } }))).toEqual([
      'warn rule/list-keywords-shape 2.keyword.intent /data/0/intent',
    ]);
  });

  test.each([
    [
      'in snake case',
      { search_volume: 5 },
      'fail rule/list-keywords-shape 2.keyword.search-volume /data/1/search_volume',
    ],
    ['in other words', { volume: 5 }, undefined],
    ['without anything under its name', { search_volume: null }, undefined],
  ])('distinguish a renamed field %s from a missing one', (_, more, finding) => {
    const { id, createdAt } = site;
    const keyword = { id, siteId: id, keyword: 'rye', difficulty: null, intent: null, createdAt };
    const data = [
      { ...keyword, ...Object.fromEntries(Object.keys(more).map((name) => [name, null])) },
      { ...keyword, ...more },
    ];
    const lines = linesOf(exchange('listKeywords', { json: { data } })).filter((line) => line.startsWith('fail'));
    expect(lines).toEqual(finding === undefined ? [] : [finding]);
  });

  test('take a further field that is written alike next to the listed one', () => {
    const { id, createdAt } = site;
    const nulls = { searchVolume: 3, difficulty: null, intent: null };
    const data = [{ id, siteId: id, keyword: 'rye', ...nulls, search_volume: 3, createdAt }];
    expect(linesOf(exchange('listKeywords', { json: { data } }))).toEqual([
      'note rule/list-keywords-shape 2.extra-fields /data/0',
    ]);
  });

  test('warn of an extra field of an object inside a closed one', () => {
    const data = { ...accounts, accounts: [{ ...account, more: 1 }] };
    expect(linesOf(exchange('listAccounts', { json: { data, summary: '' } }))).toEqual([
      'warn rule/list-accounts-shape 2.list-accounts-output.closed /data/accounts/0',
    ]);
  });

  test('ask the connected-account endpoints for a summary and the call log for none', () => {
    expect(linesOf(exchange('listAccounts', { json: { data: accounts } }))).toHaveLength(1);
    expect(linesOf(exchange('listCalls', { json: { data: { calls: [{ any: 1 }], nextCursor: null } } }))).toEqual([]);
  });
});

describe('the error rules', () => {
  test.each(Object.entries(errorExamples))('take the example %s', (_, { status, body }) => {
    const headers = {
      'content-type': 'application/problem+json',
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1772442060000',
    };
    expect(linesOf(exchange('listAccounts', { status, json: body, headers }))).toEqual([]);
  });

  test('look for issues anywhere in the body', () => {
    const error = { code: 'invalid_input', message: '' };
    const found = { error: { ...error, details: { issues: { text: 'too long' } } } };
    const empty = ['fail rule/issues 7.code.invalid-input-issues /issues'];
    const at = (json: unknown) => linesOf(exchange('listAccounts', { status: 400, json }));
    expect([at(found), at({ error, issues: [] })]).toEqual([[], empty]);
  });

  test.each([
    ['object', '{ printf \'{"provider":7,"pad":"\'; }', 'fail'],
    ['list', "{ printf '['; }", 'note'],
  ])('look for issues after a large %s, of which the command is known', (_, command, severity) => {
    const json = { error: { code: 'invalid_input', message: '' } };
    const requestBody = { text: null, bytes: 2_500_000, command };
    expect(linesOf(exchange('createConnectLink', { method: 'POST', status: 400, json, requestBody }))).toEqual([
      `${severity} rule/issues 7.code.invalid-input-issues /error/issues`,
    ]);
  });
});

describe('the header rules', () => {
  const now = Date.UTC(2026, 0, 1);
  const headers = (rest: Record<string, string>) => ({
    'content-type': 'application/json',
    date: new Date(now).toUTCString(),
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '3',
    'x-ratelimit-reset': String(now + 30_000),
    ...rest,
  });

  test('ask a limiter’s 429 for all three', () => {
    const limited = { status: 429, json: { error: 'rate_limit_exceeded' } };
    expect(linesOf(exchange('listSites', limited))).toEqual([
      'fail rule/rate-headers 8.headers.limit #header/x-ratelimit-limit',
      'fail rule/rate-headers 8.headers.remaining #header/x-ratelimit-remaining',
      'fail rule/rate-headers 8.headers.reset #header/x-ratelimit-reset',
    ]);
  });

  test.each([
    ['x-ratelimit-reset', String((now + 30_000) / 1000), '8.headers.reset'],
    ['x-ratelimit-reset', String((now + 30_000) * 1000), '8.headers.reset'],
    ['x-ratelimit-reset', String(now + 86_400_000), '8.headers.reset'],
    ['x-ratelimit-remaining', '61', '8.headers.remaining'],
    ['x-ratelimit-limit', '100', '8.headers.limit'],
  ])('find %s: %s wrong', (name, value, clause) => {
    const found = linesOf(exchange('listSites', { headers: headers({ [name]: value }) }));
    expect(found).toEqual([`fail rule/rate-headers ${clause} #header/${name}`]);
  });

  describe('compare Reset with the clock that all responses show', () => {
    const rule = rules.find(({ id }) => id === 'rule/rate-headers');
    const findingsOf = (offsets: readonly { readonly reset: number; readonly date?: number }[]) => {
      const ledger = makeLedger('must');
      for (const [index, { reset, date = 0 }] of offsets.entries()) {
        const at = now + index * 1000;
        const values = { 'x-ratelimit-reset': String(at + reset), date: new Date(at + date).toUTCString() };
        const times = { sentAt: at, receivedAt: at + 20 };
        rule?.check(exchange('listSites', { ...times, headers: headers(values) }), ledger, { findSecrets: () => [] });
      }
      return ledger.findings().map(({ severity, pointer }) => `${severity} ${pointer}`);
    };
    const reset = '#header/x-ratelimit-reset';

    // biome-ignore format: one row a line
    test.each([
      ['a Date 5 s ahead of the service', [{ reset: 60_000, date: 5000 }, { reset: 500, date: 5000 }]],
      ['a Date 5 s before the time of the service', [{ reset: 60_000, date: -5000 }, { reset: 500, date: -5000 }]],
      ['a service an hour ahead of Date', [{ reset: 3_650_000 }, { reset: 3_601_000 }]],
      ['a second server 5 s before the first', [{ reset: 60_000 }, { reset: -4500, date: -5000 }]],
    ])('%s is at most noted', (_, offsets) => {
      expect(findingsOf(offsets).filter((finding) => !finding.startsWith('note'))).toEqual([]);
    });

    test('a service an hour ahead of Date is noted', () => {
      expect(findingsOf([{ reset: 3_650_000 }])).toEqual([`note ${reset}`]);
    });

    test.each([
      ['two timestamps further apart than a window', [{ reset: 60_000 }, { reset: 130_000 }]],
      ['a timestamp that has passed for the clock of the others', [{ reset: 60_000 }, { reset: -10_000 }]],
      ['a timestamp that fits Date, where another one did not', [{ reset: 120_000 }, { reset: 30_000 }]],
    ])('%s fail, because no clock explains them', (_, offsets) => {
      expect(findingsOf(offsets)).toContain(`fail ${reset}`);
    });
  });

  test('find a Retry-After that is a date', () => {
    const limited = { status: 429, json: { error: 'rate_limit_exceeded' } };
    const found = linesOf(
      exchange('listSites', {
        ...limited,
        headers: headers({ 'x-ratelimit-remaining': '0', 'retry-after': 'Thu, 01 Jan' }),
      }),
    );
    expect(found).toEqual(['fail rule/retry-after 7.retry.whole-seconds #header/retry-after']);
  });

  test.each([
    ['take', 86_400, []],
    ['find', 1_798_000_000, ['fail rule/retry-after 7.retry.whole-seconds #header/retry-after']],
  ])('%s a Retry-After of a platform of %i seconds', (_, seconds, found) => {
    const json = { error: { code: 'rate_limited', message: 'Quota' } };
    const response = { status: 429, json, headers: headers({ 'retry-after': String(seconds) }) };
    expect(linesOf(exchange('listReviews', response)).filter((line) => line.includes('retry-after'))).toEqual(found);
  });
});

describe('the rules of a run', () => {
  test.each([
    [411, 'chunked', 0],
    [501, 'chunked', 0],
    [500, 'chunked', 1],
    [411, undefined, 1],
  ])('check a response of %d to a body that is %s: %d findings or more', (status, coding, least) => {
    const page = { problem: 'not-json', bodyText: '<p>', json: undefined } as const;
    const requestHeaders = coding === undefined ? {} : { 'transfer-encoding': coding };
    const own = [exchange('createConnectLink', { ...page, status, requestHeaders })];
    const found = judgeRules(rules, own, { findSecrets: () => [] }).flatMap(({ findings }) => findings);
    expect(Math.min(found.length, 1)).toBe(least);
  });
});

describe('the other rules', () => {
  test('accept only JSON types', () => {
    const typed = (type: string) => linesOf(exchange('listSites', { headers: { 'content-type': type } }));
    expect(typed('Application/vnd.x+JSON; charset=utf-8')).toEqual([]);
    expect(typed('text/plain')).toEqual(['fail rule/json 4.json #header/content-type']);
  });

  test('warn of a status from elsewhere in the contract', () => {
    const json = { error: { code: 'x', message: '' } };
    expect(linesOf(exchange('listSites', { status: 402, json }))).toEqual([
      'warn rule/status 4.sites.list.statuses #status',
    ]);
  });

  test('see the key in a body', () => {
    const found = linesOf(exchange('listSites', { bodyText: 'key_1' }));
    expect(found).toEqual(['warn rule/key-secrecy 5.bearer-header #body']);
  });
});

const listed = new Set(['data', 'cursor', 'id']);
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

test('a usual response is one window, the response itself', () => {
  const value = { data: rows(100), cursor: null };
  const { windows, isCut } = rowWindows(value, listed);
  expect(windows).toEqual([{ value, offset: 0 }]);
  expect(windows[0]?.value).toBe(value);
  expect(isCut).toBe(false);
});

test('a long list comes in windows that together hold every row once', () => {
  const { windows, isCut } = rowWindows({ data: rows(2500), cursor: 'c' }, listed);
  expect(windows.map(({ offset }) => offset)).toEqual([0, 1000, 2000]);
  expect(windows.flatMap(({ value }) => (value as { data: unknown[] }).data)).toEqual(rows(2500));
  expect(isCut).toBe(false);
});

test('rows and fields beyond the bounds are left out, and listed fields never', () => {
  const { windows, isCut } = rowWindows({ data: rows(rowsCheckedMax + 1) }, listed);
  expect(isCut).toBe(true);
  expect(windows.flatMap(({ value }) => (value as { data: unknown[] }).data)).toHaveLength(rowsCheckedMax);
  const wide = Object.fromEntries([...Array.from({ length: 5000 }, (_, index) => [`m${index}`, 1]), ['id', 7]]);
  const rowsOf = ({ value }: { value: unknown }) => (value as { data: Record<string, unknown>[] }).data;
  const [row] = rowWindows({ data: [wide] }, listed).windows.flatMap(rowsOf);
  expect(Object.keys(row ?? {})).toHaveLength(1001);
  expect(row?.id).toBe(7);
});

test('a pointer into a window links to the same row of the whole response', () => {
  expect(inWhole('/data/7/points/2', 3000)).toBe('/data/3007/points/2');
  expect(['/data/7/id', '/data/7', '/data/billing'].map(isInRow)).toEqual([true, true, false]);
});
