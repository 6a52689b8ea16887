import { describe, expect, it } from 'vitest';
import { googleAccount, startTestEngine, type TestEngine } from '../../fixtures/test-kit/engine.ts';

const asked = [
  'GET /articles?limit=3',
  `GET /connect/accounts/${googleAccount}/reviews`,
  'GET /connect/calls/log?limit=2',
  'GET /connect/accounts',
  'GET /keywords',
  'GET /sites',
];

const responsesOf = ({ ask }: TestEngine) =>
  [...asked, ...asked].map((line) => {
    const { status, headers, body } = ask(line);
    return [status, headers, body];
  });

describe('a snapshot', () => {
  it.each([
    [
      'a calibrated mock',
      { behavior: { articleOrder: 'oldest', idCase: 'upper', retryAfter: 'never', addressWindow: 'tokens' } },
    ],
    ['grease', { grease: 3 }],
    ['default behaviors', {}],
  ] as const)('brings the behaviors of %s to a mock that has others, until a reset', (_what, behaviors) => {
    const mock = startTestEngine(behaviors);
    responsesOf(mock);
    const snapshot = JSON.parse(JSON.stringify(mock.engine.snapshot()));
    const expected = responsesOf(mock);
    const other = startTestEngine({ behavior: { callSummary: 'absent', articleEnd: 'empty-page' } });
    const own = responsesOf(other);
    other.engine.restore(snapshot);
    expect(responsesOf(other)).toEqual(expected);
    expect(other.engine.behaviors).toEqual(mock.engine.behaviors);
    other.engine.reset();
    expect(responsesOf(other)).toEqual(own);
  });

  it('without behaviors leaves those of the mock', () => {
    const { engine } = startTestEngine({ behavior: { callSummary: 'absent' } });
    const { behaviors: _, ...older } = engine.snapshot();
    engine.restore(older);
    expect(engine.behaviors.chosen).toEqual({ callSummary: 'absent' });
  });
});
