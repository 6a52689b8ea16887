import { describe, expect, it } from 'vitest';
import { sampleExchange, sampleFinding } from '../../fixtures/test-kit/sample-report.ts';
import { sequenceOf } from './causes.ts';

const send = (id: string, key: 'good' | 'second', status = 200, target = '/articles/a1') =>
  sampleExchange({ id, key, status, target, operation: 'getArticle' });
const finding = sampleFinding({ exchange: 'x2', pointer: '#status', actual: '200' });
const leak = [send('x1', 'good'), send('x2', 'second')];
const idsOf = (...exchanges: Parameters<typeof sequenceOf>[1]) => {
  const { requests, ...counts } = sequenceOf({ finding }, exchanges);
  return { ids: requests.map(({ id }) => id), ...counts };
};

describe('the shortest sequence that shows a defect', () => {
  it('begins with the read that opened the record for another key', () => {
    expect(idsOf(...leak)).toEqual({ ids: ['x1', 'x2'], sent: 0, same: 0 });
  });

  it('counts how often the run sent it again, and how often it failed', () => {
    const again = [send('x4', 'good'), send('x5', 'second'), send('x6', 'good'), send('x7', 'second', 404)];
    expect(idsOf(...leak, send('x3', 'second', 404, '/articles/a2'), ...again)).toEqual({
      ids: ['x1', 'x2'],
      sent: 2,
      same: 1,
    });
  });

  it('is one request where an unread record is open too', () => {
    const again = [send('x3', 'second', 200, '/articles/a2'), send('x4', 'good'), send('x5', 'second')];
    expect(idsOf(...leak, ...again).ids).toEqual(['x2']);
  });
});
