import { describe, expect, test } from 'vitest';
import { conformance } from '../../proof/test-kit/kit-command.ts';
import { parseCommandLine } from './flags.ts';

describe('--help', () => {
  test('documents every flag and every exit code', async () => {
    const { out, code } = await conformance(['--help']);
    for (const part of ['--base-url', '--target', '--control', '--report', 'conformance har FILE', 'NO_COLOR'])
      expect(out).toContain(part);
    for (const exit of [0, 1, 2, 3, 4]) expect(out).toMatch(new RegExp(`^ {2}${exit} {2}\\S`, 'm'));
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(code).toBe(0);
  });

  test.each([
    ['mcp', ['--url URL', '--allow-writes', '--pace'], ['--base-url URL', '--check']],
    ['har', ['--base-url', '--report'], ['--pace', '--url', '--check', '--gentle']],
    ['calibrate', ['--check FILE', '--profile FILE', '--base-url'], ['--url URL', '--report']],
  ])('has a help text for %s, with the flags that the command takes', async (command, wanted, others) => {
    const { out, code } = await conformance([command, '--help']);
    expect(out).toMatch(new RegExp(`^conformance ${command}: .*\n\nUsage\n  conformance ${command} `));
    for (const part of wanted) expect(out).toContain(part);
    for (const part of others) expect(out).not.toContain(part);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(code).toBe(0);
    const rows = [...out.matchAll(/^ {2}(?:-\w, | {4})(--[a-z-]+)( [A-Z]\S*)?/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, flag = '', value] of rows) {
      const words = [command, 'traffic.har', flag, ...(value === undefined ? [] : ['1'])];
      expect(() => parseCommandLine(words.filter((word) => command === 'har' || word !== 'traffic.har'))).not.toThrow();
    }
  });
});
