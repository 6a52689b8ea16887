import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { sampleExchange } from '../../fixtures/test-kit/sample-report.ts';
import { spoiltSecrets } from '../driver/session.ts';
import { bodyCommand } from '../exchange/body-command.ts';
import { spoil } from '../exchange/request.ts';
import { curlOf } from './curl.ts';

/** The arguments that a shell reads from the line. */
function argumentsOf(line: string, key = 'key_12ab'): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const env = { CONFORMANCE_API_KEY: key, STAGING_KEY: 'key_34cd', PATH: process.env.PATH };
  return execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('the line of curl', () => {
  test('names the key by its variable, which the shell fills in', () => {
    const line = curlOf(sampleExchange());
    expect(line).toContain('-H "authorization: Bearer $CONFORMANCE_API_KEY"');
    expect(argumentsOf(line)).toContain('authorization: Bearer key_12ab');
  });

  test.each(['digit', 'short', 'long', 'no-prefix', 'other-prefix'] as const)(
    'lets the shell spoil a key: %s',
    (how) => {
      for (const key of ['key_12ab', 'sk_live_12a0']) {
        const value = spoil(key, how).replace('Bearer ', '');
        const { placeholder } = spoiltSecrets(key).find((secret) => secret.value === value) ?? {};
        const line = curlOf(sampleExchange({ requestHeaders: { authorization: `Bearer ${placeholder}` } }));
        expect(argumentsOf(line, key)).toContain(`authorization: Bearer ${value}`);
      }
    },
  );

  test('makes a long text of equal characters with a command', () => {
    const text = `{"text":"it's ${'x'.repeat(5001)}"}`;
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text, bytes: text.length } }));
    expect(line.length).toBeLessThan(300);
    expect(argumentsOf(line)).toContain(text);
  });

  test('names a key of one side of a comparison by its own variable, and nothing more', () => {
    const requestHeaders = { authorization: 'Bearer $STAGING_KEY', 'x-other': '$STAGING_KEY' };
    const sent = argumentsOf(curlOf(sampleExchange({ requestHeaders })));
    expect(sent).toContain('authorization: Bearer key_34cd');
    expect(sent).toContain('x-other: $STAGING_KEY');
  });

  test.each([
    'it\'s $HOME `id` $(id) \\ ! "quoted" & | ; * ~ #',
    'two\nlines',
    'a $CONFORMANCE_API_KEY and "quotes"',
    '-o /etc/passwd',
  ])('quotes the body %j', (text) => {
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text, bytes: 9 } }));
    expect(argumentsOf(line)).toContain(text.replace('$CONFORMANCE_API_KEY', 'key_12ab'));
  });

  test.each([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x27, 0x25, 0x5c, 0x0a, 0x00, 0x7d])],
    ['a large body of letters', Buffer.from(`{"text":"${'x'.repeat(2_500_000)}"}`)],
    ['a large body of wide letters', Buffer.from(`{"pad":"${'\u3042'.repeat(800_000)}xx"}`)],
  ])('writes %s by a command', (_, sent) => {
    const command = bodyCommand(sent) ?? '';
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text: null, bytes: sent.length, command } }));
    const script = `curl() { cat; }; ${line}`;
    const written = execFileSync('bash', ['--norc', '-c', script], { maxBuffer: 5_000_000 });
    expect(written.equals(sent)).toBe(true);
    expect(line.length).toBeLessThan(1000);
  });

  test('writes no body that is long and without a pattern', () => {
    expect(bodyCommand(Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251)))).toBeNull();
  });

  test('refers to a body that is too long to be kept', () => {
    const line = curlOf(sampleExchange({ method: 'POST', requestBody: { text: null, bytes: 2_500_001 } }));
    expect(line).toContain('--data-binary @body-of-2500001-bytes');
  });
});
