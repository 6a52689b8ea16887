import { describe, expect, test } from 'vitest';
import { hostileReport, hostileText, sampleExchange, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { har } from './har.ts';

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
