import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { openSides, parseDiff } from './diff-sides.ts';
import type { Env } from './options.ts';

const keyOf = (digit: string) => `casa_${digit.repeat(32)}`;
const [a, b] = ['http://127.0.0.1:9/api/v1', 'http://127.0.0.2:9/api/v1'];
const folder = newFolder();
const staging = {
  baseUrl: a,
  keys: { good: 'STAGING_KEY', second: 'STAGING_SECOND' },
  allowWrites: ['posts'],
  maxWrites: 3,
  mcpUrl: 'http://127.0.0.1:9/mcp',
};
const targets = { staging, production: { baseUrl: b } };
writeFileSync(join(folder, 'conformance.config.json'), JSON.stringify({ targets }));

async function open(argv: readonly string[], environment: Env) {
  const line = parseDiff(argv);
  if (line === null) throw new Error('unexpected help');
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const err = { isTty: false, columns: 80, write };
  const sides = await openSides(line, environment, { out: () => undefined, err, hasColor: false, folder });
  for (const { close } of sides) onTestFinished(close);
  const [one, other] = sides.map(({ side }) => side);
  return { one, other, output };
}

const keys = {
  CONFORMANCE_API_KEY_A: keyOf('1'),
  CONFORMANCE_API_KEY_B: keyOf('2'),
  CONFORMANCE_SECOND_KEY_A: keyOf('3'),
  CONFORMANCE_SECOND_KEY_B: keyOf('4'),
};

describe('the sides of a comparison', () => {
  test('have the keys and the MCP endpoints of both', async () => {
    const mcpEndpoints = ['--mcp-url-a', 'http://127.0.0.1:9/mcp', '--mcp-url-b', 'http://127.0.0.2:9/mcp'];
    const withOther = { ...keys, OTHER: keyOf('5') };
    const { one, other, output } = await open([a, b, '--second-key-b', 'OTHER', ...mcpEndpoints], withOther);
    expect(one?.options).toMatchObject({ keys: { good: keyOf('1'), second: keyOf('3') }, mcpUrl: mcpEndpoints[1] });
    expect(other?.options).toMatchObject({ keys: { good: keyOf('2'), second: keyOf('5') }, mcpUrl: mcpEndpoints[3] });
    expect(other?.keyVariables).toMatchObject({ good: 'CONFORMANCE_API_KEY_B', second: 'OTHER' });
    expect(output).toBe('');
  });

  test('lack what one of them was not given, and say so', async () => {
    const { CONFORMANCE_SECOND_KEY_B: _, ...fewer } = keys;
    const { one, other, output } = await open([a, b, '--mcp-url-b', 'http://127.0.0.2:9/mcp'], fewer);
    expect([one?.options.keys, other?.options.keys]).toEqual([{ good: keyOf('1') }, { good: keyOf('2') }]);
    expect(other?.options.mcpUrl).toBeUndefined();
    expect(output.split('\n').filter((line) => line !== '')).toEqual([
      'Only A has a second key: responses that need it are not compared. Pass one for the other side too.',
      'Only B has an MCP endpoint: responses that need it are not compared. Pass one for the other side too.',
    ]);
  });

  test('next to our mock, which has everything, use the options of the deployment', async () => {
    const environment = { CONFORMANCE_API_KEY: keyOf('1'), CONFORMANCE_SECOND_KEY: keyOf('3') };
    const { one, other, output } = await open([a, 'self'], environment);
    expect(one?.options.keys).toEqual({ good: keyOf('1'), second: keyOf('3') });
    expect(one?.keyVariables).toMatchObject({ good: 'CONFORMANCE_API_KEY', second: 'CONFORMANCE_SECOND_KEY' });
    expect(Object.keys(other?.options.keys ?? {})).toEqual(['good', 'second']);
    expect(other?.options.mcpUrl).toBeUndefined();
    expect(output).toBe('');
  });

  test('of two hosts never get a usual key that may be that of the other', async () => {
    const { CONFORMANCE_SECOND_KEY_A: _, CONFORMANCE_SECOND_KEY_B: __, ...good } = keys;
    const { one, other } = await open([a, b], { ...good, CONFORMANCE_SECOND_KEY: keyOf('6') });
    expect([one?.options.keys.second, other?.options.keys.second]).toEqual([undefined, undefined]);
  });

  test('write nothing, even if a target of the config file allows it', async () => {
    const environment = { STAGING_KEY: keyOf('1'), STAGING_SECOND: keyOf('3'), CONFORMANCE_API_KEY: keyOf('2') };
    const { one, other } = await open(['staging', 'self'], environment);
    expect(one?.options).toMatchObject({ keys: { good: keyOf('1'), second: keyOf('3') } });
    expect(one?.options.mcpUrl).toBe('http://127.0.0.1:9/mcp');
    expect(one?.keyVariables).toMatchObject({ good: 'STAGING_KEY', second: 'STAGING_SECOND' });
    for (const side of [one, other]) {
      expect(side?.options.allowWrites).toBeUndefined();
      expect(side?.options.maxWrites).toBeUndefined();
    }
  });
});
