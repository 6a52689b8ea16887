import { describe, expect, test } from 'vitest';
import { type Element, readMarkup } from '../../fixtures/test-kit/markup-check.ts';
import { hostileReport, hostileText, hugeText, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { noClaims } from '../report/claims.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { junit } from './junit.ts';

function read(report: Report, rules: Parameters<typeof conclude>[1] & object = {}) {
  const elements = readMarkup(junit.render(report, conclude(report, rules)));
  const named = (name: string) => elements.filter((element) => element.name === name);
  const within = (element: Element) => elements.filter(({ parent }) => parent === element);
  const caseOf = (id: string) => {
    const found = named('testcase').find(({ attributes }) => attributes.name === id);
    if (!found) throw new Error(`no case ${id}`);
    return { children: within(found), has: (name: string) => within(found).find((child) => child.name === name) };
  };
  return { elements, named, caseOf, root: elements[0] };
}

// The children and attributes that junit-10.xsd of the Jenkins plugin "xunit" allows for each element.
const jenkins: Readonly<Record<string, { children: readonly string[]; attributes: readonly string[] }>> = {
  testsuites: { children: ['testsuite'], attributes: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    attributes: ['name', 'tests', 'failures', 'errors', 'group', 'time', 'skipped', 'timestamp', 'hostname', 'id'],
  },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    attributes: ['name', 'time', 'classname', 'group'],
  },
  failure: { children: [], attributes: ['type', 'message'] },
  error: { children: [], attributes: ['type', 'message'] },
  skipped: { children: [], attributes: ['type', 'message'] },
  'system-out': { children: [], attributes: [] },
};

describe('the JUnit report', () => {
  test.each([
    ['of a run', sampleReport()],
    [
      'of a run that ended before its checks',
      sampleReport({ checks: [], abort: { exitCode: 4, sentence: 'unreachable' } }),
    ],
    ['of a hostile target', hostileReport(hostileText)],
  ])('%s has nothing that junit-10.xsd does not name', (_, report) => {
    for (const { name, attributes, parent } of read(report).elements) {
      if (name.startsWith('?')) continue;
      expect(Object.keys(jenkins)).toContain(name);
      expect(jenkins[name]?.attributes).toEqual(expect.arrayContaining(Object.keys(attributes)));
      if (parent) expect(jenkins[parent.name]?.children).toContain(name);
      if (name === 'testsuite') expect(Object.keys(attributes)).toEqual(expect.arrayContaining(['tests', 'errors']));
      if (attributes.time !== undefined) expect(attributes.time).toMatch(/^\d+\.\d{3}$/);
    }
  });

  test('has a suite for each section and a case for each check', () => {
    const { named } = read(sampleReport());
    expect(named('testsuite').map(({ attributes }) => attributes.name)).toEqual([
      '2 Resources and their fields',
      '4 Endpoints',
      '8 Limits',
    ]);
    expect(named('testcase')).toHaveLength(8);
  });

  test('counts as its readers do', () => {
    const { root, named } = read(sampleReport());
    expect(root?.attributes).toMatchObject({ tests: '8', failures: '1', errors: '1' });
    const sum = (name: string) =>
      named('testsuite').reduce((total, { attributes }) => total + Number(attributes[name]), 0);
    expect(['tests', 'failures', 'errors', 'skipped'].map(sum)).toEqual([8, 1, 1, 3]);
  });

  test('reports a failure, and its clauses with the curl in system-out', () => {
    const { caseOf } = read(sampleReport());
    const failed = caseOf('rule/list-sites-shape');
    expect(failed.has('failure')?.attributes).toEqual({
      message: 'GET /sites returned "no-uuid" at /data/0/id; expected a UUID. Found 4 times.',
      type: '2.site.id',
    });
    expect(failed.has('failure')?.text).toContain('2.site.id  "Site `id` is a UUID string."');
    expect(failed.has('system-out')?.text).toContain('curl -sS');
    expect(failed.has('system-out')?.text).toContain('must, fail, tests 2.site.id, 2.site.name');
  });

  test('passes a warning that speaks, and skips what is inconclusive with its reason', () => {
    const { caseOf } = read(sampleReport());
    expect(
      caseOf('limits/wait-as-told').has('skipped') ?? caseOf('limits/wait-as-told').has('failure'),
    ).toBeUndefined();
    expect(caseOf('limits/wait-as-told').has('system-out')?.text).toContain('warn: GET /sites returned');
    const reason = caseOf('articles/page-walk').has('skipped')?.attributes.message;
    expect(reason).toBe('not decided (requirement not met): there are no articles');
    expect(caseOf('links/creates').has('skipped')?.attributes.message).toContain('needs --allow-writes');
    expect(caseOf('keywords/of-site').has('error')).toBeDefined();
  });

  test('skips a known failure', () => {
    const excused = [{ check: 'rule/list-sites-shape', reason: 'ticket 12', until: null }];
    const { caseOf, root, named } = read(sampleReport(), { claims: { ...noClaims, excused } });
    expect(caseOf('rule/list-sites-shape').has('skipped')?.attributes.message).toBe('known failure: ticket 12');
    expect(root?.attributes.failures).toBe('0');
    const skipped = named('testsuite').map(({ attributes }) => Number(attributes.skipped));
    expect(skipped.reduce((total, number) => total + number)).toBe(4);
  });

  test('is an error when the run ended before its checks', () => {
    const { named, root } = read(sampleReport({ checks: [], abort: { exitCode: 4, sentence: 'unreachable' } }));
    expect(named('error')[0]?.attributes.message).toBe('unreachable');
    expect(root?.attributes).toMatchObject({ tests: '1', failures: '0', errors: '1' });
  });

  test.each([sampleReport(), hostileReport(hostileText), sampleReport({ checks: [] })])(
    'counts in its totals as in its suites and cases (%#)',
    (report) => {
      const { root, named } = read(report);
      for (const [name, cases] of [
        ['tests', 'testcase'],
        ['errors', 'error'],
        ['failures', 'failure'],
      ] as const) {
        const total = named('testsuite').reduce((sum, { attributes }) => sum + Number(attributes[name]), 0);
        expect([name, Number(root?.attributes[name]), total]).toEqual([name, named(cases).length, named(cases).length]);
      }
    },
  );

  test.each([hostileText, hugeText])('stays well formed for any response of a target (%#)', (text) => {
    const { named } = read(hostileReport(text));
    expect(named('script')).toEqual([]);
    expect(named('testcase').length).toBeGreaterThan(4);
    expect(junit.render(hostileReport(text), conclude(hostileReport(text)))).not.toMatch(
      /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u,
    );
  });
});
