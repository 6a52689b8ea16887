import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Element, readMarkup } from '../../fixtures/test-kit/markup-check.ts';
import {
  hostileReport,
  hostileText,
  hugeText,
  sampleCheck,
  sampleExchange,
  sampleFinding,
  sampleReport,
} from '../../fixtures/test-kit/sample-report.ts';
import { noClaims } from '../report/claims.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { html } from './html.ts';

type Rules = Parameters<typeof conclude>[1];

function open(report: Report, rules: Rules = {}) {
  const source = html.render(report, conclude(report, rules));
  const elements = readMarkup(source);
  const isWithin = (element: Element, outer: Element): boolean =>
    element === outer || (element.parent !== null && isWithin(element.parent, outer));
  const textOf = (outer: Element) =>
    elements
      .filter((element) => isWithin(element, outer))
      .map(({ text }) => text)
      .join(' ')
      .replace(/\s+/g, ' ');
  const byId = (id: string) => {
    const found = elements.find(({ attributes }) => attributes.id === id);
    if (!found) throw new Error(`no element ${id}`);
    return textOf(found);
  };
  const hasId = (id: string) => elements.some(({ attributes }) => attributes.id === id);
  const named = (name: string) => elements.filter((element) => element.name === name);
  return { source, elements, byId, hasId, named, textOf };
}

describe('the page', () => {
  test('answers five questions before it lists causes', () => {
    const inputs = { options: {}, standIns: { good: 'k' }, isOfMcpEndpoint: false };
    const { named, textOf, byId, source } = open({ ...sampleReport(), inputs } as unknown as Report);
    const heads = named('h2').map((head) => textOf(head).trim());
    expect(heads.slice(0, 5)).toEqual([
      'The API does not keep its contract: at least 1 defect. The gravest: unreadable responses.',
      'Impact on users of the API',
      'Not tested',
      'Next steps',
      'Causes 2',
    ]);
    expect(textOf(named('header')[0] as Element)).toMatch(/Organization 1 site .*Examined 52 requests, 1 record in/);
    expect(textOf(named('section')[0] as Element)).toContain('3 of 227 requirements tested (1%)');
    expect(byId('gaps')).toContain('Revoked keys Whether a key still works after it was revoked');
    expect(byId('method')).toMatch(/planned 40-60, at most 102.*npx casa-conformance --base-url https/);
    expect(source).toContain('@bottom-left{content:"run abcd1234');
  });

  test('shows no good sign without the share that was tested', () => {
    const { named, textOf } = open(sampleReport({ checks: [sampleCheck('sites/list', { kind: 'pass' })] }));
    expect(textOf(named('title')[0] as Element)).toMatch(/^ *✓ .*: 1 of 227 requirements tested/);
    expect(textOf(named('section')[0] as Element)).toMatch(/✓ .* 1 of 227 requirements tested/);
  });

  test('explains each word for a result', () => {
    const text = open(sampleReport()).textOf(open(sampleReport()).named('section')[0] as Element);
    expect(text).not.toMatch(/inconclusive|skipped/);
  });

  test('compares two deployments in words of a comparison, and checks neither', () => {
    const { named, textOf, byId } = open({ ...sampleReport(), compared: { a: 'staging', b: 'production' } });
    const text = textOf(named('main')[0] as Element);
    expect(text).toContain('production next to staging');
    expect(text).toContain('Side A staging Side B production');
    expect(byId('failures')).toContain('differs');
    expect(text).not.toMatch(/Causes|planned 40|\d pass|Next steps/);
  });

  test('shows a finding with its sentence, both sides, its place, a curl and the response with that place marked', () => {
    const { byId, named, textOf } = open(sampleReport());
    const card = byId('finding:rule/list-sites-shape');
    for (const part of ['Site is a UUID string.', 'a UUID', '"no-uuid"', '/data/0/id', 'Found 4 times.', 'curl -sS'])
      expect(card).toContain(part);
    expect(named('mark').map(textOf).join()).toContain('"no-uuid"');
  });

  test('marks a status and a header where the finding is about one', () => {
    const findings = ['#status', '#header/date', '#header/retry-after'].map((pointer) => sampleFinding({ pointer }));
    const { named, textOf } = open(sampleReport({ checks: [sampleCheck('a/b', { kind: 'fail' }, { findings })] }));
    expect(named('mark').map((mark) => textOf(mark).trim())).toEqual([
      '200',
      'Thu, 15 Jan 2026 12:00:00 GMT',
      'absent',
    ]);
  });

  test('lists every check, clause and exchange under a separate address', () => {
    const report = sampleReport();
    const { hasId, elements } = open(report);
    for (const { id } of report.checks) expect(hasId(`check:${id}`)).toBe(true);
    for (const { clause } of report.coverage) expect(hasId(`clause:${clause}`)).toBe(true);
    expect(hasId('x1')).toBe(true);
    const ids = elements.flatMap(({ attributes }) => (attributes.id === undefined ? [] : [attributes.id]));
    expect(new Set(ids).size).toBe(ids.length);
    const links = elements.flatMap(({ attributes }) =>
      attributes.href?.startsWith('#') ? [attributes.href.slice(1)] : [],
    );
    expect(links.filter((id) => !hasId(id))).toEqual([]);
  });

  test('sets known failures apart from failures', () => {
    const excused = [{ check: 'rule/list-sites-shape', reason: 'ticket 12', until: null }];
    const { byId, hasId } = open(sampleReport(), { claims: { ...noClaims, excused } });
    expect(hasId('finding:rule/list-sites-shape')).toBe(false);
    expect(byId('claims')).toContain('ticket 12');
  });

  test('shows the shape of a body that was not kept, and says so', () => {
    const shape = { data: [{ id: 'string' }, '× 9'] };
    const exchanges = [sampleExchange({ bodyText: null, bodyShape: shape, bodyBytes: 1234 })];
    const text = open(sampleReport({ exchanges, keepsBodies: false })).byId('x1');
    expect(text).toContain('the body of 1234 bytes was not kept');
    expect(text).toContain('"string"');
  });

  test('has nothing about failures when nothing failed', () => {
    const { hasId, source } = open(sampleReport({ checks: [sampleCheck('sites/list', { kind: 'pass' })] }));
    expect(hasId('failures') || hasId('warnings') || hasId('doubts')).toBe(false);
    expect(source).toContain('No defect was found in the part of the contract that was tested.');
  });

  test('shows a run that ended before its checks', () => {
    const abort = { exitCode: 4, sentence: 'unreachable' } as const;
    const { named, textOf, hasId } = open(sampleReport({ checks: [], coverage: [], exchanges: [], abort }));
    expect(textOf(named('h2')[0] as Element)).toBe('unreachable');
    expect(hasId('checks')).toBe(false);
  });
});

describe('a page about a hostile target', () => {
  test('holds a script and two styles, which its policy names by their hashes, and sends no request', () => {
    const { named, source, elements } = open(hostileReport(hostileText));
    expect([named('script').length, named('style').length, named('img').length]).toEqual([1, 2, 0]);
    const policy = named('meta').find(({ attributes }) => attributes['http-equiv'])?.attributes.content ?? '';
    for (const [, name = '', text = ''] of source.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)) {
      const hash = createHash('sha256').update(text).digest('base64');
      expect(policy.split('; ').find((part) => part.startsWith(`${name}-src`))).toContain(`'sha256-${hash}'`);
    }
    expect(policy).toContain("default-src 'none'");
    const names = new Set(elements.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((name) => name === 'src' || name === 'style' || name.startsWith('on'))).toEqual([]);
    const addresses = elements.flatMap(({ attributes }) => (attributes.href === undefined ? [] : [attributes.href]));
    expect(addresses.filter((href) => !href.startsWith('#'))).toEqual([]);
  });

  test('shows what came as text', () => {
    const text = open(hostileReport(hostileText)).byId('finding:sites/list');
    expect(text).toContain('<script>alert(1)</script>');
    expect(text).toContain('\\u{1b}[2J');
    expect(text).not.toMatch(/[\p{Cf}\p{Cc}]/u);
  });

  test('stays small when texts and lists are huge', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({ id: String(index), text: 'x'.repeat(100) }));
    const findings = Array.from({ length: 500 }, (_, index) =>
      sampleFinding({ pointer: `/data/${index}/id`, actual: hugeText }),
    );
    const checks = Array.from({ length: 20 }, (_, index) =>
      sampleCheck(`test/n${index}`, { kind: 'fail' }, { findings }),
    );
    const exchanges = [sampleExchange({ bodyText: JSON.stringify({ data: rows }), target: `/sites?${hugeText}` })];
    expect(open(sampleReport({ checks, exchanges })).source.length).toBeLessThan(6_000_000);
  });

  test('shows JSON that is nested without end', () => {
    const bodyText = `${'['.repeat(3000)}${']'.repeat(3000)}`;
    expect(open(sampleReport({ exchanges: [sampleExchange({ bodyText })] })).byId('x1')).toContain('[…]');
  });
});
