import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleExchange, sampleFinding, sampleReport } from '../../proof/test-kit/sample-report.ts';
import { conclude } from '../report/outcome.ts';
import { renderAnnotations } from './annotations.ts';
import { html } from './html.ts';
import { toJson } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
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
const others = 'Also failing: rule/list-sites-shape, keywords/of-site.';

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
    [
      'markdown',
      markdown.render(report, outcome),
      /^### /gm,
      'Also failing&#58; rule/list-sites-shape, keywords/of-site.',
    ],
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
    const known = { ...outcome, baseline: { excused, stale: [], expired: [] } };
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
