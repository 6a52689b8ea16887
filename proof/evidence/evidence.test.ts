import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { storeResult } from '../results.ts';
import { type Claim, evidencePage, gatherClaims } from './evidence.ts';

const folder = () => newFolder();
const resultsOf = (result: string) => [{ result }];
const states = (claims: readonly Claim[]) => claims.map(({ state }) => state);
let nothing: Claim[] = [];
let something: Claim[] = [];

beforeAll(async () => {
  const [empty, full] = [folder(), folder()];
  storeResult('mcp', resultsOf('fail'), true, full);
  storeResult('runtimes', [{ parts: resultsOf('ok') }], true, full);
  storeResult('oracles', [{ complaints: 3, unexplained: 0 }], false, full);
  writeFileSync(join(full, 'test.json'), JSON.stringify({ numPassedTests: 2, numFailedTests: 1, success: false }));
  nothing = await gatherClaims({ proofs: empty, tests: empty });
  something = await gatherClaims({ proofs: full, tests: full });
}, 60_000);

describe('the evidence page', () => {
  test('lists a proof that was not run as unknown', () => {
    expect(states(nothing).slice(2)).toEqual(Array(nothing.length - 2).fill('unknown'));
  });

  test('proves from the sources that clauses have checks and mutants', () => {
    expect(states(nothing).slice(0, 2)).toEqual(['proven', 'proven']);
  });

  test.each([
    ['official MCP tools', 'not proven'],
    ['each runtime', 'proven'],
    ['Contract-testing tools', 'unknown'],
    ['npm test', 'not proven'],
  ])('says of %s: %s', (part, state) => {
    expect(something.find(({ sentence }) => sentence.includes(part))?.state).toBe(state);
  });

  test('puts each claim under the heading of its state', () => {
    const page = evidencePage(something);
    const proven = page.slice(page.indexOf('## Proven'), page.indexOf('## Not proven'));
    expect(proven).toContain('each runtime');
    expect(proven).not.toContain('MCP tools');
  });

  test('never replaces a whole result by a part', () => {
    const own = folder();
    storeResult('mcp', resultsOf('fail'), true, own);
    storeResult('mcp', resultsOf('pass'), false, own);
    return expect(gatherClaims({ proofs: own, tests: own })).resolves.toContainEqual(
      expect.objectContaining({ state: 'not proven', sentence: expect.stringContaining('MCP') }),
    );
  });
});
