import { describe, expect, onTestFinished, test } from 'vitest';
import { startHttp } from '../../fixtures/test-kit/scripted-server.ts';
import { startMock } from '../../src/index.ts';
import { exitCodeOf, runConformance } from '../index.ts';
import { openControl } from './control.ts';

async function mockOf(clock: 'frozen' | 'running' = 'frozen') {
  const mock = await startMock({ clock, limits: true });
  onTestFinished(() => mock.close());
  return mock;
}

async function serve(apiResponse: string, status = 200): Promise<string> {
  const server = await startHttp((_, response) => response.writeHead(status).end(apiResponse));
  onTestFinished(server.close);
  return server.origin;
}

describe('the clock of a controlled mock', () => {
  test('is the time of the mock, and moves it instead of waiting', async () => {
    const mock = await mockOf();
    const clock = await openControl({ control: mock.origin, baseUrl: mock.baseUrl });
    expect(clock.now()).toBe(mock.clock.now());
    await clock.sleep(61_000.4);
    expect(clock.now()).toBe(mock.clock.now());
    expect(mock.clock.now() - Date.parse('1970-01-01')).toBe(clock.now());
  });

  test('runs on between requests when that of the mock runs', async () => {
    const mock = await mockOf('running');
    const clock = await openControl({ control: mock.origin, baseUrl: mock.baseUrl });
    const before = clock.now();
    await clock.sleep(5000);
    expect(clock.now() - before).toBeGreaterThanOrEqual(5000);
    expect(Math.abs(clock.now() - mock.clock.now())).toBeLessThan(1000);
  });

  test('lets a whole run pass under the limits in a moment', async () => {
    const mock = await mockOf();
    const { good, second, revoked } = mock.keys;
    const options = { baseUrl: mock.baseUrl, control: mock.origin, keys: { good, second, revoked } };
    const report = await runConformance(options);
    expect(exitCodeOf(report)).toBe(0);
    expect(report.used.seconds).toBeGreaterThan(30);
    const isBlocked = ({ bodyText }: { bodyText: string | null }) => bodyText?.includes('rate_limit_exceeded');
    expect(report.exchanges.filter((exchange) => isBlocked(exchange) && !exchange.burst)).toEqual([]);
    expect(report.isMockTime).toBe(true);
  });

  test.each<[string, () => Promise<string>, string]>([
    ['a server that is not a mock', () => serve('{"status":"ok"}'), 'is not casa mock'],
    ['a server that speaks no JSON', () => serve('<html>'), 'is not casa mock'],
    ['a mock that requires its token', () => serve('{}', 401), 'CONFORMANCE_CONTROL_TOKEN'],
    ['nobody', async () => 'http://127.0.0.1:9', 'does not respond'],
  ])('is rejected to %s', async (_, start, sentence) => {
    const origin = await start();
    await expect(openControl({ control: origin, baseUrl: `${origin}/api/v1` })).rejects.toThrow(sentence);
  });

  test('is rejected when another server is checked, whose limits would not know of it', async () => {
    const mock = await mockOf();
    const baseUrl = 'https://staging.example.com/api/v1';
    await expect(openControl({ control: mock.origin, baseUrl })).rejects.toThrow('both have to be one server');
  });

  test('takes localhost and 127.0.0.1 for one server', async () => {
    const mock = await mockOf();
    const baseUrl = mock.baseUrl.replace('127.0.0.1', 'localhost');
    expect((await openControl({ control: mock.origin, baseUrl })).now()).toBe(mock.clock.now());
  });
});
