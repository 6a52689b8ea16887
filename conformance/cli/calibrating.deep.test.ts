import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { conformance as runKit } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startIndependentTarget, startMockTarget, type Target } from '../../fixtures/test-kit/targets.ts';
import { readProfile } from '../../src/contract/profile.ts';

const schema = JSON.parse(readFileSync(new URL('../../spec/profile.schema.json', import.meta.url), 'utf8'));
const isProfile = new Ajv2020({ strictTypes: false }).compile(schema);
const folder = newFolder();

/** Against the target with its key, by its clock; `more` replaces its URL. */
function conformance(args: readonly string[], { options }: Target, more?: readonly string[]) {
  const { baseUrl, keys, clock } = options;
  const given = more ?? ['--base-url', baseUrl];
  return runKit([...args, ...given], { CONFORMANCE_API_KEY: keys.good }, clock);
}

async function opened(starting: Promise<Target>): Promise<Target> {
  const target = await starting;
  onTestFinished(target.close);
  return target;
}

describe('conformance calibrate', () => {
  test('has a separate help text, with its exit codes', async () => {
    const { code, out } = await runKit(['calibrate', '--help'], {});
    expect(code).toBe(0);
    for (const words of ['--profile FILE', '--check FILE', '--base-url URL', '1  With --check: a behavior changed'])
      expect(out).toContain(words);
    expect(out).not.toContain('--allow-writes');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('writes a profile that a mock takes, without a key or a value of the data', async () => {
    const target = await opened(startIndependentTarget({ variant: 'strict' }));
    const { code, out, err } = await conformance(['calibrate'], target);
    expect(code).toBe(0);
    const profile = readProfile(JSON.parse(out));
    expect(profile.behaviors.timestampForm?.value).toBe('YYYY-MM-DDThh:mm:ss,fffZ');
    expect(profile.behaviors.articleOrder?.value).toBe('newest');
    expect(isProfile(JSON.parse(out)) || isProfile.errors).toBe(true);
    expect(err).toContain('behaviors known');
    expect(out).not.toContain(target.options.keys.good);
    expect(out).not.toContain(target.options.keys.good.split('_')[1] ?? 'key');
    expect(out).not.toMatch(/\+49 30|[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(Object.keys(profile.behaviors)).toEqual(Object.keys(profile.behaviors).sort());
  }, 60_000);

  test('checks a committed profile: nothing moved, and then something did', async () => {
    const file = join(folder, 'casa.profile.json');
    const first = await conformance(['calibrate', '--profile', file], await opened(startMockTarget()));
    expect(first.code).toBe(0);
    expect(first.out).toBe('');
    expect(first.err).toContain(`casa mock --profile ${file}.`);
    expect(readProfile(JSON.parse(readFileSync(file, 'utf8'))).behaviors.snapshotRunning?.value).toBe('show');
    const same = await conformance(['calibrate', '--check', file], await opened(startMockTarget()));
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining('0 of ') });
    const behavior = { articleOrder: 'oldest', malformedId: 'invalid_input' } as const;
    const moved = await conformance(['calibrate', '--check', file], await opened(startMockTarget({ behavior })));
    expect(moved.code).toBe(1);
    expect(moved.out).toContain('(articleOrder, R16)\n  "newest" became "oldest", between ');
    expect(moved.out).toContain('(malformedId, R20)\n  "not_found" became "invalid_input"');
    expect(moved.out).toMatch(/^Cause: drift$/m);
    expect(moved.out).toContain(`${file} is out of date: calibrate again with --profile.`);
  }, 90_000);

  test('accepts a field that only some accounts have, for any accounts', async () => {
    const file = join(folder, 'by-platform.json');
    const start = () => opened(startIndependentTarget({ variant: { aggregate: 'by-platform' } }));
    const few = ['calibrate', '--only', 'reviews/*'];
    await conformance([...few, '--profile', file], await start());
    const profile = JSON.parse(readFileSync(file, 'utf8'));
    // The run that learnt it happened to read accounts of one platform.
    profile.behaviors.reviewAggregate = { value: 'present', seen: 8 };
    writeFileSync(file, JSON.stringify(profile));
    let printed = '';
    for (let run = 0; run < 2; run += 1) {
      const target = await start();
      const flags = [...few, '--check', file, '--base-url', target.options.baseUrl];
      const { code, out } = await conformance(flags, target, []);
      expect(code).toBe(0);
      printed += out;
    }
    expect(printed).toContain('not comparable, possibly because of the data: reviewAggregate');
  }, 60_000);

  test('fails for a new violation, and not for one that the profile lists', async () => {
    const file = join(folder, 'clean.json');
    const few = ['calibrate', '--only', 'auth/missing-key'];
    await conformance([...few, '--profile', file], await opened(startMockTarget()));
    const wrong = await opened(startMockTarget({ mutant: 'no-key-403' }));
    const fresh = await conformance([...few, '--check', file], wrong);
    expect([fresh.code, fresh.out]).toEqual([1, expect.stringMatching(/^Illegal change: \S+ \(auth\/missing-key\)/m)]);
    const clauses = [...fresh.out.matchAll(/^Illegal change: (\S+)/gm)].map(([, clause]) => ({ clause }));
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), notLearnt: clauses }));
    expect((await conformance([...few, '--check', file], wrong)).code).toBe(0);
  }, 60_000);

  test('ends with 3 where the deployment was emptied, and says so first', async () => {
    const file = join(folder, 'full.json');
    const empty = await opened(startMockTarget({ world: 'empty' }));
    await conformance(['calibrate', '--profile', file], await opened(startMockTarget()));
    const { code, out } = await conformance(['calibrate', '--check', file], empty);
    expect(out).toMatch(/^Not drift: The organization is empty/m);
    expect(out).toMatch(/^Cause: data-emptied$/m);
    expect(code).toBe(3);
    const few = ['--only', 'sites/*', '--only', 'articles/list', '--only', 'accounts/*'];
    const audit = await conformance(few, empty);
    expect([audit.code, audit.out]).toEqual([3, expect.stringMatching(/NOT VERIFIED {2}The organization is empty/)]);
    expect((await conformance([...few, '--min-verified', '1'], empty)).code).toBe(0);
  }, 60_000);

  test('prints its requests in advance', async () => {
    const { code, out } = await runKit(['calibrate', '--base-url', 'http://127.0.0.1:9/api/v1', '--plan'], {});
    expect(code).toBe(0);
    expect(out).toMatch(/Default .* \d+-60 /);
    expect(out).toContain('in 62 s, then up to 60 requests for unspecified behavior.');
    expect(out).toContain('at most 180 requests in total.');
    expect(out).toContain('No request was sent.');
  });

  test('learns no breach: it stays a failure, and is listed', async () => {
    const target = await opened(startMockTarget({ mutant: 'no-key-403' }));
    const { code, out, err } = await conformance(['calibrate'], target);
    expect(code).toBe(0);
    const profile = readProfile(JSON.parse(out));
    expect(profile.notLearnt.length).toBeGreaterThan(0);
    expect(err).toContain('not learnt');
  }, 60_000);

  test('writes a profile next to an audit', async () => {
    const file = join(folder, 'beside.json');
    const { code } = await conformance(['--profile', file], await opened(startMockTarget()));
    expect(code).toBe(0);
    expect(readProfile(JSON.parse(readFileSync(file, 'utf8'))).behaviors.articleOrder?.value).toBe('newest');
  }, 60_000);

  test('learns from recorded traffic, and sends nothing', async () => {
    const [har, file] = [join(folder, 'traffic.har'), join(folder, 'recorded.json')];
    const target = await opened(startMockTarget({ behavior: { articleOrder: 'oldest' } }));
    expect((await conformance(['--keep-bodies', '--report', `har=${har}`], target)).code).toBe(0);
    await conformance(['har', har, '--profile', file], target, []);
    expect(readProfile(JSON.parse(readFileSync(file, 'utf8'))).behaviors.articleOrder?.value).toBe('oldest');
  }, 60_000);

  test('rejects a profile that cannot be used before it sends anything', async () => {
    const file = join(folder, 'no.json');
    writeFileSync(file, '{"casaProfile":2}');
    const target = await opened(startMockTarget());
    expect(await conformance(['calibrate', '--check', file], target)).toMatchObject({
      code: 2,
      err: expect.stringContaining('it is not a profile'),
    });
    expect(await conformance(['--check', file], target)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--check belongs to conformance calibrate'),
    });
  });
});
