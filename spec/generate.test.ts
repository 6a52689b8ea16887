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
    const validators = (await generate()).get('validators.js') ?? '';
    expect(/new Function|\beval\(|= ?require\(/.test(validators)).toBe(false);
  });
});
