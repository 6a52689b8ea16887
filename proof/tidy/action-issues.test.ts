import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { endOf } from '../../fixtures/test-kit/own-process.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startHttp } from '../../fixtures/test-kit/scripted-server.ts';

const script = fileURLToPath(new URL('../../.github/actions/issues.mjs', import.meta.url));

interface Issue {
  number: number;
  title: string;
  body: string;
  state: string;
}

/** The issues of a repository, as far as the script uses them; `status` rejects all requests. */
async function startForge(status = 200) {
  const issues: Issue[] = [];
  const { origin, close } = await startHttp(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const body = text === '' ? {} : JSON.parse(text);
    const number = Number(/\/issues\/(\d+)$/.exec(request.url ?? '')?.[1]);
    response.statusCode = request.headers.authorization === 'Bearer token' ? status : 401;
    if (status !== 200) response.end('{}');
    else if (request.method === 'POST') {
      issues.push({ number: issues.length + 1, state: 'open', ...body });
      response.end(JSON.stringify(issues.at(-1)));
    } else if (request.method === 'PATCH')
      response.end(JSON.stringify(Object.assign(issues.find((each) => each.number === number) ?? {}, body)));
    else response.end(JSON.stringify(issues.filter(({ state }) => state === 'open').toReversed()));
  });
  onTestFinished(close);
  const folder = newFolder();
  writeFileSync(join(folder, 'old.json'), '{\n  "articleOrder": "newest"\n}\n');
  writeFileSync(join(folder, 'new.json'), '{\n  "articleOrder": "oldest"\n}\n');
  const night = async (output: string, code: number) => {
    writeFileSync(join(folder, 'out.txt'), output);
    const github = { CASA_GITHUB_TOKEN: 'token', GITHUB_API_URL: origin, GITHUB_REPOSITORY: 'o/r' };
    const args = [script, 'out.txt', String(code), 'old.json', 'new.json'];
    const options = { cwd: folder, env: { ...process.env, ...github } };
    const { code: exit, out } = await endOf(spawn(process.execPath, args, options));
    return { exit, out };
  };
  const open = () => issues.filter(({ state }) => state === 'open').map(({ title }) => title);
  return { issues, night, open };
}

test('opens one issue per cause, updates it, and closes it after the first good night', async () => {
  const { issues, night, open } = await startForge();
  await night('Legal change: order\nCause: drift\n', 1);
  await night('Legal change: order, still\nCause: drift\n', 1);
  expect(open()).toEqual(['The deployment behaves differently from its profile']);
  expect(issues[0]?.body).toContain('order, still');
  expect(issues[0]?.body).toContain('-  "articleOrder": "newest"\n+  "articleOrder": "oldest"');
  await night('Not drift: key\nCause: key-revoked\n', 2);
  expect(open()).toHaveLength(2);
  expect(issues[1]?.body).not.toContain('articleOrder');
  await night('0 of 50 compared behaviors changed.\nCause: none\n', 0);
  expect([open(), issues.length]).toEqual([[], 2]);
  await night('Legal change: again\nCause: drift, violation\n', 1);
  expect(open()).toHaveLength(2);
}, 30_000);

test('keeps one of several issues of a cause, and the text of a deployment inside its block', async () => {
  const { issues, night, open } = await startForge();
  await night('Cause: login\n', 2);
  issues.push({ ...(issues[0] as Issue), number: 2 });
  await night('````\n<script>\nCause: login\n', 2);
  expect(open()).toHaveLength(1);
  expect(issues[0]?.body.match(/````/g)).toHaveLength(2);
}, 30_000);

test('warns in one line if the forge rejects the token', async () => {
  const { night } = await startForge(403);
  const { exit, out } = await night('Cause: drift\n', 1);
  expect(exit).toBe(0);
  expect(out).toMatch(/^::warning title=casa-kit::The issues could not be updated: GET .* returned 403\./);
});
