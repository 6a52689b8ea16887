// Runs each `console` block of README and docs, and compares the output. `npm run samples` writes it again.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withOutput } from '../../fixtures/test-kit/doc-commands.ts';

const pages = ['README.md', ...globSync('docs/**/*.md')].filter((name) =>
  readFileSync(name, 'utf8').includes('```console'),
);

it('most guides show the output of a command', () => {
  expect(pages.length).toBeGreaterThan(8);
});

describe('the output in', () => {
  it.concurrent.each(pages)('%s is current', async (name) => {
    const page = readFileSync(name, 'utf8');
    expect(await withOutput(page)).toBe(page);
  });
});
