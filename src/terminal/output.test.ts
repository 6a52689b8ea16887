import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundledCommand } from '../../fixtures/test-kit/command.ts';
import { endWithOutput } from './output.ts';

describe('a command whose output cannot be written', () => {
  const end = (code: string, isTTY = false) => {
    const seen: unknown[] = [];
    const [stdout, stderr] = [new EventEmitter(), new EventEmitter()];
    const out = Object.assign(stdout, { isTTY });
    const err = Object.assign(stderr, { write: (text: string) => seen.push(text) });
    const streams = { stdout: out, stderr: err, exit: (status: number) => seen.push(status) };
    endWithOutput('casa', streams as unknown as NodeJS.Process, () => seen.push('closed'));
    stderr.emit('error', Object.assign(new Error(), { code }));
    stdout.emit('error', Object.assign(new Error(), { code }));
    return seen;
  };

  test.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'the disk quota of this user is used up'],
    ['EFBIG', 'the file is too large'],
    ['EBADF', 'EBADF'],
    ['EIO', 'EIO'],
  ])('because of %s ends with one sentence and exit code 4', (code, words) => {
    expect(end(code)).toEqual([
      expect.stringMatching(`^casa: the standard output cannot be written.*${words}.*\\n$`),
      4,
    ]);
  });

  test('because its reader has ended is not an error', () => {
    expect([end('EPIPE'), end('EIO', true)]).toEqual([['closed'], ['closed']]);
  });

  test.runIf(existsSync('/dev/full')).each([
    ['casa', 'casa.js', ['--help']],
    ['casa', 'casa.js', ['mock', '--port', '0']],
    ['conformance', 'conformance-cli.js', ['--list']],
    ['conformance', 'conformance-cli.js', ['trend', '--help']],
  ])('on a full disk has no stack trace (%s, %s %j)', (name, file, args) => {
    const full = openSync('/dev/full', 'w');
    const command = join(dirname(bundledCommand), file);
    const { status, stderr } = spawnSync(process.execPath, [command, ...args], { stdio: ['ignore', full, 'pipe'] });
    expect([status, String(stderr)]).toEqual([
      4,
      `${name}: the standard output cannot be written: the disk is full.\n`,
    ]);
  });
});
