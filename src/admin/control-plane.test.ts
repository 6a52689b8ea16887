import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import { goodKey, googleAccount, type Init, json, startTestEngine, toRequest } from '../../fixtures/test-kit/engine.ts';
import { adminDocument } from '../contract/generated/admin.ts';
import { operations } from '../contract/generated/operations.ts';
import { tools } from '../contract/generated/tools.ts';
import { violationRules } from '../engine/violations/violation.ts';
import { verbs } from './verbs/index.ts';

const document = JSON.parse(adminDocument);

type Place = Readonly<Record<string, { responses: Readonly<Record<string, { $ref?: string; content?: Content }>> }>>;
type Content = Readonly<Record<'application/json', { schema: object }>>;

function validatorOf(line: string, status: number) {
  const [method = '', path = ''] = line.replace(/\?.*/, '').split(' ');
  const fits = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`/__admin${path}`);
  const places = Object.entries(document.paths).filter(([template]) => fits(template));
  const [[, place] = []] = places.sort(([a], [b]) => a.split('{').length - b.split('{').length);
  const { $ref, content } = (place as Place)[method.toLowerCase()]?.responses[status] ?? {};
  const schema = (content ?? document.components.responses[$ref?.split('/').at(-1) ?? ''].content)['application/json']
    .schema;
  return new Ajv2020({ strict: false, validateFormats: false }).compile({ ...schema, components: document.components });
}

describe('the document of the admin API', () => {
  it('names the rules of violations that there are, and has a response for each verb', () => {
    expect(document.components.schemas.Violation.properties.rule.enum).toEqual(violationRules);
    const rows = Object.values(document.paths).flatMap((place) => Object.values(place as Place));
    expect(rows).toHaveLength(Object.keys(verbs).length);
    expect(JSON.stringify(rows)).not.toMatch(/"undefined"|schemas\/"/);
  });

  it('is served unchanged', async () => {
    const served = await startTestEngine().admin('GET /openapi.json').later?.();
    expect(JSON.parse(String(served?.body))).toEqual(document);
  });
});

describe('answers', () => {
  const body = (value: unknown): Init => ({ body: value });
  it.each<[string, number, Init?]>([
    ['GET /health', 200],
    ['POST /reset', 200],
    ['POST /shutdown', 409],
    ['GET /requests', 200],
    ['GET /requests?limit=1', 200],
    ['GET /requests?limit=0', 400],
    ['GET /requests?size=1', 400],
    ['DELETE /requests', 200],
    ['GET /requests?operation=getSite&status=404&limit=3', 200],
    ['GET /requests?operation=getSites', 400],
    ['POST /requests/har', 200],
    ['POST /requests/har', 200, body({ ids: [1] })],
    ['POST /requests/har', 400, body({ ids: ['1'] })],
    ['GET /requests/2', 200],
    ['GET /requests/99', 404],
    ['GET /requests/x', 404],
    ['POST /requests/2/replay', 201],
    ['POST /requests/99/replay', 404],
    ['POST /requests/3/replay', 409],
    ['GET /faults', 200],
    [
      'POST /faults',
      201,
      body({ match: { operation: 'createPost', accountId: googleAccount }, error: 'provider_auth', times: 3 }),
    ],
    ['POST /faults', 201, body({ id: 'mine', network: 'reset', probability: 0.1, latencyMs: 20 })],
    ['POST /faults', 400, body({ match: {} })],
    ['DELETE /faults', 200],
    ['PUT /faults/new', 200, body({ error: 'not_found' })],
    ['PUT /faults/new', 400, body({ id: 'other', error: 'not_found' })],
    ['DELETE /faults/known', 200],
    ['DELETE /faults/none', 404],
    ['GET /calls', 200],
    ['GET /calls?organizationId=org_2', 200],
    [
      'POST /calls',
      201,
      body({ key: goodKey, from: '+1', to: '+2', durationS: 0.5, startedAt: '2026-01-15T11:00:00+01:00' }),
    ],
    ['POST /calls', 201],
    ['POST /calls', 400, body({ durationS: '5m' })],
    ['POST /calls', 400, body({ startedAt: '+275760-09-13T00:00:00Z' })],
    ['POST /clock/set', 400, body({ time: '+275760-09-13T00:00:00Z' })],
    ['POST /calls', 400, body({ organizationId: 'org_9' })],
    ['POST /calls/running/end', 200, body({ outcome: 'voicemail' })],
    ['POST /calls/nobody/end', 404],
    ['GET /snapshots', 200],
    ['POST /snapshots', 201],
    ['POST /snapshots', 201, body({ id: 'known' })],
    ['GET /snapshots/known', 200],
    ['DELETE /snapshots/known', 200],
    ['GET /snapshots/none', 404],
    ['POST /snapshots/known/restore', 200],
    ['POST /snapshots/none/restore', 404],
    ['GET /diff', 200],
    ['GET /diff?snapshot=known&organizationId=org_1', 200],
    ['GET /diff?snapshot=none', 400],
    ['GET /organizations', 200],
    ['POST /organizations', 201],
    ['POST /organizations', 201, body({ world: 'empty', name: 'Worker 1' })],
    ['POST /organizations', 400, body({ world: 'moon' })],
    ['PUT /organizations/org_1', 200, body({ payment: 'renewal_pending' })],
    ['PUT /organizations/org_1', 400, body({})],
    ['PUT /organizations/org_9', 404, body({ payment: 'ok' })],
    [`PUT /organizations/org_1/accounts/${googleAccount}`, 200, body({ status: 'expired', trouble: 'none' })],
    [`PUT /organizations/org_1/accounts/${googleAccount}`, 400, body({ status: 'gone' })],
    ['PUT /organizations/org_1/accounts/none', 404, body({ locked: true })],
    [`POST /organizations/org_1/accounts/${googleAccount}/reviews`, 201],
    [`POST /organizations/org_1/accounts/${googleAccount}/reviews`, 201, body({ rating: null, author: 'Ada' })],
    [`POST /organizations/org_1/accounts/${googleAccount}/reviews`, 400, body({ rating: 6 })],
    ['POST /organizations/org_1/accounts/none/reviews', 404],
    ['POST /organizations/org_1/accounts/de82f9f8-4ae1-405a-8ba1-09d12b04b4af/reviews', 400],
    ['GET /organizations/org_1/articles', 200],
    ['GET /organizations/org_9/articles', 404],
    ['POST /organizations/org_1/articles', 201],
    ['POST /organizations/org_1/articles', 201, body({ title: 'Tea', status: 'planned', seoScore: null })],
    ['POST /organizations/org_1/articles', 400, body({ status: 'lost' })],
    ['POST /organizations/org_9/articles', 404],
    ['POST /organizations/org_1/articles/none/publish', 404],
    ['GET /limits', 200],
    ['PUT /limits', 200, body({ enforced: true, address: { limit: 5 }, key: { windowMs: 1000 } })],
    ['PUT /limits', 400, body({ address: { limit: 0 } })],
    ['GET /limits/windows', 200],
    ['GET /clock', 200],
    ['POST /clock/advance', 200, body({ duration: '5m' })],
    ['POST /clock/freeze', 200],
    ['POST /clock/resume', 200],
    ['POST /clock/set', 200, body({ time: '2026-01-16T00:00:00Z' })],
    ['POST /clock/scale', 200, body({ scale: 60 })],
    ['POST /clock/scale', 400, body({ scale: 0 })],
    ['GET /violations', 200],
    ['GET /violations?rule=early-retry', 200],
    ['DELETE /violations', 200],
  ])('%s with %i, as the document shows it', (line, status, asked = {}) => {
    const { admin, ask, engine } = startTestEngine();
    admin('PUT /faults/known', body({ match: { operation: 'getSite' }, error: 'not_found' }));
    admin('POST /snapshots', body({ id: 'known' }));
    ask('GET /site');
    ask('GET /site');
    engine.handle(toRequest('GET /elsewhere', '', {}));
    const running = engine.ringCall().id;
    const response = admin(line.replace('running', running), asked);
    expect(response.status).toBe(status);
    const validate = validatorOf(line, status);
    expect(validate(json(response)) ? [] : validate.errors).toEqual([]);
    expect(response.headers['cache-control']).toBe('no-store');
    if (status >= 400) expect(json(response).error.message).toMatch(/^\S.*[.?]$/);
  });

  const durationForm = 'duration must be a duration with its unit, such as "5m", "90s" or "PT5M", not';
  it.each<[string, unknown, string]>([
    ['POST /clock/advance', { duration: 300_000 }, `${durationForm} 300000.`],
    ['POST /clock/advance', {}, `${durationForm} nothing.`],
    ['POST /clock/advance', { minutes: 5 }, 'There is no field minutes; known fields: duration.'],
    ['POST /clock/advance', { duration: '11000w' }, 'duration must be at most 10 years.'],
    [
      'POST /clock/set',
      { time: 'noon' },
      'time must be an ISO 8601 date-time, such as "2026-01-15T12:00:00Z", not "noon".',
    ],
    [
      'POST /clock/set',
      { time: '2026-01-15T11:59:59Z' },
      "time is in the clock's past: it is 2026-01-15T12:00:00.000Z and only moves forward.",
    ],
    ['POST /faults', [], 'The body must be a JSON object, not a list.'],
    ['POST /faults', '{"error":', 'The body is not valid JSON in UTF-8.'],
    ['PUT /world', '['.repeat(20_000), 'The body is nested more than 10,000 levels deep.'],
    [
      'POST /faults',
      { match: { operation: 7 }, error: 'x' },
      `match.operation must be one of ${[...Object.keys(operations), ...Object.keys(tools)].join(', ')}, not 7.`,
    ],
    ['POST /faults', { error: 'transient', times: 0 }, 'times must be from 1 to 1000000.'],
    ['POST /faults', { error: 'transient', times: 1.5 }, 'times must be a whole number, not 1.5.'],
    ['POST /faults', { error: 'transient', probability: 2 }, 'probability must be from 0 to 1.'],
    ['PUT /limits', { enforced: 'yes' }, 'enforced must be true or false, not "yes".'],
    ['POST /calls', { from: '' }, 'from must have 1 to 50 characters.'],
    ['POST /calls', { key: 'casa_no' }, 'key is not an API key of this mock.'],
    ['POST /snapshots', { id: {} }, 'id must be a text, not an object.'],
  ])('%s with %j names the field and the reason', (line, body, message) => {
    const response = startTestEngine().admin(line, { body });
    expect(response.status).toBe(400);
    expect(json(response).error).toEqual({ code: 'bad_request', message });
  });

  it('lists the known paths for an unknown one, and the methods for a wrong one', () => {
    const { admin } = startTestEngine();
    const unknown = admin('GET /clocks');
    expect(unknown.status).toBe(404);
    expect(json(unknown).error.message).toContain('/__admin/clock/advance');
    const wrong = admin('PATCH /faults');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, POST, DELETE']);
  });

  it('responds to HEAD without a body, and accepts a slash at the end', () => {
    const { admin } = startTestEngine();
    expect(admin('HEAD /health')).toMatchObject({ status: 200, body: '' });
    expect(admin('GET /health/').status).toBe(200);
  });

  it('loads the dashboard with the first visit', async () => {
    const page = startTestEngine().admin('GET /');
    expect([page.status, page.body]).toEqual([200, '']);
    expect(String((await page.later?.())?.body)).toContain('<title>casa mock</title>');
  });

  it('stops the mock when it may', () => {
    const onShutdown = vi.fn();
    const { admin } = startTestEngine({ onShutdown });
    expect(json(admin('POST /shutdown'))).toEqual({ status: 'stopping' });
    expect(onShutdown).toHaveBeenCalledOnce();
  });
});
