import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { appendOwn, type FileKind, rejectUnwritable, writeOwn } from './own-file.ts';

const kind: FileKind = { name: 'list', start: /^list\n/ };
let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(folder, 'made', 'list.txt');
});

const modeOf = (path: string) => statSync(path).mode & 0o777;
const ways: readonly (readonly [string, (path: string) => void])[] = [
  ['before the work', (path) => rejectUnwritable('report', path, kind)],
  ['when it is written', (path) => writeOwn(path, 'list\nnew\n', kind)],
  ['when it grows', (path) => appendOwn(path, 'list\nnew\n', kind)],
];

describe('a file that the user names', () => {
  test('is made with its folder, and replaced as a whole', () => {
    rejectUnwritable('report', file, kind);
    expect(existsSync(file)).toBe(false);
    for (const text of ['list\na\n', 'list\n']) {
      writeOwn(file, text, kind);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    appendOwn(file, 'b\n', kind);
    expect(readFileSync(file, 'utf8')).toBe('list\nb\n');
    expect(readdirSync(join(folder, 'made'))).toEqual(['list.txt']);
  });

  test('may be empty before, and belongs to its owner alone where customer data may be inside', () => {
    const path = join(folder, 'empty');
    writeFileSync(path, '', { mode: 0o644 });
    writeOwn(path, 'list\n', { ...kind, isPrivate: true });
    expect(modeOf(path)).toBe(0o600);
  });

  test.each(ways)('stays unchanged if it is of another kind, %s', (_, act) => {
    const path = join(folder, 'README.md');
    writeFileSync(path, '# Read me\n');
    expect(() => act(path)).toThrow(/exists and is not a list, so it is left unchanged: name another file/);
    expect(readFileSync(path, 'utf8')).toBe('# Read me\n');
  });

  test.each(ways)('cannot be a symbolic link, %s', (_, act) => {
    const [target, path] = [join(folder, 'target'), join(folder, 'link')];
    writeFileSync(target, 'list\nprecious\n');
    symlinkSync(target, path);
    expect(() => act(path)).toThrow(/is a symbolic link, which is not followed/);
    expect(readFileSync(target, 'utf8')).toBe('list\nprecious\n');
    const dangling = join(folder, 'dangling');
    symlinkSync(join(folder, 'nowhere'), dangling);
    expect(() => act(dangling)).toThrow(/symbolic link/);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  test('may be a device, which stays one', () => {
    rejectUnwritable('report', '/dev/null', kind);
    writeOwn('/dev/null', 'list\n', kind);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('leaves nothing next to it when it cannot be written', () => {
    expect(() => writeOwn(folder, 'list\n', kind)).toThrow('is a folder');
    expect(() => writeOwn(join(folder, 'none', 'list'), 'list\n', kind)).toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });
});
