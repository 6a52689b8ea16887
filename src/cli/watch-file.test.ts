import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { loadWorld, watchFile } from './world-source.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const titled = (title: string) => JSON.stringify({ articles: [{ title }] });

/** Each makes `world.json` in the folder, and returns what changes it. */
const ways: Readonly<Record<string, (folder: string) => () => void>> = {
  'a file that is written in place': (folder) => {
    writeFileSync(join(folder, 'world.json'), titled('one'));
    return () => writeFileSync(join(folder, 'world.json'), titled('two'));
  },
  'a file that is replaced by renaming': (folder) => {
    writeFileSync(join(folder, 'world.json'), titled('one'));
    return () => {
      writeFileSync(join(folder, 'draft'), titled('two'));
      renameSync(join(folder, 'draft'), join(folder, 'world.json'));
    };
  },
  'a file that is removed and created again': (folder) => {
    writeFileSync(join(folder, 'world.json'), titled('one'));
    return () => {
      rmSync(join(folder, 'world.json'));
      vi.advanceTimersByTime(300);
      writeFileSync(join(folder, 'world.json'), titled('two'));
    };
  },
  'a ConfigMap, whose folder is a link that is swapped': (folder) => {
    const version = (name: string, title: string) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'world.json'), titled(title));
    };
    version('..1', 'one');
    symlinkSync('..1', join(folder, '..data'));
    symlinkSync('..data/world.json', join(folder, 'world.json'));
    return () => {
      version('..2', 'two');
      symlinkSync('..2', join(folder, '..tmp'));
      renameSync(join(folder, '..tmp'), join(folder, '..data'));
      rmSync(join(folder, '..1'), { recursive: true });
    };
  },
  'a link to a file in another folder': (folder) => {
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere', 'real.json'), titled('one'));
    symlinkSync('elsewhere/real.json', join(folder, 'world.json'));
    return () => writeFileSync(join(folder, 'elsewhere', 'real.json'), titled('two'));
  },
};

describe('--watch sees', () => {
  it.each(Object.entries(ways))('%s', async (_, prepare) => {
    const folder = newFolder();
    const change = prepare(folder);
    const path = join(folder, 'world.json');
    const { stamp } = await loadWorld({ world: null, data: path });
    // Between reading and watching too.
    change();
    const changed = vi.fn();
    const watcher = watchFile(path, stamp, changed);
    vi.advanceTimersByTime(1000);
    expect(changed).toHaveBeenCalledOnce();
    const { data } = await loadWorld({ world: null, data: path });
    expect(data.organizations[0]?.articles[0]?.title).toBe('two');
    watcher.close();
    writeFileSync(path, titled('three'));
    vi.advanceTimersByTime(1000);
    expect(changed).toHaveBeenCalledOnce();
  });

  it('a file only when it has been left alone, and a second change', () => {
    const path = join(newFolder(), 'world.json');
    const changed = vi.fn();
    const watcher = watchFile(path, '', changed);
    for (const text of ['1', '12', '123']) {
      writeFileSync(path, text);
      vi.advanceTimersByTime(200);
    }
    expect(changed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(changed).toHaveBeenCalledOnce();
    writeFileSync(path, '1234');
    vi.advanceTimersByTime(600);
    expect(changed).toHaveBeenCalledTimes(2);
    watcher.close();
  });
});
