import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { kitTable } from '../scenarios/capabilities.ts';
import { configured } from './config.ts';
import { parseCommandLine } from './flags.ts';
import { exitRules, runOptions } from './options.ts';

const made = newFolder();
const staging = { baseUrl: 'https://staging.example.com/api/v1', keys: { good: 'STAGING_KEY' } };
const environment = { STAGING_KEY: 'key_a', CONFORMANCE_API_KEY: 'key_usual', GATE: 'Basic eDp5' };
let folders = 0;
const slot = (name: string) => `\${${name}}`;

function folderWith(config: unknown, name = 'conformance.config.json'): string {
  const folder = join(made, `${++folders}`);
  mkdirSync(folder);
  writeFileSync(join(folder, name), typeof config === 'string' ? config : JSON.stringify(config));
  return folder;
}

const read = (config: unknown, ...args: string[]) =>
  configured(parseCommandLine(args).flags, environment, folderWith(config));

describe('the config file of the kit', () => {
  test('holds the facts about an audit, or the name of their file', async () => {
    const note = { auditor: 'A. Example', purpose: `Release of ${slot('GATE')}` };
    const facts = { auditor: 'A. Example', purpose: 'Release of Basic eDp5' };
    expect(JSON.parse(`${(await read({ report: note, targets: { staging } })).flags['report-note']}`)).toEqual(facts);
    const named = await read({ targets: { staging: { ...staging, reportNote: 'note.txt' } } });
    expect(named.flags['report-note']).toBe('note.txt');
    await expect(read({ report: { auditer: 'A' }, targets: { staging } })).rejects.toThrow(
      'there is no setting "auditer" in report. Did you mean "auditor"?',
    );
  });

  test('gives a run everything that flags can say', async () => {
    const {
      flags,
      environment: env,
      source,
    } = await read({
      minVerified: '60%',
      failOn: ['warn', 'inconclusive:platform'],
      targets: {
        staging: {
          ...staging,
          gentle: true,
          timeout: 5,
          pace: '5/10',
          allowWrites: ['posts', 'links'],
          only: ['articles/*', 'sites/*'],
          keyHeader: 'X-Key',
          header: `Authorization: ${slot('GATE')}`,
        },
      },
    });
    expect(source).toEqual({ file: 'conformance.config.json', target: 'staging' });
    expect(runOptions(flags, env)).toMatchObject({
      baseUrl: staging.baseUrl,
      keys: { good: 'key_a' },
      gentle: true,
      timeoutMs: 5000,
      pace: { spacingMs: 2000 },
      allowWrites: ['posts', 'links'],
      only: ['articles/*', 'sites/*'],
      headers: { authorization: 'Basic eDp5' },
    });
    expect(exitRules(flags)).toMatchObject({ failOn: ['warn', 'inconclusive:platform'], minVerified: { share: 0.6 } });
  });

  test('knows a field for every flag but those of keys and of the command itself', () => {
    const known = Object.keys(kitTable.fields);
    for (const name of ['minVerified', 'failOn', 'only', 'header', 'timeout', 'sourceAddress', 'gentle', 'allowWrites'])
      expect(known).toContain(name);
    for (const name of ['target', 'help', 'list', 'url', 'check', 'requests', 'maxTimeMs', 'headers'])
      expect(known).not.toContain(name);
  });

  test('lets flags win over the target, and the target over what all have in common', async () => {
    const config = { minVerified: 5, timeout: 3, targets: { staging: { ...staging, minVerified: 6 } } };
    expect((await read(config)).flags).toMatchObject({ 'min-verified': '6', timeout: '3' });
    expect((await read(config, '--min-verified', '7')).flags['min-verified']).toBe('7');
  });

  test.each(['js', 'mjs', 'ts'])('may be a module .%s', async (ending) => {
    const text = `export default ${JSON.stringify({ targets: { staging } })};\n`;
    const folder = folderWith(text, `conformance.config.${ending}`);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    expect((await configured({}, environment, folder)).flags['base-url']).toBe(staging.baseUrl);
  });

  test('asks which target is meant, and knows the one that is named', async () => {
    const config = { targets: { staging, live: { baseUrl: 'https://example.com/api/v1' } } };
    await expect(read(config)).rejects.toThrow('has staging, live: pass --target NAME');
    await expect(read(config, '--target', 'stagin')).rejects.toThrow('Did you mean staging?');
    expect((await read(config, '--target', 'live')).environment.CONFORMANCE_API_KEY).toBe('key_usual');
  });

  test('stays out of a run that names its deployment', async () => {
    expect((await read({ targets: 3 }, '--base-url', 'http://a/api/v1')).source).toBe(null);
    expect((await read({ targets: 3 }, '--target', 'self')).source).toBe(null);
  });

  test('never lets the usual key go to a target that names another', async () => {
    const other = { ...staging, keys: { good: 'NOT_SET' } };
    await expect(read({ targets: { other } })).rejects.toThrow('NOT_SET, from which target other reads it.');
    expect((await read({ targets: { other } }, '--plan')).environment.CONFORMANCE_API_KEY).toBeUndefined();
  });

  test.each([
    [{}, 'targets is missing.'],
    [{ targets: {} }, 'targets is empty'],
    [{ targets: { self: staging } }, 'a target cannot be called self'],
    [{ targets: { staging: {} } }, 'targets.staging.baseUrl is missing.'],
    [{ targets: { staging: { ...staging, minVerifed: 1 } } }, '"minVerifed" in targets.staging. Did you mean'],
    [{ targets: { staging: { ...staging, apiKey: 'casa_1' } } }, '{ "keys": { "good": "NAME_OF_A_VARIABLE" } }'],
    [{ targets: { staging: { ...staging, keys: { good: 'casa-0123' } } } }, 'not the name of an environment variable'],
    [{ targets: { staging: { ...staging, keys: { goood: 'A' } } } }, 'Did you mean "good"?'],
    [{ targets: { staging: { ...staging, gentle: 'yes' } } }, 'staging.gentle must be true or false, not "yes".'],
  ])('rejects %j in one sentence', async (config, sentence) => {
    await expect(read(config)).rejects.toThrow(sentence);
  });

  test('says which variable a text lacks', async () => {
    const config = { targets: { staging: { ...staging, header: `X-Gate: ${slot('NO_SUCH')}` } } };
    await expect(read(config)).rejects.toThrow('header needs the variable NO_SUCH, which is not set');
  });

  test.each([
    ['{', 'is not valid JSON'],
    [' '.repeat(1_000_001), 'is too large to be read'],
  ])('rejects a file that is not a config (%#)', async (text, sentence) => {
    await expect(read(text)).rejects.toThrow(sentence);
  });

  test('rejects an address next to a target', async () => {
    await expect(read({}, '--base-url', 'http://a/api/v1', '--target', 'a')).rejects.toThrow('sets the address');
  });
});
