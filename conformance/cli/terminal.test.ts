import { describe, expect, test } from 'vitest';
import { terminalOf } from './io.ts';

function terminal(isTTY: boolean, env: Record<string, string> = {}) {
  const stream = { isTTY, columns: 100, write: () => true } as unknown as NodeJS.WriteStream & { fd: 1 & 2 };
  const { err, hasColor } = terminalOf({ stdout: stream, stderr: stream, env } as never);
  return { isTty: err.isTty, hasColor };
}

describe('the terminal of a process', () => {
  test('has 80 columns when it does not know', () => {
    const stream = { isTTY: true, columns: 0, write: () => true };
    expect(terminalOf({ stdout: stream, stderr: stream, env: {} } as never).err.columns).toBe(80);
  });

  test.each<[string, boolean, Record<string, string>, boolean, boolean]>([
    ['a person', true, {}, true, true],
    ['a pipe', false, {}, false, false],
    ['NO_COLOR', true, { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR', true, { NO_COLOR: '' }, true, true],
    ['CI', true, { CI: 'true' }, false, true],
    ['FORCE_COLOR in a pipe', false, { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true, false],
    ['both', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    ['a dumb terminal', true, { TERM: 'dumb' }, false, false],
  ])('with %s has the expected bar and color', (_, isTTY, env, isTty, hasColor) => {
    expect(terminal(isTTY, env)).toEqual({ isTty, hasColor });
  });
});
