import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { hostileReport, hostileText, hugeText, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { splitPointer } from '../exchange/pointer.ts';
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

  test('names the operation by its pointer in the specification, and no file that a repository lacks', () => {
    const [location] = sarifOf().results[0]?.locations ?? [];
    expect(location).not.toHaveProperty('physicalLocation');
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

  test('says where its tool is described', () => {
    expect(new URL(sarifOf().tool.driver.informationUri).protocol).toBe('https:');
  });

  test('suppresses known failures with their reason', () => {
    const excused = [{ check: 'rule/list-sites-shape', reason: 'ticket 12', until: null }];
    const { results } = sarifOf(sampleReport(), { baseline: { excused, stale: [], expired: [] } });
    expect(results[0]).toMatchObject({ suppressions: [{ kind: 'external', justification: 'ticket 12' }] });
    expect(results[2]).not.toHaveProperty('suppressions');
  });

  test('reports errors of the run itself', () => {
    const [invocation] = sarifOf(sampleReport({ abort: { exitCode: 4, sentence: 'unreachable' } })).invocations;
    expect(invocation).toMatchObject({ executionSuccessful: false, exitCode: 4 });
    expect(invocation?.toolExecutionNotifications[0]?.message.text).toBe('unreachable');
  });

  test.each([hostileText, hugeText])('bounds and defuses what a target sends (%#)', (text) => {
    for (const { message } of sarifOf(hostileReport(text)).results) {
      expect(message.text.length).toBeLessThanOrEqual(2001);
      expect(message.text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});
