import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { behaviors } from '../contract/generated/behaviors.ts';
import { operations } from '../contract/generated/operations.ts';
import { defaultWorldBehavior } from '../domain/world-behavior.ts';
import { readFields } from '../options/define-options.ts';
import { type CasaConfig, mockOptions } from '../options/mock-options.ts';
import { parseFlags } from '../terminal/flag-parser.ts';
import { behaviorSpellings, mockFlags, parseBehaviors } from './mock-flags.ts';
import { settle } from './settings.ts';

const settings = (argv: readonly string[], config?: CasaConfig) => settle(parseFlags(argv, mockFlags), config);

const isEmpty = (value: unknown) => typeof value === 'object' && Object.keys(Object(value)).length === 0;

describe('settings', () => {
  it('are those of the contract when nothing is said', () => {
    const { port, host, cors, limits, saveSync, grease, behavior, faults, warnings, ...others } = settings([]);
    expect([port, host, cors, limits, saveSync, grease]).toEqual([4010, '127.0.0.1', true, true, 'interval', null]);
    expect([behavior, faults, warnings]).toEqual([{}, [], []]);
    const unset = Object.values(others).filter((value) => value !== null && value !== false && !isEmpty(value));
    expect(unset).toEqual([]);
  });

  const origins = ['http://a.example', 'http://b.example'] as const;
  const chosen = { retryAfter: 'never', reviewEnd: 'absent' } as const;
  const nulls = { 'review-end': 'null' } as const;
  it.each([
    ['port', ['--port', '0'], { port: 1 }, 0],
    ['port', [], { port: 65_535 }, 65_535],
    ['cors', ['--cors'], { cors: false }, true],
    ['cors', [], { cors: false }, false],
    ['cors', ['--cors-origin', 'http://A.example/', '--cors-origin', 'http://b.example'], {}, origins],
    ['cors', [], { corsOrigin: ['http://a.example'] }, ['http://a.example']],
    ['limits', ['--relaxed'], {}, false],
    ['limits', ['--relaxed', '--limits'], {}, true],
    ['limits', ['--no-limits'], {}, false],
    ['limits', [], { limits: false }, false],
    ['settleS', ['--relaxed'], {}, 0],
    ['settleS', ['--relaxed', '--settle', '5m'], {}, 300],
    ['settleS', [], { settleS: 2.5 }, 2.5],
    ['settleS', ['--no-limits'], {}, null],
    ['behavior', [], { behavior: { retryAfter: 'never', 'review-end': 'absent' } }, chosen],
    ['publicUrl', ['--public-url', 'https://dev.example/casa/'], {}, 'https://dev.example/casa'],
    ['cors', ['--no-cors'], { corsOrigin: ['http://a.example'] }, false],
    ['world', ['--world', 'empty'], { data: 'x.json' }, 'empty'],
    ['data', ['--data', 'a.json'], { world: 'empty' }, 'a.json'],
    ['grease', ['--grease'], {}, 1],
    ['grease', ['--grease=0'], { grease: 5 }, 0],
    ['grease', [], { grease: true }, 1],
    ['grease', [], { grease: false }, null],
    ['mutant', ['--mutant', 'a'], { mutant: 'b' }, 'a'],
    ['mutant', [], { mutant: 'b' }, 'b'],
    ['saveSync', ['--save', 'x', '--save-sync', 'interval'], { saveSync: 'always' }, 'interval'],
    ['saveSync', [], { save: 'x', saveSync: 'always' }, 'always'],
    ['seed', [], { seed: 3 }, 3],
    ['trustProxy', [], { trustProxy: true }, true],
    ['behavior', ['--behavior', 'review-end=absent'], { behavior: { 'retry-after': 'never', ...nulls } }, chosen],
  ] as const)('%s of %j over %j', (name, argv, config, value) => {
    expect(settings(argv, config)[name]).toEqual(value);
  });

  const upstream = ['--upstream', 'http://a/v1'];
  it.each([
    [['--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
    [['--settle', 'soon'], '--settle takes a time up to 24h, such as 0s or 5m, not "soon".'],
    [['--public-url', 'dev.example'], 'takes an address such as https://casa.example.com, not "dev.example".'],
    [['--public-url', 'ftp://x'], '--public-url takes an address'],
    [['--port', '-1'], '--port takes a whole number from 0 to 65535, not "-1".'],
    [['--port', ''], '--port takes a whole number from 0 to 65535, not "".'],
    [['--grease=x'], '--grease takes a whole number from 0 to 4294967295, not "x".'],
    [['--world', 'defualt'], 'there is no world "defualt". Did you mean "default"?'],
    [['--world', 'empty', '--data', 'x'], '--world and --data exclude each other: remove one.'],
    [['--watch'], '--watch needs --data FILE.'],
    [['--save', 'x', '--save-sync', 'never'], '--save-sync takes interval or always, not "never".'],
    [['--upstream', 'staging'], 'takes the base URL of a deployment, such as https://staging.example.com/api'],
    [['--upstream', 'https://user:pass@host/api/v1'], '--upstream takes the base URL of a deployment'],
    [[...upstream, '--forward', 'listReview'], 'no operation "listReview". Did you mean "listReviews"?'],
    [['--forward', 'all'], '--forward needs --upstream URL.'],
    [['--upstream-key', 'X'], '--upstream-key needs --upstream URL.'],
    [['--record', 'x.har'], '--record needs --upstream URL.'],
    [['--learn', 'x.json'], '--learn needs --upstream URL.'],
    [[...upstream, '--upstream-key', 'sk-123'], '--upstream-key takes the name of an environment variable'],
    [[...upstream, '--mutant', 'm'], '--mutant and --upstream exclude each other'],
    [['--save-sync', 'always'], '--save-sync needs --save FILE.'],
    [['--admin-token', 'short'], '--admin-token takes at least 8 visible ASCII characters without blanks.'],
    [['--behavior', 'x'], '--behavior takes NAME=VALUE, such as retry-after=always, not "x".'],
    [['--behavior', 'retry=never'], 'there is no behavior "retry".'],
    [['--behavior', 'retry-after=no'], 'the behavior retry-after takes usually or always or never, not "no".'],
    [['--fault', 'x'], '--fault: A fault must be OPERATION=EFFECT'],
    [['--profile', 'no-such.json'], '--profile: no-such.json does not exist.'],
    [['--profile', 'README.md'], '--profile: README.md cannot be used: it is not JSON.'],
    [['--profile', 'package.json'], 'package.json cannot be used: it is not a profile: conformance calibrate'],
    [['--profile', 'x', '--grease'], '--grease and --profile exclude each other'],
    [['--latency'], '--latency needs --profile FILE.'],
  ])('%j are rejected with a sentence', (argv, sentence) => {
    expect(() => settings(argv)).toThrow(sentence);
  });
});

// A host or an origin is stored as URLs and browsers write it.
describe.each([
  [
    'host',
    'an address or a host name without port and zone, such as 127.0.0.1',
    '[::1] ::1, 0:0:0:0:0:0:0:0 ::, LocalHost localhost, 0 0.0.0.0, dev_box.local dev_box.local',
    '| |::1%lo|fe80::1%eth0|127.0.0.1:4010|localhost:80|[::1]:80|http://a|a b|a/b|[]',
  ],
  [
    'cors-origin',
    'an origin such as http://localhost:3000',
    'https://app.example.com:443 https://app.example.com, http://app.example.com:80/ http://app.example.com, ' +
      'https://App.Example.com:8443 https://app.example.com:8443, https://b\u00fccher.example ' +
      'https://xn--bcher-kva.example, http://[0:0::1]:80 http://[::1], capacitor://LocalHost capacitor://localhost, ' +
      'chrome-extension://abcdef chrome-extension://abcdef',
    'https://a.example/app|https://a.example?x|https://me@a.example|a.example|*|https://*.a.example|',
  ],
])('--%s', (flag, takes, stored, rejected) => {
  it.each(stored.split(', ').map((pair) => pair.split(' ')))('%j is stored as %j', (given = '', wanted) => {
    const { host, cors } = settings([`--${flag}`, given]);
    expect(flag === 'host' ? [host] : cors).toEqual([wanted]);
  });

  it.each(rejected.split('|'))('%j is rejected', (given) => {
    expect(() => settings([`--${flag}`, given])).toThrow(`--${flag} takes ${takes}, not "${given}".`);
  });
});

describe('a deployment for forwarded requests', () => {
  const forwarded = (...argv: string[]) => settings(['--upstream', 'http://a/api/v1/', ...argv]).upstream;

  it('receives reads by default, with the key of one variable', () => {
    expect(forwarded()).toEqual({
      baseUrl: 'http://a/api/v1',
      forward: Object.values(operations).flatMap(({ id, method }) => (method === 'GET' ? [id] : [])),
      keys: [{ key: null, variable: 'CASA_UPSTREAM_KEY' }],
      record: null,
      learn: null,
    });
  });

  const writes = ['createConnectLink', 'createPost', 'replyToReview'];
  it.each([
    [['all'], Object.keys(operations)],
    [['writes'], writes],
    [['listCalls, listReviews'], ['listReviews', 'listCalls']],
    [
      ['listCalls', 'writes'],
      [...writes, 'listCalls'],
    ],
  ])('responses %j where that is named', (names, operations) => {
    expect(forwarded(...names.flatMap((name) => ['--forward', name]))?.forward).toEqual(operations);
  });

  it('has a key for each key of the mock that is named', () => {
    expect(forwarded('--upstream-key', 'casa_1=STAGING', '--upstream-key', 'OTHER')?.keys).toEqual([
      { key: 'casa_1', variable: 'STAGING' },
      { key: null, variable: 'OTHER' },
    ]);
  });
});

describe('behavior', () => {
  it('are all reachable, and their first spelling is the default', () => {
    const defaults = behaviorSpellings.map(([spelling]) => spelling.split('|')[0] as string);
    const named = Object.fromEntries(defaults.map((spelling) => spelling.split('=')));
    expect(defaultWorldBehavior).toMatchObject(parseBehaviors(named));
    expect(defaults).toHaveLength(Object.values(behaviors).filter((row) => 'values' in row).length);
  });
});

describe('a config file', () => {
  it.each([
    [{}, null],
    [{ port: 4020, fault: ['*=transient'], behavior: { 'retry-after': 'never' }, grease: 3, $schema: 'x' }, null],
    [{ prot: 1 }, 'there is no setting "prot". Did you mean "port"?'],
    [{ port: '4020' }, 'port must be a whole number, not "4020".'],
    [{ port: 65_536 }, 'port must be from 0 to 65535.'],
    [{ fault: 'x', cors: 1 }, 'fault must be a list of texts, not "x".'],
    [{ corsOrigin: ['http://a', 'b'] }, 'corsOrigin takes an origin such as http://localhost:3000, not "b".'],
    [{ adminToken: 'short' }, 'adminToken takes at least 8 visible ASCII characters without blanks.'],
    [{ fault: ['x', 7] }, 'fault must be a list of texts, not ["x",7].'],
    [{ behavior: { 'retry-after': true } }, 'behavior must be an object of texts, not {"retry-after":true}.'],
    [{ settleS: 86_401 }, 'settleS must be from 0 to 86400.'],
    [{ grease: 0.5 }, 'grease must be true, false or a seed, not 0.5.'],
    [{ save: '' }, 'save must be a text, not "".'],
    [[], 'the settings are an object, not [].'],
    [null, 'the settings are an object, not null.'],
  ])('%j is checked', (config, problem) => {
    const found = readFields(config, mockOptions.fields);
    expect(found).toEqual(problem === null ? { ok: true, value: config } : { ok: false, problem });
  });
});

describe('--respond', () => {
  const fileWith = (text: string) => {
    const file = join(tmpdir(), `${crypto.randomUUID()}.json`);
    writeFileSync(file, text);
    return file;
  };

  it('reads a response from a file', () => {
    const file = fileWith('{"status":503,"body":{"a":1}}');
    expect(settings(['--respond', `listSites=${file}`]).faults).toEqual([
      { id: '--fault respond 1', match: { operation: 'listSites' }, respond: { status: 503, body: { a: 1 } } },
    ]);
  });

  it.each([
    ['listSite', '{}', 'match.operation must be one of'],
    ['listSites', '{"status":"503"}', 'respond.status must be a whole number'],
    ['listSites', '{', /^--respond listSites=\S+: the file is not JSON\.$/],
  ])('rejects %s with %s', (operation, text, message) => {
    expect(() => settings(['--respond', `${operation}=${fileWith(text)}`])).toThrow(message);
  });
});
