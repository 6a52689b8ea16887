import { describe, expect, it } from 'vitest';
import { emitAdmin } from './generate/admin.ts';
import { banner, generate, generatedFolder } from './generate.ts';
import { findDrift } from './source-files.ts';

const files = await generate();

describe('src/contract/generated', () => {
  it('is what spec/ says now', () => {
    expect(findDrift(generatedFolder, files)).toEqual([]);
    expect(findDrift(new URL('../', import.meta.url), new Map(emitAdmin(banner)))).toEqual([]);
  });

  it('would notice a difference', () => {
    const changed = new Map(files).set('types.ts', `${files.get('types.ts')}\n`);
    expect(findDrift(generatedFolder, changed)).toEqual(['types.ts']);
  });

  it('evaluates nothing at run time', () => {
    for (const name of ['validators.js', 'tool-validators.js']) {
      expect(files.get(name)).toContain('export');
      expect(/new Function|\beval\(|= ?require\(/.test(files.get(name) ?? '')).toBe(false);
    }
  });
});
