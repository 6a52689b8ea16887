import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { hostileReport, hostileText, sampleExchange, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { startIndependent } from '../../proof/independent/index.ts';
import { runConformance } from '../index.ts';
import { inconclusiveReasons, levels, resultKinds, severities } from '../judge/result.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { har } from './har.ts';
import { json } from './json.ts';

const schema = JSON.parse(readFileSync(new URL('../../spec/report.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(schema);

function problemsOf(report: Report): unknown[] {
  return validate(JSON.parse(json.render(report, conclude(report)))) ? [] : [...(validate.errors ?? [])];
}

describe('the published schema', () => {
  const { result, check, finding } = schema.$defs;
  test.each([
    ['result kinds', result.enum, resultKinds],
    ['counted kinds', schema.properties.summary.required, resultKinds],
    ['levels', check.properties.level.enum, levels],
    ['reasons', check.properties.reason.enum, [...inconclusiveReasons, null]],
    ['severities', finding.properties.severity.enum, severities],
  ])('names the %s that the kit has', (_, written, ours) => {
    expect(new Set(written)).toEqual(new Set(ours));
  });
});

describe('the JSON report', () => {
  test('names the set of clauses, to compare reports', () => {
    const { requirements } = JSON.parse(json.render(sampleReport(), conclude(sampleReport())));
    const file = readFileSync(new URL('../../spec/requirements/CASA-2026.1.yaml', import.meta.url));
    const digest = createHash('sha256').update(file).digest('hex');
    expect(requirements).toMatchObject({ set: 'CASA-2026.1', digest });
  });

  test.each([
    ['with every result', sampleReport()],
    ['without bodies', sampleReport({ keepsBodies: false })],
    ['of a hostile target', hostileReport(hostileText)],
    ['of a run that ended before its checks', sampleReport({ checks: [], abort: { exitCode: 4, sentence: 'no' } })],
    [
      'of recorded traffic',
      sampleReport({
        recorded: { file: 'a.har', judged: 3, others: 1, withoutBody: 2, run: { exitCode: 0, failed: [] } },
      }),
    ],
  ])('%s follows its published schema', (_, report) => {
    expect(problemsOf(report)).toEqual([]);
  });

  test.each([true, false])('of a real run follows it, bodies kept: %s', async (keepBodies) => {
    const clock = virtualClock(Date.UTC(2026, 4, 1));
    const server = await startIndependent({ now: clock.now });
    const report = await runConformance({ baseUrl: server.baseUrl, keys: server.keys, clock, keepBodies });
    await server.close();
    expect(problemsOf(report)).toEqual([]);
    expect(report.exchanges.length).toBeGreaterThan(30);
  });

  test('has the result as a word, next to the fields of a finding', () => {
    const written = JSON.parse(json.render(sampleReport(), conclude(sampleReport())));
    const failed = written.checks.find((check: { result: string }) => check.result === 'fail');
    expect(failed.findings[0]).toMatchObject({
      pointer: '/data/0/id',
      sentence: 'Site `id` is a UUID string.',
      curl: expect.stringContaining('$CONFORMANCE_API_KEY'),
    });
    expect(written.checks.find((check: { id: string }) => check.id === 'articles/page-walk')).toMatchObject({
      result: 'inconclusive',
      reason: 'precondition',
      message: 'there are no articles',
    });
    expect(written.exit).toMatchObject({ code: 1, sentence: 'The deployment violates the contract: 1 check failed.' });
  });
});

const entriesOf = (report: Report) => JSON.parse(har.render(report, conclude(report))).log.entries;

describe('the HAR report', () => {
  test('holds each exchange with its headers, its body and the time it took', () => {
    const [entry] = entriesOf(sampleReport());
    expect(entry).toMatchObject({
      startedDateTime: '2026-01-15T12:00:00.000Z',
      time: 34.5,
      request: { method: 'GET', url: 'https://staging.example.com/api/v1/sites', bodySize: 0 },
      response: { status: 200, content: { size: 40, mimeType: 'application/json' } },
      comment: 'x1',
    });
    expect(entry.response.content.text).toContain('no-uuid');
    expect(entry.request.headers).toContainEqual({ name: 'authorization', value: 'Bearer $CONFORMANCE_API_KEY' });
  });

  test('leaves out a body that was not kept, and says so', () => {
    const shape = { data: [{ id: 'string' }, '× 1'] };
    const [entry] = entriesOf(sampleReport({ exchanges: [sampleExchange({ bodyText: null, bodyShape: shape })] }));
    expect(entry.response.content).not.toHaveProperty('text');
    expect(entry.response.content.comment).toContain('"id":"string"');
  });

  test('reports silence, repeats, bursts and sent bodies', () => {
    const odd = sampleExchange({
      method: 'POST',
      url: 'https://staging.example.com/api/v1/connect/accounts?a=1&b=%2B',
      requestBody: { text: '{}', bytes: 2 },
      status: 0,
      problem: 'timeout',
      problemDetail: 'no response',
      repeatOf: 'x0',
      burst: true,
    });
    const [entry] = entriesOf(sampleReport({ exchanges: [odd] }));
    expect(entry.comment).toBe('x1; timeout (no response); repeats x0; part of a burst');
    expect(entry.request.queryString).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '+' },
    ]);
    expect(entry.request.postData).toEqual({ mimeType: 'application/json', text: '{}' });
  });

  test('is JSON for any response of a target', () => {
    expect(entriesOf(hostileReport(hostileText))).toHaveLength(2);
  });
});
