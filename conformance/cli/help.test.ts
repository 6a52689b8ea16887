import { describe, expect, test } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { flagTable, parseCommandLine } from './flags.ts';

describe('--help', () => {
  test('has at most 25 flags on its first page, and all of them under --help all', async () => {
    const [{ out: first }, { out, code }] = [await conformance(['--help']), await conformance(['--help', 'all'])];
    const flagsOf = (text: string) => [...text.matchAll(/^ {2}(?:-\w, | {4})--([a-z-]+)/gm)].map(([, name]) => name);
    expect(flagsOf(first).length).toBeLessThanOrEqual(25);
    const ofCommands = ['url', 'check'];
    expect(flagsOf(out).concat(ofCommands).sort()).toEqual(Object.keys(flagTable).sort());
    expect(flagsOf(out)).toEqual(expect.arrayContaining(flagsOf(first)));
    expect((await conformance(['--help', 'keys'])).err).toBe('Unknown help topic "keys". Topics: all.\n');
    for (const exit of [0, 1, 2, 3, 4]) expect(out).toMatch(new RegExp(`^ {2}${exit} {2}\\S`, 'm'));
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(code).toBe(0);
  });

  test.each([
    ['mcp', ['--url URL', '--allow-writes', '--pace'], ['--base-url URL', '--check']],
    ['har', ['--base-url', '--report'], ['--pace', '--url', '--check', '--gentle']],
    ['calibrate', ['--check FILE', '--profile FILE', '--base-url'], ['--url URL', '--report']],
  ])('has a help text for %s, with the flags that the command takes', async (command, wanted, others) => {
    const { out, code } = await conformance([command, '--help', 'all']);
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
