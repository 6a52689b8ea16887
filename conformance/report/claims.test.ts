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
import { applyClaims, claimNotes, parseClaims, writeClaims } from './claims.ts';
import { requirementsOf } from './coverage.ts';
import { conclude } from './outcome.ts';
import type { Report } from './report.ts';

const ids = ['articles/page-walk', 'rule/json', 'sites/by-id'];
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

const needed = 'needs --mcp-url URL';
const mcp = { capabilities: { mcp: true } };
const known5 = { ...mcp, knownFailures: [{ check: 'mcp/inbox-list', reason: 'ticket 5' }] };
const foreign = { capabilities: { secondOrganization: true } };
const notFound = { behaviors: { malformedId: 'not_found' } };
const expecting = (result: string, until: string | null = null) => ({
  expected: [{ check: 'sites/by-id', result, reason: 'ticket 3', until }],
});

/** `mcp/inbox-list pass`: a check and its result. `mcp/open asked`: a scenario. `malformedId not_found 0.5`: a behavior. */
function reportFrom(rows: string): Report {
  const words = ['rule/json pass', ...rows.split(', ')].map((row) => row.split(' ')).filter(([id]) => id !== '');
  const having = (pattern: RegExp) => words.filter(([, word = '']) => pattern.test(word));
  const checks = having(/^(pass|warn|fail|skipped|inconclusive)$/).map(([id = '', kind]) => {
    const findings = kind === 'fail' ? [sampleFinding()] : [];
    return sampleCheck(
      id,
      { kind: kind as ResultKind, ...(kind === 'skipped' ? { message: needed } : {}) },
      { findings },
    );
  });
  const scenarios = having(/^asked$/).map(([id = '']) => ({ id, kind: 'asked', exchanges: ['x1'] }) as const);
  const values = having(/_/).map(([, value = '']) => value);
  const state = values.length > 1 ? 'mixed' : 'known';
  const shares = Object.fromEntries(values.map((value) => [value, 0.5]));
  const behavior = { id: 'malformedId', state, value: values[0], shares, seen: 2, exchanges: [] } as BehaviorState;
  return sampleReport({ checks, scenarios, behaviors: values.length === 0 ? [] : [behavior] });
}

const both = 'malformedId not_found, malformedId invalid_input';
const states: readonly (readonly [title: string, file: object, rows: string, exit: number, sentence: string])[] = [
  ['a tested capability', mcp, 'mcp/open asked, mcp/inbox-list pass', 0, 'No check failed.'],
  ['a capability next to requests of others', mcp, 'mcp/inbox-list pass, mcp/key skipped', 3, `mcp (${needed})`],
  [
    'an untested capability',
    mcp,
    'mcp/inbox-list skipped',
    3,
    `No check tested 1 claimed capability: mcp (${needed}).`,
  ],
  ['a capability without selected checks', foreign, '', 3, 'selected check tests it; it needs CONFORMANCE_SECOND_KEY'],
  ['an untested capability next to a failure', mcp, 'mcp/inbox-list skipped, sites/list fail', 1, '1 check failed'],
  ['no capability', { capabilities: { mcp: false } }, '', 0, 'No check failed.'],
  ['a capability with a known failure', known5, 'mcp/open asked, mcp/inbox-list fail', 0, 'except 1 known failure.'],
  ['a behavior as observed', notFound, 'malformedId not_found', 0, 'No check failed.'],
  ['a behavior that was not observed', notFound, '', 0, 'No check failed.'],
  [
    'another behavior',
    notFound,
    'malformedId invalid_input',
    1,
    'as not_found, and the deployment shows invalid_input',
  ],
  ['a behavior that alternates', notFound, both, 1, 'the deployment shows not_found or invalid_input.'],
  ['an expected warning', expecting('warn'), 'sites/by-id warn', 0, 'No check failed.'],
  ['a warning after its last day', expecting('warn', '2025-12-31'), 'sites/by-id warn', 1, '--fail-on warn'],
  ['an expected warning that passed', expecting('warn'), 'sites/by-id pass', 1, 'result pass instead of warn: change'],
  ['an expected warning that is open', expecting('warn'), 'sites/by-id inconclusive', 0, 'No check failed.'],
  ['a skip that did not occur', expecting('skipped'), 'sites/by-id inconclusive', 1, 'inconclusive instead of skipped'],
  ['an open check as expected', expecting('inconclusive'), 'sites/by-id inconclusive', 0, 'No check failed.'],
  ['an open check that passed', expecting('inconclusive'), 'sites/by-id pass', 1, 'pass instead of inconclusive'],
];

describe('the claim of', () => {
  test.each(states)('%s', (_, file, rows, exit, says) => {
    const all = [...ids, 'mcp/inbox-list'];
    const given = parseClaims(JSON.stringify(file), all);
    const report = reportFrom(rows);
    const claims = applyClaims(given, report, nowMs);
    const failOn = given.expected.map(({ result }) => result);
    const { exitCode, sentence } = conclude(report, { claims, failOn });
    expect([exitCode, sentence]).toEqual([exit, expect.stringContaining(says)]);
    expect(claims.withdrawn).toEqual(file === known5 ? [{ capability: 'mcp', checks: ['mcp/inbox-list'] }] : []);
  });

  test('recorded traffic leaves a capability open', () => {
    const recorded = { file: 'a.har', judged: 3, others: 1, withoutBody: 2, run: null };
    expect(applyClaims(claimed(mcp), sampleReport({ recorded }), nowMs).refused).toEqual([]);
  });
});

test('written claims have the tested capabilities, the known reasons, and placeholders for the others', () => {
  const result = failing(['4.json', '/data/3/id'], ['4.json', '/data/4/id'], ['4.bearer', '#status']);
  const link = 'https://tickets.example.com/7';
  const { knownFailures } = known({ clause: '4.bearer', link, acceptedBy: 'Ada' });
  const before = claimed({ capabilities: { writes: true }, ...notFound, knownFailures, ...expecting('warn') });
  const report = reportFrom('mcp/open asked, mcp/inbox-list pass');
  const text = writeClaims({ ...report, checks: [result, ...report.checks] }, before);
  expect(JSON.parse(text)).toMatchObject({
    capabilities: { writes: true, mcp: true, secondOrganization: false },
    ...notFound,
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
  expect(writeClaims(reportFrom('sites/by-id pass'), before)).toContain('"expected": []');
});

const schema = JSON.parse(readFileSync(new URL('../../spec/claims.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

test('the published schema has the same capabilities and behaviors', () => {
  expect(Object.keys(schema.properties.capabilities.properties)).toEqual(Object.keys(claimable));
  expect(schema.properties.behaviors.propertyNames.enum).toEqual(Object.keys(behaviors));
});
