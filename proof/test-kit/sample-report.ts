// A small report with every result in it, and the same one from a target that means harm: what reporters are tested
// with.
import type { CheckResult, Finding, Result } from '../../conformance/judge/result.ts';
import { coverClauses } from '../../conformance/report/coverage.ts';
import { type Report, type StoredExchange, summarize } from '../../conformance/report/report.ts';

/** Hostile text of a target, for every place that shows it. */
export const hostileText = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '</script></title></style></pre>]]>--><!-- ',
  '\u001b[2J\u001b]0;owned\u0007\u009b31m',
  '\r\n::error title=forged::forged\n::stop-commands::x\n',
  '"\' onmouseover="alert(3)" `code` | cell | [link](javascript:alert(4)) # head',
  '\u202e\u2066\u200b\ufeff\ud800 $& $1 \\ %0A',
].join('');

/** Too long to be shown completely. */
export const hugeText = 'A'.repeat(1_000_000);

export function sampleExchange(rest: Partial<StoredExchange> = {}): StoredExchange {
  return {
    id: 'x1',
    operation: 'listSites',
    method: 'GET',
    target: '/sites',
    url: 'https://staging.example.com/api/v1/sites',
    key: 'good',
    address: null,
    requestHeaders: { accept: 'application/json', authorization: 'Bearer $CONFORMANCE_API_KEY' },
    requestBody: { text: null, bytes: 0 },
    sentAt: Date.UTC(2026, 0, 15, 12),
    receivedAt: Date.UTC(2026, 0, 15, 12) + 34.5,
    status: 200,
    headers: { 'content-type': 'application/json', date: 'Thu, 15 Jan 2026 12:00:00 GMT' },
    bodyText: '{"data":[{"id":"no-uuid","name":"One"}]}',
    bodyShape: null,
    bodyBytes: 40,
    bodySha256: 'ab'.repeat(32),
    problem: 'none',
    problemDetail: null,
    repeatOf: null,
    burst: false,
    ...rest,
  };
}

export function sampleFinding(rest: Partial<Finding> = {}): Finding {
  return {
    severity: 'fail',
    clause: '2.site.id',
    pointer: '/data/0/id',
    expected: 'a UUID',
    actual: '"no-uuid"',
    exchange: 'x1',
    count: 1,
    ...rest,
  };
}

export function sampleCheck(id: string, result: Result, rest: Partial<CheckResult> = {}): CheckResult {
  return {
    id,
    title: `What ${id} says holds`,
    level: 'must',
    cites: ['4.sites.list'],
    result,
    findings: [],
    evidence: 1,
    exchanges: ['x1'],
    ...rest,
  };
}

const everyResult: readonly CheckResult[] = [
  sampleCheck('sites/list', { kind: 'pass' }, { evidence: 3 }),
  sampleCheck(
    'rule/list-sites-shape',
    { kind: 'fail' },
    {
      cites: ['2.site.id', '2.site.name'],
      findings: [sampleFinding({ count: 4 }), sampleFinding({ severity: 'note' })],
    },
  ),
  sampleCheck(
    'limits/wait-as-told',
    { kind: 'warn' },
    {
      cites: ['8.retry-after'],
      findings: [sampleFinding({ severity: 'warn', clause: '8.retry-after', pointer: '#status' })],
    },
  ),
  sampleCheck(
    'rule/rate-headers',
    { kind: 'note' },
    { cites: ['8.headers.limit'], findings: [sampleFinding({ severity: 'note', clause: '8.headers.limit' })] },
  ),
  sampleCheck('articles/page-walk', { kind: 'inconclusive', reason: 'precondition', message: 'there are no articles' }),
  sampleCheck('rule/payment-reason', { kind: 'inconclusive', reason: 'vacuous', message: 'nothing was seen' }),
  sampleCheck('links/creates', { kind: 'skipped', message: 'needs --allow-writes=links' }, { exchanges: [] }),
  sampleCheck('keywords/of-site', { kind: 'error', message: 'GET /keywords got no complete response' }),
];

/** Counts and coverage follow from the checks that are given. */
export function sampleReport(rest: Partial<Report> = {}): Report {
  const checks = rest.checks ?? everyResult;
  const range = { floor: 40, ceiling: 60 };
  return {
    tool: 'casa-kit conformance',
    toolVersion: '1.2.3',
    contractVersion: '1.0.0',
    target: 'https://staging.example.com/api/v1',
    runId: 'abcd1234',
    startedAt: '2026-01-15T12:00:00.000Z',
    isMockTime: false,
    plan: {
      checks: 8,
      requests: range,
      seconds: range,
      writes: 0,
      seed: 0,
      onTop: { repeats: 30, confirmations: 12 },
      lines: [{ name: 'audit', checks: 8, requests: range, seconds: range, writes: 0, leaves: [] }],
    },
    used: { requests: 52, seconds: 58.25 },
    recorded: null,
    behaviors: [],
    summary: summarize(checks),
    coverage: coverClauses(checks),
    exchanges: [sampleExchange()],
    isEmpty: false,
    abort: null,
    keepsBodies: true,
    ...rest,
    checks,
  };
}

/** The texts that a target, or a file, can put into a report. */
export function hostileReport(text: string): Report {
  const proof = ['x1', 'x2'].map((exchange) => ({ exchange, shows: text }));
  const finding = sampleFinding({ expected: text, actual: text, pointer: `/data/0/${text}`, message: text, proof });
  return sampleReport({
    target: 'https://staging.example.com/api/v1',
    checks: [
      sampleCheck('sites/list', { kind: 'fail', message: text }, { findings: [finding] }),
      sampleCheck('sites/by-id', { kind: 'warn' }, { findings: [{ ...finding, severity: 'warn' }] }),
      sampleCheck('sites/unknown-id', { kind: 'inconclusive', reason: 'platform', message: text }),
      sampleCheck('sites/read-only', { kind: 'error', message: text }),
      sampleCheck('links/creates', { kind: 'skipped', message: text }),
    ],
    exchanges: [
      sampleExchange({
        target: `/sites?${text}`,
        url: `https://staging.example.com/api/v1/sites?${text}`,
        headers: { 'content-type': text, [text]: text },
        bodyText: JSON.stringify({ data: [{ [text]: text }] }),
        problemDetail: text,
      }),
      sampleExchange({ id: 'x2', bodyText: text, problem: 'not-json', requestBody: { text, bytes: 9 } }),
    ],
    abort: { exitCode: 4, sentence: text },
  });
}
