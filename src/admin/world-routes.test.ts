import { describe, expect, it } from 'vitest';
import { googleAccount, type Init, json, startTestEngine, type TestEngine } from '../../fixtures/test-kit/engine.ts';
import { worldNames } from '../worlds/names.ts';

/** The response of a route that reads something first. */
async function told({ admin }: TestEngine, line: string, body: unknown, asked: Init = {}) {
  const response = admin(line, { ...asked, body });
  const { status = response.status, body: text } = response.later ? await response.later() : response;
  return { status, response: json({ ...response, body: text }) };
}

const titles = ({ ask }: TestEngine) => json(ask('GET /articles')).data.map(({ title }: { title: string }) => title);

describe('another world under a running mock', () => {
  it.each(worldNames)('is the built-in one named %s', async (world) => {
    const mock = startTestEngine();
    const { status, response: apiResponse } = await told(mock, 'PUT /world', { world });
    expect([status, apiResponse.organizations]).toEqual([200, mock.engine.world.organizations.size]);
  });

  it('is one of parts, and a reset goes back to that of the start', async () => {
    const mock = startTestEngine();
    const before = titles(mock);
    expect((await told(mock, 'PUT /world', { world: { articles: [{ title: 'Tea' }] } })).status).toBe(200);
    expect(titles(mock)).toEqual(['Tea']);
    mock.engine.reset();
    expect(titles(mock)).toEqual(before);
  });

  it('leaves faults, clock, limits, requests and violations, and reports no violation for repeated requests', async () => {
    const mock = startTestEngine();
    mock.engine.faults.add({ id: 'mine', match: {}, error: 'transient', probability: 0 });
    for (let i = 0; i < 4; i += 1) mock.ask('GET /sites/nothing');
    const violations = mock.engine.violations();
    expect(violations.length).toBeGreaterThan(0);
    await told(mock, 'PUT /world', { world: 'empty' });
    mock.ask('GET /sites/nothing');
    expect(mock.engine.violations()).toEqual(violations);
    expect(mock.engine.faults.list().map(({ rule }) => rule.id)).toEqual(['mine']);
    expect(mock.engine.requestLog.count).toBe(5);
  });

  it('is kept as every change is', async () => {
    const entries: unknown[] = [];
    const mock = startTestEngine({ commit: (entry) => void entries.push(JSON.parse(JSON.stringify(entry))) });
    await told(mock, 'PUT /world', { world: { articles: [{ title: 'Tea' }] } });
    const again = startTestEngine();
    again.engine.replay(entries as never);
    expect(titles(again)).toEqual(['Tea']);
  });

  it.each([
    [{}, 'world is missing.'],
    [{ world: 'defualt' }, 'There is no world "defualt": there are default, empty, tied-articles, unpaid.'],
    [{ world: 7 }, 'It is not a world: '],
    [{ world: null }, 'It is not a world: '],
    [{ world: [] }, 'It is not a world: '],
    [{ world: { casaWorld: 1 } }, 'It is not a world: '],
    [{ world: { articles: [{ title: 7 }] } }, 'title'],
    [{ wrld: 'empty' }, 'wrld'],
  ])('is rejected with one sentence: %j', async (body, sentence) => {
    const mock = startTestEngine();
    const before = titles(mock);
    const { status, response: apiResponse } = await told(mock, 'PUT /world', body);
    expect([status, apiResponse.error.message]).toEqual([400, expect.stringContaining(sentence)]);
    expect(titles(mock)).toEqual(before);
  });
});

describe('a snapshot from a file', () => {
  it('is kept and restored, by another mock too, with its behaviors and without its history', async () => {
    const first = startTestEngine({ behavior: { idCase: 'upper' } });
    first.engine.changeAccount('org_1', googleAccount, { status: 'expired' });
    first.ask('GET /sites');
    first.admin('POST /snapshots', { body: { id: 'one' } });
    const { snapshot } = json(first.admin('GET /snapshots/one'));
    const second = startTestEngine();
    const { status, response: apiResponse } = await told(second, 'PUT /snapshots/mine', { snapshot });
    expect([status, apiResponse]).toEqual([201, { id: 'mine', at: expect.any(String), history: false }]);
    expect(json(second.admin('POST /snapshots/mine/restore')).restored.id).toBe('mine');
    expect(second.ask(`GET /connect/accounts/${googleAccount}/reviews`).status).toBe(401);
    expect(second.engine.requestLog.count).toBe(1);
    expect(second.engine.behaviors.chosen).toEqual({ idCase: 'upper' });
  });

  it.each([
    [{}, 'snapshot is missing.'],
    [{ snapshot: 7 }, 'It is not a snapshot: '],
    [{ snapshot: { casaSnapshot: 2 } }, 'It is not a snapshot: snapshot.casaSnapshot'],
    [{ snapshot: { casaSnapshot: 1, world: [{}] } }, 'It is not a snapshot: '],
  ])('is rejected with one sentence: %j', async (body, sentence) => {
    const mock = startTestEngine();
    const { status, response: apiResponse } = await told(mock, 'PUT /snapshots/mine', body);
    expect([status, apiResponse.error.message]).toEqual([400, expect.stringContaining(sentence)]);
    expect(json(mock.admin('GET /snapshots')).snapshots).toEqual([]);
  });

  it('is rejected with a behavior that no deployment has', async () => {
    const mock = startTestEngine();
    const snapshot = { ...mock.engine.snapshot(), behaviors: { chosen: { idCase: 'bold' }, grease: null } };
    const { response: apiResponse } = await told(mock, 'PUT /snapshots/mine', { snapshot });
    expect(apiResponse.error.message).toContain('the behavior idCase is not one of lower, upper, mixed');
  });

  it('is rejected where fifty are kept already, unless it replaces one', async () => {
    const mock = startTestEngine();
    for (let i = 0; i < 50; i += 1) mock.admin('POST /snapshots', { body: { id: `s${i}` } });
    const { snapshot } = json(mock.admin('GET /snapshots/s0'));
    expect((await told(mock, 'PUT /snapshots/new', { snapshot })).status).toBe(409);
    expect((await told(mock, 'PUT /snapshots/s0', { snapshot })).status).toBe(201);
    expect((await told(mock, `PUT /snapshots/${'x'.repeat(101)}`, { snapshot })).status).toBe(400);
  });
});
