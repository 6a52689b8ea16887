import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';

const body = '{"data":[]}';
const base = 'https://staging.example.com/api/v1';

/** A recording of one response, whose body is in a file. */
const recording = (name: string) => {
  const request = { method: 'GET', url: `${base}/sites`, headers: [] };
  const headers = [{ name: 'Content-Type', value: 'application/json' }];
  const response = { status: 200, headers, content: { size: body.length, _file: name } };
  return JSON.stringify({ log: { entries: [{ request, response }] } });
};

/** A ZIP archive, with sizes after the data as Playwright writes them. */
function zip(files: Record<string, string>, method = 8): Buffer {
  let offset = 0;
  const parts = Object.entries(files).map(([name, text]) => {
    const data = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt16LE(8, 6);
    local.writeUInt16LE(name.length, 26);
    const row = Buffer.alloc(46);
    row.write('PK\x01\x02', 'latin1');
    row.writeUInt16LE(method, 10);
    row.writeUInt32LE(data.length, 20);
    row.writeUInt16LE(name.length, 28);
    row.writeUInt32LE(offset, 42);
    const content = Buffer.concat([local, Buffer.from(name), data]);
    offset += content.length;
    return { content, row: Buffer.concat([row, Buffer.from(name)]) };
  });
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts.map(({ content }) => content), ...parts.map(({ row }) => row), end]);
}

let folder: string;
beforeEach(() => {
  folder = join(newFolder(), 'here');
  mkdirSync(folder);
});
const write = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const check = (file: string) => conformance(['har', file], {});

describe('the bodies of a recording', () => {
  test('are read from files next to it', async () => {
    write('a1.json', body);
    const { code, out } = await check(write('a.har', recording('a1.json')));
    expect([code, out]).toEqual([0, expect.stringContaining(`1 recorded exchange of ${base} checked`)]);
  });

  test.each([['../out.json'], ['link.json'], ['/etc/hostname'], ['.'], ['none.json'], ['a\0.json']])(
    'are not read from %j, and are named',
    async (name) => {
      writeFileSync(join(folder, '..', 'out.json'), body);
      symlinkSync(join(folder, '..', 'out.json'), join(folder, 'link.json'));
      const { code, out, err } = await check(write('a.har', recording(name)));
      expect(code).toBe(3);
      expect(err).toContain('GET /sites was not checked: the recording lacks its file');
      expect(out).toContain('1 body not recorded');
    },
  );

  test.each([
    ['as Playwright names it', { 'har.har': recording('a1.json'), 'a1.json': body }],
    ['stored', { 'har.har': recording('a1.json'), 'a1.json': body }, 0],
    ['in a folder', { 'run/x.har': recording('r/a1.json'), 'run/r/a1.json': body }],
  ])('are read from an archive, %s', async (_, files, method = 8) => {
    expect((await check(write('a.zip', zip(files, method)))).code).toBe(0);
  });

  test.each([
    ['without a HAR', zip({ 'a.txt': '' }), 'has 0 HAR files'],
    ['with two', zip({ 'a.har': '', 'b.har': '' }), 'has 2 HAR files'],
    ['that is cut off', zip({ 'har.har': recording('a') }).subarray(0, 90), 'is an archive that cannot be read'],
    ['packed in another way', zip({ 'har.har': recording('a') }, 99), 'is an archive that cannot be read'],
    ['of a damaged .gz file', Buffer.from('\x1f\x8b\x08!', 'latin1'), 'is an archive that cannot be read'],
  ])('an archive %s is rejected', async (_, bytes, sentence) => {
    expect(await check(write('a.zip', bytes))).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  });

  test('a compressed recording is read', async () => {
    write('a1.json', body);
    expect((await check(write('a.har.gz', gzipSync(recording('a1.json'))))).code).toBe(0);
  });
});
