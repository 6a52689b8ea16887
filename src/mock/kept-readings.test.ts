import { describe, expect, it } from 'vitest';
import { googleAccount, startTestEngine, type TestEngine } from '../../proof/test-kit/engine.ts';

const asked = [
  'GET /articles?limit=3',
  `GET /connect/accounts/${googleAccount}/reviews`,
  'GET /connect/calls/log?limit=2',
  'GET /connect/accounts',
  'GET /keywords',
  'GET /sites',
];

const answersOf = ({ ask }: TestEngine) =>
  [...asked, ...asked].map((line) => {
    const { status, headers, body } = ask(line);
    return [status, headers, body];
  });

describe('a snapshot', () => {
  it.each([
    ['a twin', { choices: { articleOrder: 'oldest', idCase: 'upper', retryAfter: 'never', addressWindow: 'tokens' } }],
    ['grease', { grease: 3 }],
    ['default readings', {}],
  ] as const)('brings the readings of %s to a mock that has others, until a reset', (_what, readings) => {
    const mock = startTestEngine(readings);
    answersOf(mock);
    const snapshot = JSON.parse(JSON.stringify(mock.engine.snapshot()));
    const expected = answersOf(mock);
    const other = startTestEngine({ choices: { jsonLayout: 'indented', articleEnd: 'empty-page' } });
    const own = answersOf(other);
    other.engine.restore(snapshot);
    expect(answersOf(other)).toEqual(expected);
    expect(other.engine.readings).toEqual(mock.engine.readings);
    other.engine.reset();
    expect(answersOf(other)).toEqual(own);
  });

  it('of an older version, which has no readings, leaves those of the mock', () => {
    const { engine } = startTestEngine({ choices: { jsonLayout: 'indented' } });
    const { readings: _, ...older } = engine.snapshot();
    engine.restore(older);
    expect(engine.readings.chosen).toEqual({ jsonLayout: 'indented' });
  });
});
