import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeOwnFolder } from './own-folder.ts';

it('reads files that a client made, in folders and not through links', () => {
  const [own, other] = [makeOwnFolder(), makeOwnFolder()];
  writeFileSync(join(other.path, 'unread.txt'), '1');
  symlinkSync(other.path, join(own.path, 'link'));
  mkdirSync(join(own.path, 'made'));
  writeFileSync(join(own.path, 'made', 'by-client.txt'), '2');
  expect([...own.changed()]).toEqual([[join('made', 'by-client.txt'), '2']]);
  for (const folder of [own, other]) folder.remove();
});

it('links to the files next to the current folder, and leaves nothing behind', () => {
  const own = makeOwnFolder();
  const [sibling = ''] = readdirSync('..');
  expect(existsSync(join(own.path, '..', sibling))).toBe(true);
  own.remove();
  expect(existsSync(join(own.path, '..'))).toBe(false);
});
