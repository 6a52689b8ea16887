import { describe, expect, it } from 'vitest';
import { findDrift, generate } from './generate.ts';

describe('src/contract/generated', () => {
  it('is what spec/ says now', async () => {
    expect(findDrift(await generate())).toEqual([]);
  });

  it('would notice a difference', async () => {
    const files = await generate();
    files.set('types.ts', `${files.get('types.ts')}\n`);
    expect(findDrift(files)).toEqual(['types.ts']);
  });

  it('evaluates nothing at run time', async () => {
    const files = await generate();
    for (const name of ['validators.js', 'tool-validators.js']) {
      expect(files.get(name)).toContain('export');
      expect(/new Function|\beval\(|= ?require\(/.test(files.get(name) ?? '')).toBe(false);
    }
  });
});
