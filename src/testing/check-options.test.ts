import { describe, expect, it } from 'vitest';
import type { Casa } from './casa.ts';
import { createMock } from './create-mock.ts';
import { casaFixtures, casaServerFixtures } from './playwright.ts';
import { startMock } from './start-mock.ts';

const emptyProfile = {
  ...{ casaProfile: 1, kit: '0.1.0', contract: '1.0.0', target: 'x', learntOn: '2026-11-23' },
  ...{ behaviors: {}, unknown: {}, notLearnt: [] },
};

describe.each([
  ['startMock', startMock],
  ['createMock', createMock],
] as const)('%s rejects', (name, start) => {
  it.each([
    [{ limit: true }, 'there is no option "limit". Did you mean "limits"?'],
    [{ limits: 'yes' }, 'limits must be true or false, not "yes".'],
    [{ clock: 'runing' }, 'clock must be one of frozen, running, not "runing". Did you mean "running"?'],
    [{ seed: -1 }, 'seed must be from 0 to 4294967295.'],
    [{ seed: '7' }, 'seed must be a whole number, not "7".'],
    [{ settleS: '5m' }, 'settleS must be a number, not "5m".'],
    [{ grease: 'much' }, 'grease must be true, false or a seed, not "much".'],
    [{ grease: -1 }, 'grease must be from 0 to 4294967295.'],
    [
      { profile: 'casa.profile.json' },
      'profile is the parsed JSON of a profile, not its text or the name of its file.',
    ],
    [
      { profile: {} },
      'profile cannot be used: it is not a profile: conformance calibrate writes one, with "casaProfile": 1.',
    ],
    [
      { profile: { ...emptyProfile, behaviors: { jsonLayout: { value: 'indented', seen: 9 } } } },
      'profile cannot be used: there is no behavior "jsonLayout"; remove it from "behaviors", or run conformance calibrate',
    ],
    [{ grease: 7, profile: emptyProfile }, 'grease and profile exclude each other: remove one.'],
    [{ strict: 1 }, 'strict must be true or false, not 1.'],
    [{ clients: 2 }, 'clients must be one of one, many, not 2.'],
    [
      { behavior: { retryAftr: 'never' } },
      /^\w+: There is no field behavior\.retryAftr\. Did you mean "retryAfter"\?$/,
    ],
    [
      { behavior: { retryAfter: 'allways' } },
      'behavior.retryAfter must be one of usually, always, never, not "allways". Did you mean "always"?',
    ],
    [{ behavior: ['retryAfter'] }, 'behavior must be a JSON object, not a list.'],
  ])('%j in one sentence', async (options, sentence) => {
    const rejected = start(options as object);
    await expect(rejected).rejects.toThrow(typeof sentence === 'string' ? `${name}: ${sentence}` : sentence);
    await expect(rejected).rejects.toThrow(RangeError);
  });

  it('unknown options', async () => {
    await expect(start('limits' as never)).rejects.toThrow(`${name}: the options are an object, not "limits".`);
  });
});

describe('startMock rejects', () => {
  it.each([
    [{ port: 65_536 }, 'startMock: port must be from 0 to 65535.'],
    [{ port: '80' }, 'startMock: port must be a whole number, not "80".'],
    [{ host: 7 }, 'startMock: host takes an address or a host name without port and zone, such as 127.0.0.1, not 7.'],
    [{ host: '' }, 'startMock: host takes an address or a host name'],
    [{ host: 'fe80::1%eth0' }, 'startMock: host takes an address or a host name'],
    [{ cors: ['http://a.example/b'] }, 'startMock: cors takes an origin such as http://localhost:3000, not "http://a.'],
    [{ baseUrl: 'http://x/api/v1' }, 'startMock: there is no option "baseUrl".'],
    [{ replaces: '/api/v1' }, 'startMock: replaces must be an absolute URL'],
  ])('%j', async (options, sentence) => {
    await expect(startMock(options as object)).rejects.toThrow(sentence);
  });
});

const calls: readonly (readonly [string, (casa: Casa) => unknown, string])[] = [
  [
    'a fault with a mistyped field',
    ({ faults }) => faults.add({ eror: 'transient' } as never),
    'casa.faults.add: there is no option "eror". Did you mean "error"?',
  ],
  ['a fault that is nothing', ({ faults }) => faults.add(null as never), 'casa.faults.add: the options are an object'],
  [
    'a ring with a mistyped field',
    (casa) => casa.calls.ring({ duration: 5 } as never),
    'casa.calls.ring: there is no option "duration". Did you mean "durationS"?',
  ],
  [
    'a filter with a mistyped field',
    ({ requests }) => requests.find({ operatoin: 'listSites' } as never),
    'casa.requests: there is no option "operatoin". Did you mean "operation"?',
  ],
  [
    'an organization with a mistyped field',
    ({ organizations }) => organizations.add({ nmae: 'x' } as never),
    'casa.organizations.add: there is no option "nmae". Did you mean "name"?',
  ],
  ['an invalid snapshot', (casa) => casa.restore({} as never), 'casa.restore takes what casa.snapshot() gave back.'],
];

describe('a casa rejects', () => {
  it.each(calls)('%s', async (_what, act, sentence) => {
    const casa = await createMock();
    const before = JSON.stringify(casa.snapshot());
    expect(() => act(casa)).toThrow(sentence);
    expect(() => act(casa)).toThrow(RangeError);
    expect(JSON.stringify(casa.snapshot())).toBe(before);
  });
});

it('the fixtures of Playwright suggest all of their options', async () => {
  const use = async () => {};
  const [mock, server] = [{ addKye: true }, { port: 80 }] as object[];
  const [provideMock] = casaFixtures.casa;
  const info = { annotations: [], config: { version: '1.65.1' }, project: { use: {} } };
  await expect(provideMock({ casaOptions: mock ?? {} }, use, info)).rejects.toThrow(/Did you mean "addKey"\?$/);
  await expect(casaServerFixtures.casa({ casaOptions: server ?? {} }, use)).rejects.toThrow(/: url, adminToken\.$/);
});
