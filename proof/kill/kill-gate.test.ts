import { describe, expect, it, test } from 'vitest';
import { impliesViolation } from '../../conformance/report/diagnosis/same-fact.ts';
import { goodKey, startTestEngine, toMcp, toolCall, toRequest } from '../../fixtures/test-kit/engine.ts';
import { allMutants } from '../../fixtures/test-kit/targets.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { bodyText, type CoreResponse } from '../../src/http/message.ts';
import { mutantNamed, mutate, type Need } from '../../src/mutants/index.ts';
import { isWithin, type Kill, type Killer, type Permission } from './kill.ts';
import { counting, type Excuses, excuses, gate, keyOf, printMatrix } from './kill-gate.ts';
import { checkRows, type Matrix } from './kill-matrix.ts';

const noExcuses: Excuses = { unkillable: {}, otherReason: {}, idleChecks: {} };
const right: Killer = { check: 'calls/limit', clauses: ['4.calls.limit'], isExpected: true, took: [] };
const other: Killer = { check: 'calls/limit', clauses: ['4.calls.shape'], isExpected: false, took: [] };

function kill(name: string, ...killers: readonly Killer[]): Kill {
  const usual = { of: 'mock', breaks: '4.calls.limit', needs: 'nothing', result: 'fail' } as const;
  return { mutant: { ...usual, name, shows: `${name} shows.` }, killers, errors: [], abort: null, shownBy: [] };
}

function excusing(unkillable: string, other: string, idle: string): Excuses {
  const [unkilled, otherReason] = [unkillable, other].map((name) => ({ [`mock/${name}`]: 'why' }));
  return { unkillable: unkilled ?? {}, otherReason: otherReason ?? {}, idleChecks: { [idle]: 'why' } };
}

const check = { id: 'calls/limit', title: 'A page', level: 'must', cites: ['4.calls.limit'] } as const;

function matrix(kills: readonly Kill[], rest: Partial<Matrix> = {}): Matrix {
  return { kills, checks: [check], clean: [{ name: 'the mock', failures: [] }], seconds: 1, ...rest };
}

test('progress counts each pass by itself', () => {
  const shown: string[] = [];
  for (const all of [120, 60]) {
    const count = counting(all, (text) => shown.push(text));
    for (let done = 0; done < all; done += 1) count();
  }
  expect(shown).toEqual(['50 of 120\n', '100 of 120\n', '50 of 60\n']);
});

describe('the gate of the kill matrix', () => {
  test('is open when each mutant is killed for its clause', () => {
    const { broken, stale } = gate(matrix([kill('a', right), kill('b', other, right)]), noExcuses, true);
    expect([broken, stale]).toEqual([[], []]);
  });

  test.each([
    ['a survivor', matrix([kill('a', right), kill('b')]), 'Nobody notices b of the mock (4.calls.limit)'],
    ['another reason', matrix([kill('a', right), kill('b', other)]), 'No finding names the clause of b of the mock'],
    [
      'a mutant that takes more than it says',
      matrix([kill('a', right), kill('b', { ...right, took: ['writes'] })]),
      'b of the mock (4.calls.limit) is said to need nothing (taken: writes), and no check detects it with that.',
    ],
    ['an idle must-check', matrix([kill('a', { ...right, check: 'x' })]), 'calls/limit must hold, and kills nothing.'],
    ['a broken run', matrix([kill('a', right), { ...kill('b', right), errors: ['x: y'] }]), 'While b ran: x: y'],
    [
      'a false positive',
      matrix([kill('a', right)], { clean: [{ name: 'the mock', failures: ['x: y'] }] }),
      'False failure on the mock: x: y',
    ],
  ])('is shut by %s', (_what, found, sentence) => {
    const { broken } = gate(found, noExcuses, true);
    expect(broken).toHaveLength(1);
    expect(broken[0]).toContain(sentence);
  });

  test('prints an error of many mutants once', () => {
    const kills = ['a', 'b', 'c'].map((name) => ({ ...kill(name, right), errors: ['x: y'] }));
    expect(gate(matrix(kills), noExcuses, true).broken).toEqual(['While a and 2 more ran: x: y']);
  });

  test.each<[Need, readonly Permission[], boolean]>([
    ['nothing', [], true],
    ['writes', [], true],
    ['writes', ['writes'], true],
    ['writes', ['writes', 'second-key'], false],
    ['bursts', ['bursts', 'addresses'], false],
    ['addresses', ['bursts', 'addresses'], true],
  ])('says of the need for %s and of %j taken: %s', (needs, took, isMet) => {
    expect(isWithin(needs, took)).toBe(isMet);
  });

  test('distinguishes two implementations', () => {
    const other = { ...kill('a'), mutant: { ...kill('a').mutant, of: 'independent' } } as const;
    const { broken } = gate(matrix([kill('a'), other]), { ...noExcuses, unkillable: { 'mock/a': 'why' } }, false);
    expect(broken).toEqual([expect.stringContaining('Nobody notices a of the independent')]);
  });

  test('lets pass what has a reason', () => {
    const reasons = excusing('b', 'c', 'calls/limit');
    const found = matrix([kill('a', { ...right, check: 'x' }), kill('b'), kill('c', { ...other, check: 'x' })]);
    expect(gate(found, reasons, true).broken).toEqual([]);
  });

  test('is shut by a reason for something that there is not', () => {
    const reasons = { ...excusing('b', 'a', 'calls/x'), otherReason: {} };
    expect(gate(matrix([kill('a', right)]), reasons, true).broken).toEqual([
      'unkillable.ts names a mutant that there is not: mock/b.',
      'unkillable.ts names a check that there is not: calls/x.',
    ]);
  });

  test('reports obsolete reasons, and still passes', () => {
    const reasons = excusing('a', 'b', 'calls/limit');
    const { broken, stale } = gate(matrix([kill('a', right), kill('b', right)]), reasons, true);
    expect(broken).toEqual([]);
    expect(stale).toHaveLength(3);
  });

  test('calls no check idle when only some mutants were checked', () => {
    expect(gate(matrix([kill('a', { ...right, check: 'x' })]), noExcuses, false).broken).toEqual([]);
  });
});

describe('the lists of exceptions', () => {
  test('name mutants and checks that exist, each with a sentence', () => {
    const names = new Set(allMutants().map(keyOf));
    const listed = [...Object.keys(excuses.unkillable), ...Object.keys(excuses.otherReason)];
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
    const ids = new Set(checkRows.map(({ id }) => id));
    expect(Object.keys(excuses.idleChecks).filter((id) => !ids.has(id))).toEqual([]);
    const reasons = Object.values(excuses).flatMap((list) => Object.values(list as Record<string, string>));
    expect(reasons.filter((reason) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([]);
  });

  test('stay few', () => {
    expect(Object.keys(excuses.unkillable).length).toBeLessThanOrEqual(allMutants().length / 50);
  });
});

describe('a finding', () => {
  test.each([
    ['8.label', '8.label', true],
    ['2.connect-account-input.label', '8.label', true],
    ['8.label', '2.connect-account-input.label', false],
    ['2.list-accounts-output.accounts.locked', '2.list-accounts-output.accounts', true],
    ['2.article.slug', '2.fields-present', true],
    ['2.review-item.text', '2.fields-present', false],
    ['4.calls.limit-ceiling', '4.calls.limit', true],
    ['4.calls.shape', '4.calls.limit', false],
  ])('about %s says of %s: %s', (found, broken, says) => {
    expect(impliesViolation(found, broken)).toBe(says);
  });
});

describe('the kill matrix', () => {
  const found = matrix([kill('killed-rightly', right), kill('killed-otherwise', other), kill('alive')]);
  const result = gate(found, { ...noExcuses, unkillable: { 'mock/alive': 'Nothing <shows> it.' } }, true);

  test('as text marks each mutant and ends with the figures', () => {
    const text = printMatrix(found, result);
    expect(text).toMatch(/^killed +mock +killed-rightly +4\.calls\.limit +calls\/limit$/m);
    expect(text).toMatch(/^misjudged +mock +killed-otherwise +4\.calls\.limit +\(calls\/limit\)$/m);
    expect(text).toMatch(/^SURVIVES +mock +alive +4\.calls\.limit$/m);
    expect(text).toContain('2 of 3 mutants killed, 1 of them by a finding that names the broken clause.');
  });
});

type Handle = (line: string, key?: string | null) => CoreResponse;
type McpEndpoint = (tool: 'inbox_list', key?: string | null) => Promise<CoreResponse>;

const longAgo = '2020-01-01T00:00:00Z';

const ofMock: Record<string, (handle: Handle, mcpEndpoint: McpEndpoint) => unknown> = {
  'sites-redirected-off-base': (handle) => handle('GET /sites').status,
  'calls-limit-200-gives-100': (handle) => bodyText(handle(`GET /connect/calls/log?limit=200&since=${longAgo}`)).length,
  'mcp-inbox-without-next-cursor': async (_, mcpEndpoint) => bodyText(await mcpEndpoint('inbox_list')),
  'mcp-address-not-limited': async (_, mcpEndpoint) => {
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await mcpEndpoint('inbox_list', null)).status);
    return statuses;
  },
};

async function seenOfMock(name: string, mutated: boolean): Promise<unknown> {
  const limits = { ...contractLimits, enforced: name === 'mcp-address-not-limited' };
  const { engine: clean } = startTestEngine({ limits });
  const engine = mutated ? mutate(clean, mutantNamed(name)) : clean;
  const mcpEndpoint: McpEndpoint = (tool, key) => engine.handleMcp(toMcp(toolCall(tool), key));
  return ofMock[name]?.((line, key = goodKey) => engine.handle(toRequest(line, '/api/v1', { key })), mcpEndpoint);
}

const names = Object.keys(excuses.unkillable).map((key) => key.replace('mock/', ''));

describe('a mutant that no check can kill', () => {
  it('has its own test here', () => {
    expect(Object.keys(ofMock).sort()).toEqual(names.sort());
  });

  it.each(names)('%s can be seen by a client that knows the difference', async (name) => {
    const clean = await seenOfMock(name, false);
    expect(clean).toBeDefined();
    expect(await seenOfMock(name, true)).not.toEqual(clean);
    expect(await seenOfMock(name, false)).toEqual(clean);
  });
});
