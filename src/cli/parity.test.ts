import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { captured } from '../../fixtures/test-kit/command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { parity } from './parity.ts';

async function run(target: string, ...flags: string[]) {
  const file = join(newFolder(), 'casa.profile.json');
  const origin = { casaProfile: 1, kit: '0.1.0', contract: '1.0.0', target, learntOn: '2026-11-24' };
  const behaviors = { articleOrder: { value: 'oldest', seen: 9 } };
  writeFileSync(file, JSON.stringify({ ...origin, behaviors, unknown: {}, notLearnt: [] }));
  return captured((io) => parity([file, ...flags], io));
}

it('prints the card as text, Markdown and JSON', async () => {
  const { code, out: text } = await run('staging.example.com');
  expect([code, text.split('\n')[0]]).toEqual([0, 'Parity of staging.example.com, learnt on 2026-11-24']);
  expect(text).toMatch(/^listArticles +unknown \d+ of \d+ /m);
  expect(text).toMatch(/^ {4}npx casa-conformance calibrate .*--allow-writes=replies/m);
  expect((await run('x', '--markdown')).out).toMatch(/^\| listArticles \| unknown/m);
  expect(JSON.parse((await run('x', '--json')).out).details.articleOrder.seen).toBe(9);
});

it('shows control characters of a file, and rejects invalid input with one sentence', async () => {
  expect((await run('a\u001b[2Jb')).out).not.toContain('\u001b');
  expect((await run('x', '--json', '--markdown')).err).toMatch(/exclude each other/);
  expect((await run('x', 'other.json')).err).toMatch(/one profile at a time/);
  const missing = await captured((io) => parity(['missing.json'], io));
  expect(missing).toMatchObject({
    code: 2,
    err: 'casa parity: profile: missing.json does not exist. See casa parity --help.\n',
  });
});
