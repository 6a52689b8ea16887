import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expiredAccount,
  googleAccount,
  json,
  startTestEngine,
  type TestEngine,
  toRequest,
} from '../../fixtures/test-kit/engine.ts';
import { applyWorldChange } from '../domain/change.ts';
import { readSent } from '../domain/csv.ts';
import { linksMax } from '../domain/links.ts';
import { prepareTakeBack, type TakeBack } from '../domain/take-back.ts';
import type { CommitEntry } from './commit.ts';

interface Recorded extends TestEngine {
  readonly kinds: string[];
  readonly takeBacks: TakeBack[];
}

function start(): Recorded {
  const kinds: string[] = [];
  const takeBacks: TakeBack[] = [];
  const commit = ({ change }: CommitEntry, takeBack: TakeBack) => {
    kinds.push(change.kind);
    takeBacks.push(takeBack);
  };
  return { ...startTestEngine({ commit, seed: 5 }), kinds, takeBacks };
}

function state({ engine }: TestEngine): unknown {
  const { world, faults, limits } = engine.snapshot();
  return JSON.parse(JSON.stringify({ world, faults, settings: limits.settings, nowMs: engine.clock.now() }));
}

const reviewId = encodeURIComponent(
  String(json(startTestEngine().ask(`GET /connect/accounts/${googleAccount}/reviews`)).data.reviews[0].reviewId),
);

const consent = ({ engine }: Recorded) => {
  const [first] = engine.world.organizations.values();
  const token = [...(first?.links.keys() ?? [])].at(-1) ?? 'none';
  engine.handle(toRequest(`POST /connect/${token}`, '', { body: 'name=One&name=Two' }));
};

const steps: Readonly<Record<string, (mock: Recorded) => unknown>> = {
  link: ({ ask }) =>
    ask('POST /connect/accounts', { body: { provider: 'facebook_page', label: 'Branch', maxAccounts: 2 } }),
  post: ({ ask }) => ask(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: 'Hello' } }),
  reply: ({ ask }) =>
    ask(`POST /connect/accounts/${googleAccount}/reviews/${reviewId}/reply`, { body: { text: 'Thank you' } }),
  consent,
  ring: ({ admin }) => admin('POST /calls', { body: { durationS: 600 } }),
  hangUp: ({ engine }) => {
    const running = [...engine.world.organizations.values()][0]?.calls.toData().at(-1);
    return running && engine.endCall(undefined, running.id);
  },
  organization: ({ admin }) => admin('POST /organizations', { body: { world: 'empty' } }),
  account: ({ admin }) =>
    admin(`PUT /organizations/org_1/accounts/${expiredAccount}`, { body: { status: 'connected' } }),
  payment: ({ admin }) => admin('PUT /organizations/org_1', { body: { payment: 'renewal_pending' } }),
  clock: ({ admin }) => admin('POST /clock/advance', { body: { duration: '90s' } }),
  limits: ({ admin }) => admin('PUT /limits', { body: { address: { limit: 4 } } }),
  addFault: ({ admin }) => admin('POST /faults', { body: { id: 'one', error: 'transient', times: 2 } }),
  addOther: ({ admin }) => admin('POST /faults', { body: { id: 'two', error: 'provider_error', times: 1 } }),
  removeFault: ({ admin }) => admin('DELETE /faults/one'),
  clearFaults: ({ admin }) => admin('DELETE /faults'),
  strike: ({ ask }) => ask('GET /sites'),
  reset: ({ admin }) => admin('POST /reset'),
  restore: ({ engine }) => engine.restore(engine.snapshot()),
};

describe('a change that is taken back', () => {
  it.each(Object.keys(steps))('restores the state: %s', (name) => {
    const mock = start();
    for (const prepare of ['link', 'ring', 'addFault', 'addOther', 'clock', 'post']) steps[prepare]?.(mock);
    const before = state(mock);
    const known = mock.takeBacks.length;
    steps[name]?.(mock);
    expect(mock.takeBacks.length).toBeGreaterThan(known);
    for (const takeBack of mock.takeBacks.slice(known).reverse()) takeBack();
    expect(state(mock)).toEqual(before);
  });

  it('leaves it so after any others, newest first', () => {
    const name = fc.constantFrom(...Object.keys(steps));
    const property = fc.property(
      fc.array(name, { maxLength: 8 }),
      fc.array(name, { maxLength: 8 }),
      (kept, rejected) => {
        const mock = start();
        for (const step of kept) steps[step]?.(mock);
        const before = state(mock);
        const known = mock.takeBacks.length;
        for (const step of rejected) steps[step]?.(mock);
        for (const takeBack of mock.takeBacks.slice(known).reverse()) takeBack();
        expect(state(mock)).toEqual(before);
      },
    );
    fc.assert(property, { numRuns: 40 });
  });

  it('brings contacts back that an import had replaced, and in their order', () => {
    const { engine } = start();
    const [organization] = engine.world.organizations.values();
    if (!organization) throw new Error('The default world has no organization.');
    const { contacts, id } = organization;
    const send = (...rows: readonly object[]) => {
      const sent = { rows: rows.map((values) => ({ ...values })) };
      const read = readSent(sent);
      if (!read.ok) throw new Error('The rows cannot be read.');
      const drafted = contacts.draftImport(read.value, engine.world.random);
      if (!drafted.ok) throw new Error('The rows are not good.');
      const { contactIds } = drafted.value;
      const importedAt = '2026-01-01T00:00:00.000Z';
      const change = { kind: 'import', organizationId: id, sent, contactIds, importedAt } as const;
      const takeBack = prepareTakeBack(engine.world, change);
      applyWorldChange(engine.world, change);
      return takeBack;
    };
    send({ phone: '+1 555 0001', name: 'A' }, { phone: '+1 555 0002', name: 'B' });
    const before = contacts.toData();
    send(
      { phone: '+15550001', name: 'C' },
      { phone: '+1 555 0003' },
      { phone: '+1 5550003' },
      { phone: '+15550001' },
    )();
    expect(contacts.toData()).toEqual(before);
  });

  it('brings the used link back that a new one had pushed out', () => {
    const { engine, ask, takeBacks } = start();
    const [organization] = engine.world.organizations.values();
    const links = organization?.links ?? new Map();
    const [first] = links.values();
    for (let i = links.size; i < linksMax; i += 1) links.set(`t${i}`, { ...first, token: `t${i}`, usedAtMs: 1 });
    const before = [...links.keys()];
    ask('POST /connect/accounts', { body: { provider: 'facebook_page', label: 'Branch' } });
    expect([...links.keys()]).not.toEqual(before);
    takeBacks.at(-1)?.();
    expect([...links.keys()]).toEqual(before);
  });
});

describe('a change of one fault rule', () => {
  it('costs its own bytes, however many rules there are', () => {
    const bytes: number[] = [];
    const { engine, ask } = startTestEngine({ commit: (entry) => void bytes.push(JSON.stringify(entry).length) });
    for (let i = 0; i < 200; i += 1) {
      engine.faults.add({ id: `rule-${i}`, match: { operation: 'listSites' }, error: 'transient', times: 5 });
    }
    ask('GET /sites');
    engine.faults.remove('rule-7');
    expect(bytes).toHaveLength(202);
    expect(Math.max(...bytes)).toBeLessThan(300);
  });

  it.each([
    ['a new rule', (engine: TestEngine['engine']) => engine.faults.add({ id: 'c', match: {}, error: 'transient' })],
    ['a replaced rule', (engine: TestEngine['engine']) => engine.faults.add({ id: 'a', match: {}, latencyMs: 5 })],
    ['a removed rule', (engine: TestEngine['engine']) => engine.faults.remove('a')],
    ['a rule that has struck', (engine: TestEngine['engine']) => engine.faults.spend('a')],
    ['a rule that has struck its last time', (engine: TestEngine['engine']) => engine.faults.spend('b')],
    ['no rule any more', (engine: TestEngine['engine']) => engine.faults.clear()],
  ])('is read back unchanged: %s', (_what, change) => {
    const entries: CommitEntry[] = [];
    const { engine } = startTestEngine({ commit: (entry) => void entries.push(entry) });
    engine.faults.add({ id: 'a', match: {}, error: 'transient', times: 3 });
    engine.faults.add({ id: 'b', match: {}, error: 'transient', times: 1 });
    change(engine);
    const again = startTestEngine().engine;
    again.replay(JSON.parse(JSON.stringify(entries)) as CommitEntry[]);
    expect(again.faults.list()).toEqual(engine.faults.list());
  });
});
