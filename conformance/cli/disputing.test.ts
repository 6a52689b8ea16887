import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';

const folder = newFolder();
const at = (name: string) => join(folder, name);
const report = at('report.json');
let key = '';

const dispute = (args: readonly string[]) => conformance(['dispute', ...args], { CONFORMANCE_API_KEY: key });

beforeAll(async () => {
  const { options, close } = await startMockTarget({ mutant: 'calls-limit-ignored' });
  key = options.keys.good;
  const args = ['--only', 'calls/*', '--only', 'sites/*', '--min-verified', '3', '--header', 'X-Team: t-e-a-m'];
  const place = ['--base-url', options.baseUrl, '--report', `json=${report}`];
  expect(await conformance([...args, ...place], { CONFORMANCE_API_KEY: key }, options.clock)).toMatchObject({
    code: 1,
  });
  await close();
});

describe('conformance dispute', () => {
  test('writes everything that is needed to judge a cause', async () => {
    const file = at('dispute-1.md');
    const { code, out } = await dispute([report, '--output', file]);
    expect([code, out]).toEqual([0, `${file} contains cause 1. Add your reason at its end.\n`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    const { target, requirements } = JSON.parse(readFileSync(report, 'utf8'));
    for (const part of [
      '# Dispute of `listCalls/4.calls.limit-ceiling`',
      '- `4.calls.limit-ceiling` (implied): A page of GET /connect/calls/log holds at most',
      '- R38: ',
      'returned 50 calls; expected at most 1.',
      `GET ${target}/connect/calls/log?since=`,
      'authorization: Bearer $CONFORMANCE_API_KEY',
      '\n200\n',
      `Requirements: ${requirements.set} ${requirements.digest}`,
      'Options: {"headers":{"x-team":"\\u003cx-team>"},',
      `npx casa-conformance --base-url ${target} --only calls/limit`,
      "--header 'x-team: VALUE'",
      '## Reason',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('t-e-a-m');
    expect((await dispute([report, `--output=${file}`])).code).toBe(0);
  });

  test('removes keys and personal data, and shows server text in fences only', async () => {
    const forged = JSON.parse(readFileSync(report, 'utf8'));
    const [cause] = forged.causes;
    const exchange = forged.exchanges.find(({ id }: { id: string }) => id === cause.exchanges[0]);
    const canaries = [key, Buffer.from(key).toString('base64'), 'canary.alice@customer-of-ours.com', '+1 555 010 4477'];
    exchange.bodyText = `${canaries.join(' ')} \u001b[2J\n\`\`\`\n# A heading`;
    exchange.requestHeaders.authorization = 'Bearer other_secret_0123456789';
    cause.title = canaries.join(' ');
    // Each place that a forger can write to.
    const attack = [
      '',
      '<img src=x onerror=alert(1)>',
      '  ::error title=a::b',
      '##vso[task.complete]',
      '</details>',
    ].join('\n');
    for (const field of ['url', 'bodyText', 'problemDetail']) exchange[field] += attack;
    Object.assign(exchange.requestBody, { text: attack });
    exchange.headers[attack] = attack;
    cause.repeat = [attack];
    forged.target += attack;
    for (const check of forged.checks) for (const finding of check.findings) finding.actual = attack;
    cause.id = `x ${canaries[2]}`;
    writeFileSync(at('forged.json'), JSON.stringify(forged));
    const file = at('forged.md');
    expect((await dispute([at('forged.json'), '--finding', '1', '--output', file])).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    const leaks = [...canaries, 'canary.alice@', 'other_secret', '\u001b', '555 010'].filter((each) =>
      text.includes(each),
    );
    expect(leaks).toEqual([]);
    expect(text).not.toMatch(/<(img|\/details)|^\s*::|##\w*\[/m);
    expect(text).toMatch(/\n````text\n[^`]*```\n# A heading\n[^`]*\n````\n/);
  });

  test.each<[string, () => string[], string]>([
    ['no report', () => [], 'conformance dispute needs a report first'],
    ['a report that is not there', () => [at('none.json')], 'none.json'],
    ['a file of another kind', () => ['package.json'], 'package.json is not a JSON report'],
    ['a cause beyond the last', () => [report, '--finding', '9'], 'has no cause 9: it has 1.'],
    ['an unknown flag', () => [report, '--out', 'a.md'], 'Unknown flag --out.'],
    ['an output without a file', () => [report, '--output'], '--output needs a value: --output FILE.'],
    ['an existing file of another kind', () => [report, '--output', 'README.md'], 'is not a dispute of this command'],
    ['a symbolic link', () => [report, '--output', linked()], 'is a symbolic link'],
  ])('rejects %s', async (_, args, sentence) => {
    const { code, err } = await dispute(args());
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
    expect(existsSync(at('elsewhere.md'))).toBe(false);
  });

  test('has help', async () => {
    expect(await dispute(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--finding N') });
  });
});

function linked(): string {
  symlinkSync(at('elsewhere.md'), at('link.md'));
  return at('link.md');
}
