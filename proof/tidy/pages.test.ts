import { describe, expect, it } from 'vitest';
import { bundlePages, findStalePages } from '../../esbuild.pages.ts';

describe('the bundled scripts of the pages', () => {
  it('are what their sources give now', async () => {
    expect(findStalePages(await bundlePages())).toEqual([]);
  });

  it('would show a difference', async () => {
    const [[path, text] = ['', '']] = [...(await bundlePages())];
    expect(findStalePages(new Map([[path, `${text}\n`]]))).toEqual([path]);
  });
});
