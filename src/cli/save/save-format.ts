// The lines of a save file: the head, then a snapshot in parts, then one line for each change. A line is JSON and its
// CRC-32, which detects damage. Long lists follow the snapshot in slices, so no line takes long to write.

import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { BehaviorsSource } from '../../contract/profile.ts';
import { RunError, UsageError } from '../../terminal/usage-error.ts';

/** The first line: the world that the changes belong to. */
export interface SaveHead {
  readonly version: string;
  /** Name of the built-in world, or a digest of the user's. */
  readonly world: string;
  readonly seed: number;
  /** Start of the world, in epoch milliseconds: its timestamps are relative to it. */
  readonly startMs: number;
  /** Those that ids and keys of the world are written in; absent for the default ones. */
  readonly behaviors?: BehaviorsSource;
}

export interface Recall {
  restore(snapshot: unknown): void;
  replay(changes: readonly unknown[]): void;
}

type Step = string | number;
type List = readonly unknown[];
type Container = Record<Step, unknown>;

const formatVersion = 2;
const headStart = '{"casaSave":';
const headBytesMax = 64 * 1024;
const sumBytes = ' #1a2b3c4d'.length;
const listMax = 64;
const sliceItems = 128;

const sumOf = (json: string | Buffer) => ` #${crc32(json).toString(16).padStart(8, '0')}`;

export function toLine(record: object): string {
  const json = JSON.stringify(record);
  return `${json}${sumOf(json)}\n`;
}

/** Returns the record of a line, or null if the checksum is not its own. */
function readLine(line: Buffer): Container | null {
  const json = line.subarray(0, -sumBytes);
  return line.toString('latin1', json.length) === sumOf(json) ? JSON.parse(json.toString()) : null;
}

/** Yields the lines of a file; null instead of a snapshot leaves it out. Its lists must not change meanwhile. */
export function* linesOf(head: SaveHead, snapshot: unknown): Generator<string> {
  yield toLine({ casaSave: formatVersion, ...head });
  if (snapshot === null) return;
  const waiting: { readonly path: readonly Step[]; readonly items: List }[] = [];
  const cut = (value: unknown, path: readonly Step[]): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if ('toJSON' in value) return cut((value as { toJSON(): unknown }).toJSON(), path);
    if (Array.isArray(value)) {
      if (value.length <= listMax) return value.map((item, i) => cut(item, [...path, i]));
      waiting.push({ path, items: value });
      return [];
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        typeof field === 'object' ? cut(field, [...path, name]) : field,
      ]),
    );
  };
  yield toLine({ snapshot: cut(snapshot, []), parts: true });
  let end = 1;
  for (let list = waiting.pop(); list; list = waiting.pop()) {
    const { path, items } = list;
    for (let at = 0; at < items.length; at += sliceItems, end += 1) {
      const slice = items.slice(at, at + sliceItems);
      yield toLine({ part: path, items: slice.map((item, i) => cut(item, [...path, at + i])) });
    }
  }
  yield toLine({ end });
}

function damaged(path: string, number: number): SaveFileError {
  return new SaveFileError(
    `Line ${number} of ${path} is damaged, edited or of an older version; ` +
      'restore a copy, or move the file away to start from scratch.',
  );
}

/**
 * Returns the head of a file, or null if the file is empty. Throws if the file belongs to another program, version or
 * world; `takesOtherWorld` is for a caller that replays the changes of another world file.
 */
export function readHead(path: string, wanted: SaveHead, takesOtherWorld = false): SaveHead | null {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(headBytesMax);
  const count = readSync(file, bytes);
  closeSync(file);
  if (count === 0) return null;
  if (bytes.toString('latin1', 0, headStart.length) !== headStart) {
    throw new SaveFileError(`${path} is not a save file of casa mock; choose another name.`);
  }
  const record = readLine(bytes.subarray(0, Math.max(0, bytes.indexOf(10))));
  if (record?.casaSave !== formatVersion) throw damaged(path, 1);
  const { casaSave: _, ...rest } = record;
  const head = rest as unknown as SaveHead;
  const isOtherFile = takesOtherWorld && head.world !== wanted.world && head.world.startsWith('file ');
  for (const name of ['version', 'world', 'seed'] as const) {
    if (head[name] === wanted[name] || (isOtherFile && name !== 'version')) continue;
    throw new SaveFileError(
      `${path} was saved with ${name} ${head[name]}, and this is ${name} ${wanted[name]}; ` +
        'move the file away to start from scratch.',
    );
  }
  return head;
}

/** Yields the whole lines of each megabyte of a file, then the rest that has no line end. */
async function* readLines(path: string): AsyncGenerator<{ readonly lines: Buffer[]; readonly rest: Buffer }> {
  let rest: Buffer[] = [];
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      lines.push(Buffer.concat([...rest, piece.subarray(from, end)]));
      rest = [];
      from = end + 1;
    }
    rest.push(piece.subarray(from));
    yield { lines, rest: Buffer.alloc(0) };
  }
  yield { lines: [], rest: Buffer.concat(rest) };
}

export interface Loaded {
  /** Whether an unfinished line was dropped. */
  readonly isTorn: boolean;
  /** Whether nothing follows the snapshot. */
  readonly isCompact: boolean;
}

/** Restores a file piece by piece, so signals are handled in between. */
export async function loadFile(path: string, recall: Recall): Promise<Loaded> {
  let number = 0;
  let snapshot: { readonly value: unknown } | null = null;
  let isTorn = false;
  let isCompact = true;
  for await (const { lines, rest } of readLines(path)) {
    const changes: unknown[] = [];
    for (const line of lines) {
      number += 1;
      const record = readLine(line);
      if (!record) throw damaged(path, number);
      if ('change' in record) changes.push(record.change);
      else if ('snapshot' in record) snapshot = { value: record.snapshot };
      else if ('part' in record) addPart(snapshot?.value, record);
      else if ('end' in record) {
        recall.restore(snapshot?.value);
        snapshot = null;
      }
    }
    recall.replay(changes);
    isTorn = rest.length > 0;
    isCompact &&= changes.length === 0 && !isTorn;
    // Head and snapshot take their name when they are whole, so only another program can have cut them.
    if (isTorn && rest.toString('latin1', 0, 11) === '{"snapshot"') throw damaged(path, number + 1);
  }
  if (snapshot) throw damaged(path, number + 1);
  return { isTorn, isCompact };
}

function addPart(snapshot: unknown, { part, items }: Container): void {
  let list = snapshot;
  for (const step of part as Step[]) list = (list as Container)[step];
  (list as unknown[]).push(...(items as unknown[]));
}

export class SaveFileError extends UsageError {}

/** A full or broken disk; its message is one sentence for the user. */
export class SaveDiskError extends RunError {}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EFBIG: 'the file would be larger than allowed here',
  EIO: 'the disk reports an error (EIO)',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EROFS: 'the file system is read-only',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  ENAMETOOLONG: 'its name is too long',
  EBUSY: 'the system is using it (EBUSY)',
  ESTALE: 'another program moved, removed or changed it; restart casa mock',
};

const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE']);

export function errorOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Returns the end of a sentence, without its dot. */
export function reasonOf(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? error);
  return reasons[code] ?? `the system reports ${code}`;
}

/** Returns the error for the user instead of one of the file system; other errors are returned unchanged. */
export function toSaveError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const sentence = `${path} cannot be written: ${reasonOf(error)}.`;
  return diskCodes.has(code) ? new SaveDiskError(sentence) : new SaveFileError(sentence);
}
