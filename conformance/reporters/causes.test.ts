import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleExchange, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { conclude } from '../report/outcome.ts';
import { renderAnnotations } from './annotations.ts';
import { html } from './html.ts';
import { toJson } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { failuresIn } from './quoted.ts';
import { toSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';

const failed = (id: string, rest: Parameters<typeof sampleFinding>[0] = {}) =>
  sampleCheck(id, { kind: 'fail' }, { findings: [sampleFinding(rest)] });

// The first two are about one fact; the third is about the same response.
const checks = [
  failed('rule/list-sites-shape'),
  failed('sites/by-id'),
  failed('keywords/of-site', { clause: '4.keywords.list.site-id' }),
];
const report = sampleReport({ checks });
const outcome = conclude(report);
const others = 'Also failing: rule/list-sites-shape (';

describe('three failed checks of one cause', () => {
  test('are one cause in JSON', () => {
    expect(toJson(report, outcome).causes).toMatchObject([
      {
        id: 'listSites/2.site.id',
        title: 'GET /sites returned "no-uuid" at /data/0/id; expected a UUID.',
        operation: 'listSites',
        checks: ['sites/by-id', 'rule/list-sites-shape'],
        consequences: ['keywords/of-site'],
        confidence: 'once',
      },
    ]);
  });

  test.each<[string, string, RegExp, string]>([
    ['the terminal', renderTerminal(report, outcome), /^FAIL/gm, others],
    ['annotations', renderAnnotations(report, outcome), /^::error/gm, 'sites/by-id'],
    ['markdown', markdown.render(report, outcome), /^### /gm, others],
    ['junit', junit.render(report, outcome), /<failure /g, 'Fails because of sites/by-id'],
    ['junit, in its counts', junit.render(report, outcome), /<testsuites [^>]*failures="1"/g, 'skipped="2"'],
    ['html', html.render(report, outcome), /<article class="finding-card fail"/g, others],
  ])('are one entry of %s, which names the other checks', (_, text, entry, named) => {
    expect(text.match(entry)).toHaveLength(1);
    expect(text).toContain(named);
  });

  test('are one alert of SARIF', () => {
    const [{ results } = { results: [] }] = toSarif(report, outcome).runs;
    expect(results.map(({ ruleId, message }) => [ruleId, message.text.includes(others)])).toEqual([
      ['sites/by-id', true],
    ]);
  });

  test('stay visible when the first of them is a known failure', () => {
    const excused = [{ check: 'sites/by-id', reason: 'ticket 7', until: null }];
    const known = { ...outcome, claims: { ...outcome.claims, excused } };
    expect(renderTerminal(report, known)).toContain('FAIL  rule/list-sites-shape');
  });
});

test('a check that names two causes is one entry with both findings', () => {
  const second = sampleExchange({ id: 'x2', operation: 'listKeywords', target: '/keywords' });
  const both = [sampleFinding(), sampleFinding({ clause: '4.keywords.list.site-id', actual: '1', exchange: 'x2' })];
  const own = sampleReport({
    checks: [sampleCheck('sites/by-id', { kind: 'fail' }, { findings: both })],
    exchanges: [sampleExchange(), second],
  });
  expect(toJson(own, outcome).causes.map(({ checks: ids }) => ids)).toEqual([['sites/by-id'], ['sites/by-id']]);
  expect(html.render(own, outcome).match(/id="finding:sites\/by-id"/g)).toHaveLength(1);
  expect(renderTerminal(own, outcome).match(/GET \/(sites|keywords) returned/g)).toHaveLength(2);
});

describe('a cause with a history', () => {
  const proof = [
    { exchange: 'x1', shows: 'returned 1 record, with a1 at /data/0/id' },
    { exchange: 'x2', shows: 'returned 1 record, without a1' },
  ];
  const own = sampleReport({
    checks: [
      sampleCheck('articles/page-walk', { kind: 'fail' }, { findings: [sampleFinding({ exchange: 'x2', proof })] }),
    ],
    exchanges: [
      sampleExchange(),
      sampleExchange({
        id: 'x2',
        target: '/sites?limit=1',
        url: 'https://staging.example.com/api/v1/sites?limit=1',
        sentAt: Date.now(),
      }),
    ],
  });
  const first = /Repeat[\s\S]*curl [^\n]*api\/v1\/sites[\s\S]*curl [^\n]*v1\/sites\?limit=1/;

  test('is in JSON with its proof and the sequence of commands', () => {
    const [cause] = toJson(own, conclude(own)).causes;
    expect(cause).toMatchObject({
      proof,
      repeat: [expect.stringMatching(/\/sites'$/), expect.stringMatching(/limit=1'$/)],
    });
    expect(JSON.stringify(toJson(own, conclude(own)).checks)).not.toContain('"proof"');
  });

  test.each<[string, string]>([
    ['the terminal', renderTerminal(own, conclude(own))],
    ['markdown', markdown.render(own, conclude(own)).replaceAll('&#39;', "'")],
    ['html', html.render(own, conclude(own)).replaceAll('&#39;', "'")],
  ])('is on %s with its proof and the sequence of commands', (_, text) => {
    expect(text).toContain('GET /sites returned 1 record, with a1 at /data/0/id');
    expect(text).toContain('GET /sites?limit=1 returned 1 record, without a1');
    expect(text).toMatch(first);
  });

  test.each<[string, string | undefined]>([
    ['SARIF', toSarif(own, conclude(own)).runs[0]?.results[0]?.message.text],
    ['annotations', renderAnnotations(own, conclude(own))],
    ['JUnit', /<failure [\s\S]*<\/failure>/.exec(junit.render(own, conclude(own)))?.[0].replaceAll('&#39;', "'")],
  ])('is in %s with its proof and both commands', (_, text) => {
    expect(text).toContain('x2: GET /sites?limit=1 returned 1 record, without a1.');
    expect(text).toMatch(/Repeat: curl [^\n]*api\/v1\/sites'[\s\S]*Repeat: curl [^\n]*v1\/sites\?limit=1'/);
  });

  test('is an annotation with its command where one repeats it', () => {
    expect(renderAnnotations(report, outcome)).toMatch(/^::error [^\n]*%0ARepeat: curl [^\n]*\/sites'/);
  });

  test('is a loop where identical requests return different records', () => {
    const unsteady = { record: "a'1", exchanges: ['x1', 'x2'], without: ['x2'] };
    const checks = own.checks.map((each) => ({
      ...each,
      findings: each.findings.map((finding) => ({ ...finding, unsteady })),
    }));
    const [cause] = toJson({ ...own, checks }, outcome).causes;
    expect(cause).toMatchObject({ confidence: 'intermittent', scope: { seen: 1, of: 2, varied: [] } });
    expect(cause?.repeat).toEqual([
      expect.stringMatching(/^for n in \$\(seq 2\); do curl .* \| grep -cF -- 'a'\\''1'; done$/),
    ]);
    const text = renderTerminal({ ...own, checks }, outcome);
    expect(text).toContain(
      "1 of 2 identical requests GET /sites returned a list without a'1, which the other responses",
    );
    expect(text.match(/curl /g)).toHaveLength(1);
  });

  test('is repeated by concurrent requests where it needs a burst', () => {
    const named = { 'x-forwarded-for': '198.51.100.7' };
    const exchanges = own.exchanges.map((each) => ({ ...each, burst: true, sentAt: 0, requestHeaders: named }));
    const repeated = (shows: string, expected = 'x') => {
      const findings = [sampleFinding({ exchange: 'x2', expected, proof: [{ exchange: 'x2', shows }] })];
      const checks = own.checks.map((each) => ({ ...each, findings }));
      return toJson({ ...own, exchanges, checks }, outcome).causes[0]?.repeat.join('; ');
    };
    const burst = 'was one of 2 requests at once (x1 to x2)';
    expect(repeated(burst)).toMatch(/^for n in \$\(seq 2\); do curl -sS -i 'http[^']*' & done; wait$/);
    expect(repeated(burst, '429 with another X-Forwarded-For')).toContain("'x-forwarded-for: 198.51.100.'\"$n\"''");
    expect(repeated('returned 200')).toMatch(/^curl -sS -i 'http[^']*'$/);
  });
});

test('a status that only some responses have is repeated in a loop', () => {
  const findings = [sampleFinding({ pointer: '#status', actual: '500' })];
  const own = sampleReport({
    checks: [sampleCheck('sites/list', { kind: 'fail' }, { findings })],
    exchanges: [sampleExchange({ status: 500 }), sampleExchange({ id: 'x2' })],
  });
  const [cause] = toJson(own, outcome).causes;
  expect(cause?.repeat).toEqual([
    expect.stringMatching(/^for n in \$\(seq 6\); do curl .* -w '%\{http_code\}\\n'; done$/),
  ]);
});

test('scope and confidence of a cause are sentences', () => {
  const request = (id: string, limit: number, status: number) =>
    sampleExchange({ id, target: `/sites?limit=${limit}`, status });
  const status = sampleFinding({ pointer: '#status', actual: '500', alike: ['x2'] });
  const own = sampleReport({
    checks: [sampleCheck('sites/list', { kind: 'fail' }, { findings: [status] })],
    exchanges: [request('x1', 1, 500), request('x2', 2, 500), request('x3', 7, 200), request('x4', 1, 500)],
  });
  expect(failuresIn(own, outcome)[0]?.facts).toEqual([
    'Control request: GET /sites?limit=7 returned 200; it differs in limit.',
    'Scope: 2 of 3 values of limit fail, not with limit=7.',
    'Seen in 2 of 2 responses to this request.',
    'Not the cause: one particular value of limit, the endpoint as a whole.',
  ]);
});
