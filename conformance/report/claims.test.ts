import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { behaviors } from '../../src/contract/generated/behaviors.ts';
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { BehaviorState } from '../behaviors/observe.ts';
import type { CheckResult, ResultKind } from '../judge/result.ts';
import { claimable } from '../scenarios/capabilities.ts';
import { applyClaims, type ClaimsOutcome, claimNotes, parseClaims, writeClaims } from './claims.ts';
import { requirementsOf } from './coverage.ts';
import { conclude, type ExitRules } from './outcome.ts';
import type { Report } from './report.ts';

const ids = ['articles/page-walk', 'rule/json'];
const nowMs = Date.UTC(2026, 0, 1);

function failing(...places: readonly (readonly [clause: string, pointer: string])[]): CheckResult {
  const findings = places.map(([clause, pointer]) => sampleFinding({ clause: clause as ClauseId, pointer }));
  return sampleCheck('articles/page-walk', { kind: places.length === 0 ? 'pass' : 'fail' }, { findings });
}

const claimed = (file: unknown) => parseClaims(JSON.stringify(file), ids);
const known = (rest: object) => claimed([{ check: ids[0], reason: 'ticket 12', ...rest }]);
const applied = (file: unknown, checks: readonly CheckResult[], ms = nowMs) =>
  applyClaims(claimed(file), sampleReport({ checks }), ms);

describe('a known failure', () => {
  const entries = known({ clause: '4.json', pointer: '/data/0/id' });

  test('hides the finding that it names, in any item', () => {
    expect(applied(entries, [failing(['4.json', '/data/7/id'])]).excused).toMatchObject([{ check: ids[0] }]);
  });

  test.each([
    ['another clause', ['4.bearer', '/data/0/id']],
    ['another place', ['4.json', '/data/0/title']],
  ] as const)('hides no finding of %s in the same check', (_, other) => {
    expect(applied(entries, [failing(['4.json', '/data/0/id'], other)]).excused).toEqual([]);
  });

  test('without a clause covers the whole check', () => {
    const all = failing(['4.json', '/data/0/id'], ['4.bearer', '#status']);
    expect(applied(known({}), [all]).excused).toHaveLength(1);
  });

  test('keeps the link to its ticket', () => {
    const link = 'https://tickets.example.com/7';
    expect(applied(known({ link }), [failing(['4.json', '/data/0/id'])]).excused).toMatchObject([{ link }]);
  });

  test('together with others excuses the whole check, until the first of them ends', () => {
    const row = (clause: string, until: string | null) => ({ check: ids[0], clause, reason: `about ${clause}`, until });
    const all = [row('4.json', '2027-02-01'), row('4.bearer', '2027-01-01')];
    const failures = failing(['4.json', '/data/0/id'], ['4.bearer', '#status']);
    const { excused, claims } = applied(all, [failures]);
    expect(excused).toEqual([{ check: ids[0], reason: 'about 4.json; about 4.bearer', until: '2027-01-01' }]);
    expect(claims?.knownFailures).toEqual(all);
    const late = applied(all, [failures], Date.parse('2027-01-01'));
    expect(late).toMatchObject({ excused: [], expired: [all[1]] });
  });

  test('must go when its check no longer fails, and counts again after its day', () => {
    expect(applied(entries, [failing()]).stale).toEqual(entries.knownFailures);
    const old = known({ clause: '4.json', until: '2025-12-31' });
    const outcome = applied(old, [failing(['4.json', ''])]);
    expect(outcome).toMatchObject({ excused: [], expired: old.knownFailures });
  });

  test('can name the whole body', () => {
    expect(applied(known({ clause: '4.json', pointer: '' }), [failing(['4.json', ''])]).excused).toHaveLength(1);
  });

  test('says who accepted it until when', () => {
    const entry = { check: ids[0], reason: 'ticket 12', acceptedBy: 'Ada', until: '2027-01-31' };
    const [note] = claimNotes(applied([entry], [failing(['4.json', ''])]));
    expect(note?.sentence).toBe('is a known failure until 2027-01-31 (accepted by Ada): ticket 12');
  });

  test('is not needed for a clause that is new since the requirement set', () => {
    const checks = [failing(['4.json', ''], ['4.bearer', '']), sampleCheck('rule/json', { kind: 'pass' })];
    const report = sampleReport({ checks, requirements: { ...requirementsOf(), newSince: ['4.bearer'] } });
    const claims = applyClaims(known({ clause: '4.json' }), report, nowMs);
    expect(conclude(report, { claims })).toMatchObject({ exitCode: 0 });
    const later = sampleReport({ checks: [failing(['4.bearer', '']), sampleCheck('rule/json', { kind: 'pass' })] });
    const outcome = conclude({ ...later, requirements: report.requirements });
    expect(outcome).toMatchObject({
      exitCode: 0,
      sentence: expect.stringContaining('1 of clauses that are new since'),
    });
  });
});

const malformed: readonly (readonly [unknown, string])[] = [
  [7, 'it is not JSON like'],
  [{ known: [] }, 'there is no field "known"'],
  [{ capabilities: { mpc: true } }, 'there is no claim "mpc" in capabilities. Did you mean "mcp"?'],
  [{ capabilities: { mcp: 'yes' } }, 'capabilities.mcp must be true or false.'],
  [{ behaviors: { malformedId: 'teapot' } }, 'behaviors.malformedId is not one of not_found, invalid_input'],
  [{ knownFailures: {} }, 'knownFailures must be a list.'],
  [[{ check: ids[0], reason: ' ' }], 'knownFailures[0].reason is missing'],
  [[{ check: ids[0], reason: 'r', clause: '4.jsn' }], 'Did you mean "4.json"?'],
  [[{ check: ids[0], reason: 'r', pointer: '/id' }], 'the "pointer" of articles/page-walk needs a "clause".'],
  [[{ check: ids[0], reason: 'r', link: 7 }], 'link is not an address like https://'],
  [[{ check: ids[0], reason: 'r', until: 'soon' }], 'until is not a date like 2027-01-31.'],
  [{ expected: [{ check: ids[0], result: 'fail', reason: 'r' }] }, 'no expected result has this name'],
  [{ expected: [1, 2].map(() => ({ check: ids[0], result: 'warn', reason: 'r' })) }, 'names articles/page-walk twice'],
];

test.each(malformed)('the claims %j are rejected', (file, message) => {
  expect(() => claimed(file)).toThrow(message);
});

const kinds = (...all: readonly (readonly [id: string, kind: ResultKind, message?: string])[]) =>
  all.map(([id, kind, message]) => sampleCheck(id, { kind, ...(message === undefined ? {} : { message }) }));
const seen = (state: 'known' | 'mixed', value: string, shares = {}): BehaviorState =>
  ({ id: 'malformedId', state, value, shares, seen: 2, exchanges: [] }) as BehaviorState;
const expecting = (result: string, until: string | null = null) => ({
  expected: [{ check: ids[0], result, reason: 'ticket 3', until }],
});
const pass = ['rule/json', 'pass'] as const;

interface State {
  readonly claims: object;
  readonly results: readonly CheckResult[];
  readonly behavior?: BehaviorState;
  readonly rules?: Partial<ExitRules>;
  /** Scenarios that sent a request. */
  readonly asked?: readonly string[];
  readonly exit: number;
  /** A list of the outcome, and its length. */
  readonly has?: readonly [keyof ClaimsOutcome, number];
  readonly says?: string;
}

const mcp = { capabilities: { mcp: true } };
const noFound = { behaviors: { malformedId: 'not_found' } };
const mcpFailure = sampleCheck('mcp/door', { kind: 'fail' }, { findings: [sampleFinding()] });

const states: Readonly<Record<string, State>> = {
  'a tested capability': {
    claims: mcp,
    results: kinds(pass, ['mcp/door', 'pass']),
    asked: ['mcp/open'],
    exit: 0,
    has: ['refused', 0],
  },
  'a capability whose checks saw only requests of others': {
    claims: mcp,
    results: kinds(pass, ['mcp/door', 'pass'], ['mcp/key', 'skipped', 'needs --mcp-url URL']),
    exit: 3,
    says: 'mcp (needs --mcp-url URL)',
  },
  'a capability that no check tested': {
    claims: mcp,
    results: kinds(pass, ['mcp/door', 'skipped', 'needs --mcp-url URL']),
    exit: 3,
    has: ['refused', 1],
    says: 'No check tested 1 claimed capability: mcp (needs --mcp-url URL).',
  },
  'a capability whose checks were not selected': {
    claims: { capabilities: { secondOrganization: true } },
    results: kinds(pass),
    exit: 3,
    says: 'secondOrganization (no selected check tests it; it needs CONFORMANCE_SECOND_KEY)',
  },
  'an untested capability next to a failure': {
    claims: mcp,
    results: [...kinds(pass), mcpFailure, sampleCheck('sites/list', { kind: 'fail' })],
    exit: 1,
  },
  'a capability that is not claimed': { claims: { capabilities: { mcp: false } }, results: kinds(pass), exit: 0 },
  'a capability with a known failure': {
    claims: { ...mcp, knownFailures: [{ check: 'mcp/door', reason: 'ticket 5' }] },
    results: [...kinds(pass), mcpFailure],
    asked: ['mcp/open'],
    exit: 0,
    has: ['withdrawn', 1],
    says: 'No check failed, except 1 known failure.',
  },
  'a behavior as observed': { claims: noFound, results: kinds(pass), behavior: seen('known', 'not_found'), exit: 0 },
  'a behavior that was not observed': { claims: noFound, results: kinds(pass), exit: 0, has: ['contradicted', 0] },
  'a behavior that was observed otherwise': {
    claims: noFound,
    results: kinds(pass),
    behavior: seen('known', 'invalid_input'),
    exit: 1,
    has: ['contradicted', 1],
    says: 'malformedId is claimed as not_found, and the deployment shows invalid_input.',
  },
  'a behavior that alternates': {
    claims: noFound,
    results: kinds(pass),
    behavior: seen('mixed', 'not_found', { not_found: 0.5, invalid_input: 0.5 }),
    exit: 1,
    says: 'the deployment shows not_found or invalid_input.',
  },
  'an expected warning': {
    claims: expecting('warn'),
    results: kinds(pass, ['articles/page-walk', 'warn']),
    rules: { failOn: ['warn'] },
    exit: 0,
    has: ['met', 1],
  },
  'an expected warning after its last day': {
    claims: expecting('warn', '2025-12-31'),
    results: kinds(pass, ['articles/page-walk', 'warn']),
    rules: { failOn: ['warn'] },
    exit: 1,
  },
  'an expected warning that did not occur': {
    claims: expecting('warn'),
    results: kinds(pass, ['articles/page-walk', 'pass']),
    exit: 1,
    has: ['missed', 1],
    says: 'articles/page-walk has the result pass instead of warn: change the claims.',
  },
  'an expected warning of a check that did not run': {
    claims: expecting('warn'),
    results: kinds(pass, ['articles/page-walk', 'inconclusive']),
    exit: 0,
    has: ['missed', 0],
  },
  'an expected skip that did not occur': {
    claims: expecting('skipped'),
    results: kinds(pass, ['articles/page-walk', 'inconclusive']),
    exit: 1,
    says: 'has the result inconclusive instead of skipped',
  },
  'an inconclusive check as expected': {
    claims: expecting('inconclusive'),
    results: kinds(pass, ['articles/page-walk', 'inconclusive']),
    rules: { failOn: ['inconclusive'] },
    exit: 0,
  },
  'an inconclusive check that passed': {
    claims: expecting('inconclusive'),
    results: kinds(pass, ['articles/page-walk', 'pass']),
    exit: 1,
  },
};

describe('the claim of', () => {
  test.each(Object.entries(states))(
    '%s',
    (_, { claims: file, results, behavior, asked = [], rules, exit, has, says = '' }) => {
      const scenarios = asked.map((id) => ({ id, kind: 'asked', exchanges: ['x1'] }) as const);
      const behaviors = behavior === undefined ? [] : [behavior];
      const report: Report = sampleReport({ checks: results, behaviors, scenarios });
      const all = [...ids, ...results.map(({ id }) => id)];
      const claims = applyClaims(parseClaims(JSON.stringify(file), all), report, nowMs);
      const { exitCode, sentence } = conclude(report, { claims, ...rules });
      expect([exitCode, sentence]).toEqual([exit, expect.stringContaining(says)]);
      if (has !== undefined) expect(claims[has[0]]).toHaveLength(has[1]);
    },
  );

  test('a capability is not refused for recorded traffic', () => {
    const recorded = { file: 'a.har', judged: 3, others: 1, withoutBody: 2, run: null };
    expect(applyClaims(claimed(mcp), sampleReport({ recorded }), nowMs).refused).toEqual([]);
  });
});

test('written claims have the tested capabilities, the known reasons, and placeholders for the others', () => {
  const result = failing(['4.json', '/data/3/id'], ['4.json', '/data/4/id'], ['4.bearer', '#status']);
  const checks = [result, ...kinds(['mcp/door', 'pass'])];
  const link = 'https://tickets.example.com/7';
  const { knownFailures } = known({ clause: '4.bearer', link, acceptedBy: 'Ada' });
  const before = claimed({ capabilities: { writes: true }, ...noFound, knownFailures, ...expecting('warn') });
  const scenarios = [{ id: 'mcp/open', kind: 'asked', exchanges: ['x1'] } as const];
  const text = writeClaims(sampleReport({ checks, scenarios }), before);
  expect(JSON.parse(text)).toMatchObject({
    capabilities: { writes: true, mcp: true, secondOrganization: false },
    ...noFound,
    knownFailures: [
      { check: ids[0], clause: '4.json', pointer: '/data/*/id', reason: '', until: null },
      {
        check: ids[0],
        clause: '4.bearer',
        pointer: '#status',
        reason: 'ticket 12',
        link,
        acceptedBy: 'Ada',
        until: null,
      },
    ],
    expected: before.expected,
  });
  expect(validate(JSON.parse(text))).toBe(false);
  expect(() => parseClaims(text, ids)).toThrow('reason is missing');
  expect(validate(JSON.parse(text.replace('"reason": ""', '"reason": "ticket 8"')))).toBe(true);
  expect(writeClaims(sampleReport({ checks: kinds(['articles/page-walk', 'pass']) }), before)).toContain(
    '"expected": []',
  );
});

const schema = JSON.parse(readFileSync(new URL('../../spec/claims.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

test('the published schema has the same capabilities and behaviors', () => {
  expect(Object.keys(schema.properties.capabilities.properties)).toEqual(Object.keys(claimable));
  expect(schema.properties.behaviors.propertyNames.enum).toEqual(Object.keys(behaviors));
});
