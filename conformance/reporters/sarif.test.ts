import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  hostileReport,
  hostileText,
  hugeText,
  sampleCheck,
  sampleExchange,
  sampleFinding,
  sampleReport,
} from '../../fixtures/test-kit/sample-report.ts';
import { splitPointer } from '../exchange/pointer.ts';
import { noClaims } from '../report/claims.ts';
import { conclude } from '../report/outcome.ts';
import { toSarif } from './sarif.ts';

const specification = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'));
const sarifOf = (report = sampleReport(), rules: Parameters<typeof conclude>[1] = {}) => {
  const [run] = toSarif(report, conclude(report, rules)).runs;
  if (!run) throw new Error('no run');
  return run;
};

describe('the SARIF report', () => {
  test('makes a rule of each check, with the sentences as help', () => {
    const { rules } = sarifOf().tool.driver;
    expect(rules).toHaveLength(8);
    const rule = rules.find(({ id }) => id === 'rule/list-sites-shape');
    expect(rule?.help.text).toBe('2.site.id: Site `id` is a UUID string.\n2.site.name: Site `name` is a string.');
    expect(rule?.defaultConfiguration.level).toBe('error');
  });

  test('makes a result of each finding, its rule next to it', () => {
    const { results, tool } = sarifOf();
    expect(results.map(({ level }) => level)).toEqual(['error', 'note', 'warning', 'note']);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(results[0]?.message.text).toBe(
      'GET /sites returned "no-uuid" at /data/0/id; expected a UUID. Found 4 times. Clause 2.site.id: "Site `id` is a UUID string."',
    );
    expect(results[0]?.occurrenceCount).toBe(4);
  });

  test('names the operation by its pointer in the specification, and a file, which code scanning requires', () => {
    const [location] = sarifOf().results[0]?.locations ?? [];
    const physical = { artifactLocation: { uri: 'package.json' }, region: { startLine: 1 } };
    expect(location?.physicalLocation).toEqual(physical);
    const pointer = location?.logicalLocations[0]?.fullyQualifiedName ?? '';
    let node = specification;
    for (const name of splitPointer(pointer)) node = node[name];
    expect(node.operationId).toBe('listSites');
  });

  test('places results at the file that started the run', () => {
    const report = sampleReport();
    const file = '.github/workflows/judge staging.yml';
    const [run] = toSarif(report, { ...conclude(report), askedBy: file }).runs;
    const uris = run?.results.map(({ locations }) => locations[0]?.physicalLocation?.artifactLocation.uri);
    expect(new Set(uris)).toEqual(new Set(['.github/workflows/judge%20staging.yml']));
  });

  test('keeps the fingerprint of a failure in later runs, with other exchanges and values', () => {
    const prints = (rest: Parameters<typeof sampleFinding>[0]) => {
      const exchange = rest?.exchange ?? 'x1';
      const checks = [
        sampleCheck('sites/list', { kind: 'fail' }, { findings: [sampleFinding({ exchange, ...rest })] }),
      ];
      const [result] = sarifOf(sampleReport({ checks, exchanges: [sampleExchange({ id: exchange })] })).results;
      return result?.partialFingerprints;
    };
    const first = prints({ expected: 'the same as in x59', pointer: '/data/3/id' });
    expect(first?.['finding/v2']).toBe('sites/list 2.site.id listSites /data/*/id');
    expect(first?.primaryLocationLineHash).toMatch(/^[\da-f]{16}:1$/);
    expect(prints({ exchange: 'x7', expected: 'the same as in x2', actual: '2', pointer: '/data/0/id' })).toEqual(
      first,
    );
    expect(prints({ clause: '2.site.name' })).not.toEqual(first);
  });

  test('says where its tool is described', () => {
    expect(new URL(sarifOf().tool.driver.informationUri).protocol).toBe('https:');
  });

  test('suppresses known failures with their reason', () => {
    const excused = [{ check: 'rule/list-sites-shape', reason: 'ticket 12', until: null }];
    const { results } = sarifOf(sampleReport(), { claims: { ...noClaims, excused } });
    expect(results[0]).toMatchObject({ suppressions: [{ kind: 'external', justification: 'ticket 12' }] });
    expect(results[2]).not.toHaveProperty('suppressions');
  });

  test('reports errors of the run itself', () => {
    const [invocation] = sarifOf(sampleReport({ abort: { exitCode: 4, sentence: 'unreachable' } })).invocations;
    expect(invocation).toMatchObject({ executionSuccessful: false, exitCode: 4 });
    expect(invocation?.toolExecutionNotifications[0]?.message.text).toBe('unreachable');
    const { results, tool } = sarifOf(sampleReport({ checks: [], abort: { exitCode: 4, sentence: 'unreachable' } }));
    const [alert] = results;
    expect(results).toHaveLength(1);
    expect(alert).toMatchObject({ ruleId: 'run/complete', level: 'error', message: { text: 'unreachable' } });
    expect(tool.driver.rules[alert?.ruleIndex ?? -1]?.id).toBe('run/complete');
  });

  test.each([hostileText, hugeText])('bounds and defuses what a target sends (%#)', (text) => {
    for (const { message } of sarifOf(hostileReport(text)).results) {
      expect(message.text.length).toBeLessThanOrEqual(2001);
      expect(message.text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});
