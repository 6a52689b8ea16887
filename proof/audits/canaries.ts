// A key, an e-mail address and a phone number are planted into every part of the responses, in many spellings. None of
// them may be found in anything that a command writes.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportKinds } from '../../conformance/report/outcome.ts';
import { type Independent, startIndependent } from '../independent/index.ts';
import { conformance } from '../rigs/kit-command.ts';
import { type Plant, type PlantingProxy, plantPlaces, startPlanting } from '../rigs/planting-proxy.ts';
import { virtualClock } from '../rigs/virtual-clock.ts';

const personal = {
  mail: 'canary.alice+news@customer-of-ours.com',
  phone: '+1 555 010 4477',
  'bare phone': '15550104477',
};
const canaries = ['key', ...(Object.keys(personal) as (keyof typeof personal)[])] as const;
type Canary = (typeof canaries)[number];

const inHex = (text: string, before = '', digits = 2) =>
  [...text].map((letter) => `${before}${letter.charCodeAt(0).toString(16).padStart(digits, '0')}`).join('');
const reversed = (text: string) => [...text].reverse().join('');
const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'inside a text': (text) => `for ${text}, thanks`,
  'percent-encoded': (text) => inHex(text, '%'),
  'percent-encoded twice': (text) => inHex(text, '%25'),
  'JSON escapes': (text) => inHex(text, '\\u', 4),
  'JSON in JSON': (text) => inHex(text, '\\\\u', 4),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 of more': (text) => Buffer.from(`user:${text};`).toString('base64url'),
  hex: (text) => inHex(text),
};

/** A bare number is a phone number only as a name; the name of a header takes few characters. */
function isPossible({ canary, spelling, place }: { canary: Canary; spelling: string; place: string }): boolean {
  if (place === 'header name') return spelling === 'hex' || (canary === 'key' && spelling === 'plain');
  return canary !== 'bare phone' || (spelling === 'plain' && /^(nested )?name$/.test(place));
}

/** What a person finds in a text after undoing its escapes; base64 says nothing in another case. */
function leaksIn(output: string, key: string): string[] {
  const texts = [output];
  for (let round = 0; round < 3; round += 1) {
    const last = texts.at(-1) as string;
    const undone = last.replace(/\\u([\da-f]{4})|%([\da-f]{2})|&#x([\da-f]{2});/gi, (_, ...found: string[]) =>
      String.fromCharCode(Number.parseInt(found.find((each) => each !== undefined) as string, 16)),
    );
    texts.push(undone.replaceAll('&amp;', '&'));
  }
  const [prefix = '', secret = ''] = key.split('_');
  const wanted = [secret, reversed(secret), 'canary.alice', 'customer-of-ours', '555 010 4477', '5550104477'];
  const plain = [...wanted, ...[...wanted, `${prefix}_`].map((text) => inHex(text))];
  const inBase64 = wanted.flatMap((text) =>
    ['', 'x', 'xy'].map((before) =>
      Buffer.from(before + text)
        .toString('base64')
        .slice(4, -4),
    ),
  );
  const isIn = (text: string) => texts.some((each) => each.includes(text));
  return [
    ...plain.filter((text) => texts.some((each) => each.toLowerCase().includes(text.toLowerCase()))),
    ...inBase64.filter((text) => text.length >= 8 && isIn(text)),
  ];
}

const [one, other] = ['http://staging.example.com/api/v1', 'http://other.example.com/api/v1'];
const reports = reportKinds.flatMap((kind) => ['--report', `${kind}=DIR/report.${kind}`]);
const audit = ['--base-url', one, '--gentle', '--seed', '1', ...reports];
const commands: Readonly<Record<string, readonly string[]>> = {
  audit: [
    ...audit,
    '--profile',
    'DIR/profile.json',
    '--history',
    'DIR/history',
    '--write-baseline',
    'DIR/baseline.json',
  ],
  calibrate: ['calibrate', '--base-url', one, '--seed', '1', '--profile', 'DIR/profile.json'],
  diff: ['diff', one, other, '--gentle', '--seed', '1', ...reports],
};

/** Registers the tests of all commands; `runs` plantings for each. */
export function testCanaries(runs: number): void {
  let server: Independent;
  let proxy: PlantingProxy;
  let plants: readonly Plant[] = [];
  beforeAll(async () => {
    server = await startIndependent({ limits: false });
    proxy = await startPlanting(new URL(server.baseUrl).origin, () => plants);
  });
  afterAll(async () => {
    await proxy.close();
    await server.close();
  });

  /** Runs the command and returns every text that it wrote, by name. */
  async function outputsOf(args: readonly string[]): Promise<Record<string, string>> {
    const folder = mkdtempSync(join(tmpdir(), 'canaries-'));
    const key = server.keys.good;
    const keys = { CONFORMANCE_API_KEY: key, CONFORMANCE_API_KEY_A: key, CONFORMANCE_API_KEY_B: key };
    const environment = {
      ...keys,
      HTTP_PROXY: proxy.url,
      GITHUB_ACTIONS: 'true',
      XDG_CACHE_HOME: join(folder, 'cache'),
    };
    const placed = args.map((text) => text.replace('DIR', folder));
    const { out, err } = await conformance(placed, environment, virtualClock(Date.UTC(2026, 4, 1)));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const written = files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);
    return { out, err, ...Object.fromEntries(written) };
  }

  const planting = fc
    .record({
      canary: fc.constantFrom(...canaries),
      spelling: fc.constantFrom(...Object.keys(spellings)),
      place: fc.constantFrom(...plantPlaces),
    })
    .filter(isPossible);

  test.each(Object.entries(commands))(
    'no output of %s shows a key or personal data of a response',
    async (_, args) => {
      const property = fc.asyncProperty(fc.array(planting, { minLength: 1, maxLength: 6 }), async (given) => {
        plants = given.map(({ canary, spelling, place }) => {
          const text = canary === 'key' ? server.keys.good : personal[canary];
          return { place, text: spellings[spelling]?.(text) ?? text };
        });
        const outputs = Object.entries(await outputsOf(args));
        const leaks = outputs.flatMap(([name, text]) =>
          leaksIn(text, server.keys.good).map((leak) => `${name}: ${leak}`),
        );
        expect(leaks).toEqual([]);
      });
      await fc.assert(property, { numRuns: runs, seed: 1, endOnFailure: true });
    },
    600_000,
  );
}
