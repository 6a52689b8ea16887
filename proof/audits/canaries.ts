// A key, an e-mail address and a phone number are planted into every part of the responses, in many spellings. None of
// them may be found in anything that a command writes.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportKinds } from '../../conformance/report/outcome.ts';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startProxy } from '../../fixtures/test-kit/rewriting-proxy.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { type Independent, startIndependent } from '../independent/index.ts';

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

/** Finds the key, and personal data, in a text after decoding its escapes; base64 in another case is not the key. */
function leaksIn(output: string, key: string, isPersonal = true): string[] {
  const texts = [output];
  for (let round = 0; round < 3; round += 1) {
    const last = texts.at(-1) as string;
    const undone = last.replace(/\\u([\da-f]{4})|%([\da-f]{2})|&#x([\da-f]{2});/gi, (_, ...found: string[]) =>
      String.fromCharCode(Number.parseInt(found.find((each) => each !== undefined) as string, 16)),
    );
    texts.push(undone.replaceAll('&amp;', '&'));
  }
  const [prefix = '', secret = ''] = key.split('_');
  const ofPersons = ['canary.alice', 'customer-of-ours', '555 010 4477', '5550104477'];
  const wanted = [secret, reversed(secret), ...(isPersonal ? ofPersons : [])];
  const plain = [...wanted, ...[...wanted, `${prefix}_`].map((text) => inHex(text))];
  const base64 = (text: string) => Buffer.from(text).toString('base64').slice(4, -4);
  const inBase64 = wanted.flatMap((text) => ['', 'x', 'xy'].map((before) => base64(before + text)));
  const isIn = (text: string) => texts.some((each) => each.includes(text));
  return [
    ...plain.filter((text) => texts.some((each) => each.toLowerCase().includes(text.toLowerCase()))),
    ...inBase64.filter((text) => text.length >= 8 && isIn(text)),
  ];
}

const [one, other] = ['http://staging.example.com/api/v1', 'http://other.example.com/api/v1'];
const reports = reportKinds.flatMap((kind) => ['--report', `${kind}=DIR/report.${kind}`]);
const gentle = ['--gentle', ...reports];
const files = '--profile DIR/profile.json --history DIR/history --write-claims DIR/claims.json'.split(' ');
const commands: Readonly<Record<string, readonly string[]>> = {
  audit: ['--base-url', one, ...gentle, ...files],
  calibrate: ['calibrate', '--base-url', one, '--profile', 'DIR/profile.json'],
  diff: ['diff', one, other, ...gentle],
  'audit at a loopback address': ['--base-url', 'LOCAL', ...gentle],
  'audit with bodies': ['--base-url', one, ...gentle, '--keep-bodies'],
  'audit with bodies at a loopback address': ['--base-url', 'LOCAL', ...gentle, '--keep-bodies'],
};

/**
 * Registers the tests of all commands; `runs` plantings for each. Three runs use all 101 pairs of a spelling and a
 * place over the commands, and 58 for each command: they find a leak of one pair in shared code, and one in the code of
 * a command with a probability of 57 %. Nine runs find that one too.
 */
export function testCanaries(runs: number): void {
  let server: Independent;
  let proxy: Awaited<ReturnType<typeof startPlanting>>;
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
    const folder = newFolder();
    const key = server.keys.good;
    const keys = { CONFORMANCE_API_KEY: key, CONFORMANCE_API_KEY_A: key, CONFORMANCE_API_KEY_B: key };
    const others = { HTTP_PROXY: proxy.origin, GITHUB_ACTIONS: 'true', XDG_CACHE_HOME: join(folder, 'cache') };
    const environment = { ...keys, ...others };
    const placed = args.map((text) => text.replace('DIR', folder).replace('LOCAL', `${proxy.origin}/api/v1`));
    const { out, err } = await conformance(placed, environment, virtualClock(Date.UTC(2026, 4, 1)));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const written = files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);
    return { out, err, ...Object.fromEntries(written) };
  }

  test.each(Object.entries(commands).map(([name, args], at) => [name, args, at * runs] as const))(
    'no output of %s shows a key or personal data of a response',
    async (_, args, first) => {
      for (let run = first; run < first + runs; run += 1) {
        plants = plantingsOf(run).map(({ canary, spelling, place }) => {
          const text = canary === 'key' ? server.keys.good : personal[canary];
          return { place, text: spellings[spelling]?.(text) ?? text };
        });
        const outputs = Object.entries(await outputsOf(args));
        // Only these two contain bodies, and only if the user keeps them. Both say so.
        const isKept = (name: string) => args.includes('--keep-bodies') && /^report\.(json|har)$/.test(name);
        const leaks = outputs.flatMap(([name, text]) =>
          leaksIn(text, server.keys.good, !isKept(name)).map((leak) => `${name}: ${leak}`),
        );
        expect(leaks).toEqual([]);
        for (const [name, text] of outputs.filter(([name]) => isKept(name))) {
          expect([name, leaksIn(text, server.keys.good).length > 0]).toEqual([name, true]);
          expect(text).toMatch(/"keepsBodies": true|Bodies: complete/);
        }
      }
    },
    600_000,
  );
}

/** Lists get the text in every record, because only what all records have becomes a shape. */
const inBody = {
  name: ({ records, mark }) => {
    for (const record of records) record[mark] = 'x';
  },
  'nested name': ({ records, mark }) => {
    for (const record of records) record.details = { entries: [{ [mark]: { since: 1 } }] };
  },
  value: ({ records, mark }) => {
    for (const record of records) record[`remark${Object.keys(record).length}`] = mark;
  },
  'listed value': ({ records: [, ...records], mark }) => {
    for (const record of records)
      for (const name of ['name', 'title', 'keyword', 'text', 'status'])
        if (name in record) record[name] = name === 'status' ? [mark] : mark;
  },
  id: ({ records: [, ...records], mark }) => {
    for (const record of records) if (typeof record.id === 'string') record.id = mark;
  },
  cursor: ({ body, mark }) => {
    if ('cursor' in body) body.cursor = mark;
    if (isRecord(body.data) && 'nextCursor' in body.data) body.data.nextCursor = mark;
  },
  error: ({ body, mark }) => {
    if (isRecord(body.error)) Object.assign(body.error, { message: mark, [mark]: mark });
  },
} satisfies Record<string, (planting: { body: JsonRecord; records: JsonRecord[]; mark: string }) => void>;

/** The parts of a response that can hold a text of the deployment. */
const plantPlaces = [
  ...(Object.keys(inBody) as (keyof typeof inBody)[]),
  ...(['header value', 'header name', 'content type', 'status text', 'location'] as const),
];
type PlantPlace = (typeof plantPlaces)[number];

/** These hold several texts at once. */
const roomy: ReadonlySet<PlantPlace> = new Set(['name', 'value', 'header value', 'content type']);

/** The texts of a run: the next three for places that hold several, and the next one for the others. */
function plantingsOf(run: number) {
  return plantPlaces.flatMap((place, start) => {
    const texts = textsFor(place);
    const amount = roomy.has(place) ? 3 : 1;
    const from = run * amount + 2 * start;
    return Array.from({ length: amount }, (_, i) => texts[(from + i) % texts.length] as (typeof texts)[number]);
  });
}

/** Each spelling that fits a place, of alternating texts, and then again with the others. */
function textsFor(place: PlantPlace) {
  const names = Object.keys(spellings);
  const others = canaries.filter((canary) => canary !== 'bare phone');
  const turns = others.flatMap((_, turn) =>
    names.map((spelling, i) => ({ place, spelling, canary: others[(i + turn) % others.length] as Canary })),
  );
  return [{ place, spelling: 'plain', canary: 'bare phone' } as const, ...turns].filter(isPossible);
}

/** A text in the form of JSON source or of a header. */
interface Plant {
  readonly place: PlantPlace;
  readonly text: string;
}

type JsonRecord = { [name: string]: Json };
type Json = null | boolean | number | string | Json[] | JsonRecord;

/** `origin` is that of the faithful server; `plants` is called for each response. */
function startPlanting(origin: string, plants: () => readonly Plant[]): ReturnType<typeof startProxy> {
  return startProxy(origin, ({ headers, text }) => {
    const own = plants();
    const of = (place: PlantPlace) => own.filter((plant) => plant.place === place).map((plant) => plant.text);
    const named = {
      'content-type': [headers['content-type'] ?? 'application/json', ...of('content type')].join('; x='),
      ...Object.fromEntries(of('header value').map((value, index) => [`x-echo-${index}`, value])),
      ...Object.fromEntries(of('header name').map((name) => [name, '1'])),
      ...Object.fromEntries(of('location').map((path) => ['location', `https://login.example.com/${path}`])),
    };
    const [statusText = 'OK'] = of('status text');
    return { statusText, headers: { ...headers, ...named }, text: planted(text, own) };
  });
}

/** Marks take the place of the texts while the body is an object, because a text may be JSON escapes. */
function planted(source: string, plants: readonly Plant[]): string {
  let body: Json;
  try {
    body = JSON.parse(source) as Json;
  } catch {
    return source;
  }
  const mark = (index: number) => `__plant${index}__`;
  for (const [index, { place }] of plants.entries())
    if (isRecord(body) && place in inBody)
      inBody[place as keyof typeof inBody]({ body, records: [body, ...recordsIn(body)], mark: mark(index) });
  return plants.reduce((text, { text: own }, index) => text.replaceAll(mark(index), () => own), JSON.stringify(body));
}

function recordsIn(value: Json, depth = 0): JsonRecord[] {
  if (depth > 4 || value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.filter(isRecord);
  return Object.values(value).flatMap((field) => recordsIn(field, depth + 1));
}

function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
