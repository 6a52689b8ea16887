// The number of requests that README, plan and report state, counted where they arrive.
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planConformance } from '../../conformance/driver/audit.ts';
import { run } from '../../conformance/driver/run.ts';
import { openSession } from '../../conformance/driver/session.ts';
import { type Report, runConformance } from '../../conformance/index.ts';
import { conclude } from '../../conformance/report/outcome.ts';
import { planText } from '../../conformance/reporters/progress.ts';
import { renderTerminal } from '../../conformance/reporters/terminal.ts';
import { requestsInAll } from '../../conformance/scenarios/plan/plan.ts';
import { type Exchanged, rejection, type Spoiled, startRewriting } from '../../fixtures/test-kit/rewriting-proxy.ts';
import { startScriptedServer } from '../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { startIndependent } from '../independent/index.ts';

const most = 180;

// biome-ignore lint/suspicious/noExplicitAny: the body of any response
type Body = any;
const records = (body: Body): Body[] =>
  Object.values(body ?? {}).flatMap((value: Body) =>
    Array.isArray(value) ? value : typeof value === 'object' ? records(value) : [],
  );
const eachRecord = (field: string, makeValue: (place: number) => unknown) => (one: Exchanged, count: number) => {
  for (const [index, record] of records(one.body).entries())
    if (typeof record === 'object') record[field] = makeValue(count * 1000 + index);
  return { body: one.body };
};

/** `count` is the number of the request. */
const spoilers: Readonly<Record<string, (one: Exchanged, count: number) => Spoiled | undefined>> = {
  'nothing wrong': () => undefined,
  'another value at each read': eachRecord('createdAt', (place) => new Date(place).toISOString()),
  'rows that come and go': (one, count) => {
    const lists = [one.body, one.body?.data].filter((each) => typeof each === 'object' && each !== null);
    for (const list of lists)
      for (const [name, value] of Object.entries(list))
        if (Array.isArray(value)) list[name] = value.filter((_, index) => (index + count) % 3 > 0);
    return { body: one.body };
  },
  'ids of another form': eachRecord('id', (place) => `no-uuid-${place % 1000}`),
  'cursors that are addresses': (one) => {
    for (const name of ['cursor', 'nextCursor']) {
      if (typeof one.body?.[name] === 'string') one.body[name] = 'https://evil.example.com/../../admin?x=1';
      if (typeof one.body?.data?.[name] === 'string') one.body.data[name] = 'https://evil.example.com/../../admin?x=1';
    }
    return { body: one.body };
  },
  'an error at each third request': (_, count) => (count % 3 === 0 ? rejection(500, 'transient') : undefined),
  'trouble of the platform at each second request': (_, count) =>
    count % 2 === 0 ? rejection(502, 'provider_error') : undefined,
  'a limiter that rejects each second request': (_, count) =>
    count % 2 === 0 ? { status: 429, body: { error: 'rate_limit_exceeded' } } : undefined,
  'a limiter and rows that come and go': (one, count) => {
    if (count % 2 === 0) return { status: 429, body: { error: 'rate_limit_exceeded' } };
    return spoilers['rows that come and go']?.(one, count >> 1);
  },
  'trouble and rows that come and go': (one, count) => {
    if (count % 2 === 0) return rejection(503, 'transient');
    return spoilers['rows that come and go']?.(one, count >> 1);
  },
};

async function auditCounted(
  spoil: (one: Exchanged, count: number) => Spoiled | undefined,
): Promise<{ report: Report; counted: number }> {
  const clock = virtualClock(Date.UTC(2026, 4, 1));
  const server = await startIndependent({ now: clock.now });
  let counted = 0;
  const proxy = await startRewriting(server.baseUrl, (one) => {
    counted += 1;
    return spoil(one, counted);
  });
  onTestFinished(server.close);
  onTestFinished(proxy.close);
  const { good } = server.keys;
  const report = await runConformance({ baseUrl: proxy.baseUrl, keys: { good }, clock });
  return { report, counted };
}

describe('a plain audit', () => {
  test.each(Object.entries(spoilers))(`sends at most ${most} requests to a server with %s`, async (_, spoil) => {
    const { report, counted } = await auditCounted(spoil);
    expect(counted).toBeLessThanOrEqual(most);
    expect(counted).toBe(report.used.requests);
    expect(requestsInAll(report.plan)).toBe(most);
    expect(report.checks.filter(({ result }) => result.kind === 'error')).toEqual([]);
  });

  test.each([
    ['only empty objects', () => ({ body: {} })],
    ['only errors', () => ({ status: 500, body: { error: { code: 'transient', message: '' } } })],
    ['only web pages', () => ({ headers: { 'content-type': 'text/html' }, body: '<h1>Sorry</h1>' })],
    ['the same broken row everywhere', () => ({ body: { data: [{ id: 'x' }], cursor: 'more', nextCursor: 'more' } })],
  ])(`sends at most ${most} requests to a server that sends %s`, async (_, script) => {
    const server = await startScriptedServer(script);
    onTestFinished(server.close);
    const keys = { good: `casa_${'0a'.repeat(16)}` };
    await runConformance({ baseUrl: server.baseUrl, keys, clock: virtualClock(Date.UTC(2026, 4, 1)) });
    expect(server.requests.length).toBeLessThanOrEqual(most);
  });

  test.each([20, 35, 50, 58])('leaves open what is not confirmed by the request number %d', async (requests) => {
    const clock = virtualClock(Date.UTC(2026, 4, 1));
    // Records change between the reads, as the contract allows: without a confirmation they look like violations.
    const server = await startIndependent({ now: clock.now, life: 1 });
    onTestFinished(server.close);
    const options = { baseUrl: server.baseUrl, keys: { good: server.keys.good }, clock, runId: 'abcd1234' };
    const session = openSession(options);
    const { client } = session;
    const short = { ...session, client: { ...client, allow: () => client.allow(requests) } };
    const report = await run(short);
    session.close();
    expect(report.used.requests).toBe(requests);
    const open = report.checks.filter(({ result }) => result.message?.includes(`maximum of ${requests} requests`));
    expect(open.map(({ result }) => result)).toContainEqual(expect.objectContaining({ reason: 'budget' }));
    expect(report.checks.filter(({ result }) => /^(fail|error)$/.test(result.kind))).toEqual([]);
  });

  test('states that number in README, docs, plan and report', async () => {
    const { report } = await auditCounted(() => undefined);
    const { plan } = planConformance({ baseUrl: 'https://staging.example.com/api/v1', keys: { good: 'key' } });
    const flat = (file: string) => readFileSync(file, 'utf8').replace(/\s+/g, ' ');
    expect(planText(plan)).toMatch(/ \d+-120 /);
    expect(planText(plan)).toContain(`at most ${most} requests in total`);
    expect(renderTerminal(report, conclude(report))).toMatch(new RegExp(`planned \\d+-120, at most ${most}`));
    expect(flat('README.md')).toContain(`to 120 requests, or up to ${most} with retries`);
    expect(flat('docs/conformance.md')).toContain(`at most ${most} requests in total`);
  });
});
