import { describe, expect, it } from 'vitest';
import { createLog } from './output.ts';

describe('a log', () => {
  it('drops lines while nobody reads, and says how many when somebody reads on', () => {
    const written: string[] = [];
    let unread = 0;
    const write = createLog({ write: (text) => void written.push(text), error: () => {}, unread: () => unread });
    write('one\n');
    unread = 1024 * 1024 + 1;
    write('two\n');
    write('three\n');
    unread = 0;
    write('four\n');
    write('five\n');
    expect(written).toEqual([
      'one\n',
      '         Dropped 2 lines of the log, because nobody read them.\n',
      'four\n',
      'five\n',
    ]);
  });

  it('writes everything where it cannot know what was read', () => {
    const written: string[] = [];
    const write = createLog({ write: (text) => void written.push(text), error: () => {} });
    for (let i = 0; i < 3; i += 1) write('line\n');
    expect(written).toHaveLength(3);
  });
});
