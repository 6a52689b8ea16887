import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { findMock } from './find-mock.ts';

const folder = newFolder();
const ready = (url: string) => ({ 'ready.json': { url, pid: 1 } });

interface Around {
  readonly given?: object;
  readonly env?: Record<string, string>;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly line?: string;
}

/** A folder with these files as JSON, and a process 1 with this command line, in which blanks separate words. */
function find({ given = {}, env = {}, files = {}, line }: Around) {
  const own = mkdtempSync(join(folder, 'a-'));
  for (const [name, value] of Object.entries(files)) writeFileSync(join(own, name), JSON.stringify(value));
  const commandLine = join(own, 'cmdline');
  if (line !== undefined) writeFileSync(commandLine, `${line.replaceAll(' ', '\0')}\0`);
  return findMock({ ...given }, { env, folder: own, commandLine });
}

const config = (value: object) => ({ 'casa.config.json': value });
const withToken = config({ port: 21036, adminToken: 'secret-token' });
const mockInImage = 'node /app/dist/casa.js mock --host 0.0.0.0 --port 8080';
const ofFlags = `${mockInImage} --admin-token from-flags`;
const ofEnv = { CASA_ADMIN_TOKEN: 'of-env' };
const [usual, configured] = ['http://127.0.0.1:4010', 'http://127.0.0.1:21036'];

describe('casa ctl and casa health find', () => {
  it.each<[what: string, around: Around, origin: string, token?: string]>([
    ['the usual port', {}, usual],
    ['the port and the token of the config file', { files: withToken }, configured, 'secret-token'],
    ['the host of the config file', { files: config({ host: '[::1]' }) }, 'http://[::1]:4010'],
    ['a mock on all addresses', { files: config({ host: '0.0.0.0', port: 1234 }) }, 'http://localhost:1234'],
    [
      'the URL of the ready file',
      { files: { ...config({ port: 0, readyFile: 'ready.json' }), ...ready('http://127.0.0.1:40123/api/v1') } },
      'http://127.0.0.1:40123',
    ],
    ['the mock of a container', { line: mockInImage }, 'http://localhost:8080'],
    ['it below an init process', { line: `/sbin/docker-init -- ${mockInImage} -p 81` }, 'http://localhost:81'],
    ['its flags over its config', { line: ofFlags, files: withToken }, 'http://localhost:8080', 'from-flags'],
    ['no mock in another process 1', { line: '/sbin/init splash --port 8080' }, usual],
    ['CASA_URL', { env: { CASA_URL: 'http://127.0.0.1:5/api/v1' }, files: withToken }, 'http://127.0.0.1:5'],
    ['--url first', { given: { url: 'http://a' }, env: { CASA_URL: 'http://b' } }, 'http://a'],
    ['the token of its config file', { given: { url: configured }, files: withToken }, configured, 'secret-token'],
    ['CASA_ADMIN_TOKEN before the config file', { env: ofEnv, files: withToken }, configured, 'of-env'],
    ['--admin-token first', { given: { 'admin-token': 'of-flag' }, env: ofEnv }, usual, 'of-flag'],
    ['a URL although the config file is wrong', { given: { url: 'http://a' }, files: config({ prt: 1 }) }, 'http://a'],
  ])('%s', async (_, around, origin, token) => {
    expect(await find(around)).toEqual({ origin, token });
  });

  it.each<[around: Around, sentence: string]>([
    [{ files: config({ port: 0 }) }, 'the mock uses any free port: pass --url URL, or set readyFile'],
    [{ files: config({ prt: 1 }) }, 'there is no setting "prt". Did you mean "port"?'],
    [{ env: { CASA_URL: 'casa:4010' } }, 'an address such as http://127.0.0.1:4010, not "casa:4010".'],
  ])('nothing by %j', async (around, sentence) => {
    await expect(find(around)).rejects.toThrow(sentence);
  });
});
