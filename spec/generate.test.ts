import { describe, expect, it } from 'vitest';
import { requirementSets } from '../src/contract/generated/requirements.ts';
import { emitAdmin } from './generate/admin.ts';
import { banner, generate, generatedFolder } from './generate.ts';
import { findDrift } from './source-files.ts';

const files = await generate();

/** A released set is never changed: reports name it. Add the digest of each new file. */
const released: Readonly<Record<string, string>> = {
  'CASA-2026.1': '0b1acc8f726b11dd43bea1faff381b6250ec59eef142fcb8623e0668d6468e8e',
};

describe('src/contract/generated', () => {
  it('is what spec/ says now', () => {
    expect(findDrift(generatedFolder, files)).toEqual([]);
    expect(findDrift(new URL('../', import.meta.url), new Map(emitAdmin(banner)))).toEqual([]);
  });

  it('has each released requirement set unchanged', () => {
    expect(Object.fromEntries(Object.entries(requirementSets).map(([name, { digest }]) => [name, digest]))).toEqual(
      released,
    );
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
