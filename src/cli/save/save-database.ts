// The database of `--save FILE`: a row for the changes of each turn, and the rows of one snapshot. Each row has a
// checksum that continues the one before, so a removed, swapped or edited row is found. SQLite ignores a log that was
// cut, so the number of the last acknowledged row is also written to `FILE-ack`.

import * as fs from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { RunError, UsageError } from '../../terminal/usage-error.ts';

export class SaveFileError extends UsageError {}

/** A full or broken disk; its message is one sentence for the user. */
export class SaveDiskError extends RunError {}

/** `SQLITE_*` result codes. */
const code = { ioError: 10, corrupt: 11, full: 13, busy: 5, noDatabase: 26 } as const;

const reasons: Readonly<Record<string, string>> = {
  [code.full]: 'the disk is full',
  [code.ioError]: 'the disk reports an error',
  [code.busy]: 'another process is using it',
  8: 'it is read-only',
  14: 'its folder does not exist, or this user has no permission',
  18: 'the change is too large',
  EACCES: 'this user has no permission',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ESTALE: 'another program moved, removed or changed it; restart casa mock',
};

/** Returns the end of a sentence, without its dot. */
export function reasonOf(error: unknown): string {
  const { errcode, code: name } = error as { errcode?: number; code?: string };
  // The low byte is the code, the others say more about it.
  const found = errcode === undefined ? name : `${errcode & 0xff}`;
  return reasons[found ?? ''] ?? `the system reports: ${(error as Error).message}`;
}

/** Returns the error for the user instead of one of SQLite or the file system; others are returned unchanged. */
export function toSaveError(path: string, error: unknown): unknown {
  const { errcode, code: name } = error as { errcode?: number; code?: string };
  if (error instanceof UsageError || error instanceof RunError || (errcode ?? name) === undefined) return error;
  const result = (errcode ?? 0) & 0xff;
  if (result === code.busy) {
    return new SaveFileError(`${path} is in use by another casa mock; stop it, or choose another file.`);
  }
  if (result === code.corrupt || result === code.noDatabase) return damaged(path, (error as Error).message);
  const sentence = `${path} cannot be written: ${reasonOf(error)}.`;
  const isDisk = result === code.full || result === code.ioError || name === 'ENOSPC';
  return isDisk ? new SaveDiskError(sentence) : new SaveFileError(sentence);
}

export function damaged(path: string, detail: string): SaveFileError {
  return new SaveFileError(
    `${path} is damaged, cut or edited (${detail}); restore a copy, or move the file away to start from scratch.`,
  );
}

/** Marks the files of casa mock: "casa" in ASCII. */
const applicationId = 0x63617361;
const formatVersion = 3;
const schema = `
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${formatVersion};
  CREATE TABLE head (id INTEGER PRIMARY KEY, json TEXT NOT NULL, sum INTEGER NOT NULL);
  CREATE TABLE snapshot (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
  CREATE TABLE changes (id INTEGER PRIMARY KEY, json TEXT NOT NULL, sum INTEGER NOT NULL);`;

interface Row {
  readonly id: number;
  readonly json: string;
  readonly sum: number;
}

/** The first row: what the caller stores, and the position of the snapshot among the changes. */
interface Position {
  /** Of the file, so that `FILE-ack` of another one does not count. */
  readonly file: string;
  /** Of the snapshot; null without one. */
  readonly snapshotSum: number | null;
  /** The last change that the snapshot contains, and its checksum. */
  readonly after: number;
  readonly afterSum: number;
}

export type Stored<Head> = Position & { readonly head: Head };

/** The open file. Every method throws what SQLite throws; `toSaveError` makes a sentence of it. */
export class SaveDatabase<Head> {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #ack: number;
  readonly #inode: number;
  #bytes: number;
  stored: Stored<Head>;
  /** The last change. */
  #id: number;
  #sum: number;

  private constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO changes VALUES (?, ?, ?)');
    const [row] = db.prepare('SELECT * FROM head').all() as unknown as Row[];
    if (!row || crc32(row.json) !== row.sum) throw damaged(path, 'its first row');
    this.stored = JSON.parse(row.json) as Stored<Head>;
    this.#id = this.stored.after;
    this.#sum = this.stored.afterSum;
    this.#ack = fs.openSync(`${path}-ack`, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    fs.chmodSync(path, 0o600);
    const { ino, size } = fs.statSync(path);
    this.#inode = ino;
    this.#bytes = size;
  }

  /** Opens a file and locks it until `close`; `head` is that of a new one. */
  static async open<Head>(path: string, head: Head, isSynced: boolean): Promise<SaveDatabase<Head>> {
    const { DatabaseSync } = await loadSqlite();
    const isNew = isMissing(path);
    if (isNew) create(path, head, DatabaseSync);
    const db = new DatabaseSync(path);
    try {
      db.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = ${isSynced ? 'FULL' : 'NORMAL'};`);
      // The first write takes the lock. The log grows until `checkpoint`.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; BEGIN EXCLUSIVE; COMMIT');
      const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number };
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      if (id !== applicationId) throw notOurs(path);
      if (version !== formatVersion) throw otherFormat(path);
      const [problem] = Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {});
      if (problem !== 'ok') throw damaged(path, String(problem));
      return new SaveDatabase<Head>(path, db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Returns the snapshot; null without one. */
  snapshot(): unknown {
    const { snapshotSum } = this.stored;
    if (snapshotSum === null) return null;
    const { json } = (this.#db.prepare('SELECT json FROM snapshot').get() ?? { json: '' }) as { json: string };
    if (crc32(json) !== snapshotSum) throw damaged(this.path, 'its snapshot');
    return JSON.parse(json);
  }

  /** Yields the changes after the snapshot, as they were appended. */
  *changes(): Generator<unknown[]> {
    for (const row of this.#db.prepare('SELECT * FROM changes ORDER BY id').iterate() as Iterable<unknown>) {
      const { id, json, sum } = row as Row;
      if (id !== this.#id + 1 || sum !== crc32(json, this.#sum)) throw damaged(this.path, `change ${this.#id + 1}`);
      this.#sum = sum;
      this.#id = id;
      yield JSON.parse(json) as unknown[];
    }
  }

  /** How many acknowledged rows the file lacks: a power failure, or a cut. Call it after `changes`. */
  lacking(): number {
    const [file, id] = fs.readFileSync(`${this.path}-ack`, 'latin1').split(/\s/);
    const lacking = file === this.stored.file ? Math.max(0, Number(id) - this.#id) : 0;
    this.#acknowledge();
    return lacking;
  }

  /** Whether nothing follows the snapshot. */
  get isCompact(): boolean {
    return this.#id === this.stored.after;
  }

  /** Throws without a change if the file is not the one that was opened, or the row cannot be written. */
  append(json: string): void {
    const found = fs.statSync(this.path, { throwIfNoEntry: false });
    if (found?.ino !== this.#inode || found.size !== this.#bytes) throw Object.assign(new Error(), { code: 'ESTALE' });
    const sum = crc32(json, this.#sum);
    this.#insert.run(this.#id + 1, json, sum);
    this.#id += 1;
    this.#sum = sum;
    this.#acknowledge();
  }

  /** Each line replaces the one before. The row itself is safe, so a failure only costs the notice of a cut. */
  #acknowledge(): void {
    try {
      fs.writeSync(this.#ack, `${this.stored.file} ${this.#id}\n`, 0);
    } catch {}
  }

  /** Moves what the log has to the file, and both to the disk. */
  checkpoint(): void {
    const { busy } = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    if (busy === 0) this.#bytes = fs.statSync(this.path).size;
  }

  /** Replaces all changes so far by a snapshot of the state after them. */
  replace(head: Head, json: string): void {
    const db = this.#db;
    const { file } = this.stored;
    const stored = { file, snapshotSum: crc32(json), after: this.#id, afterSum: this.#sum, head };
    const first = JSON.stringify(stored);
    db.exec('BEGIN');
    try {
      db.prepare('UPDATE head SET json = ?, sum = ?').run(first, crc32(first));
      db.prepare('INSERT OR REPLACE INTO snapshot VALUES (1, ?)').run(json);
      db.exec('DELETE FROM changes; COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
    this.stored = stored;
  }

  close(): void {
    fs.closeSync(this.#ack);
    this.#db.close();
  }
}

async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  const { emitWarning } = process;
  // Node.js 22 calls the module experimental.
  process.emitWarning = () => {};
  try {
    return await import('node:sqlite');
  } catch {
    throw new SaveFileError(
      `--save needs Node.js 22.13 or later, and this is ${process.versions.node}; update Node.js, or omit --save.`,
    );
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Throws if a path exists that cannot be a save file. Does not open the file later: that would release its lock. */
function isMissing(path: string): boolean {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (!found) return true;
  const kind = found.isDirectory() ? 'a folder' : 'a pipe or a device';
  if (!found.isFile()) throw new SaveFileError(`${path} is ${kind}, not a file.`);
  if (found.nlink > 1) throw new SaveFileError(`${path} has ${found.nlink} names (hard links); use a copy of it.`);
  if (found.size === 0) throw damaged(path, 'it is empty');
  const file = fs.openSync(path, 'r');
  const bytes = Buffer.alloc(16);
  fs.readSync(file, bytes);
  fs.closeSync(file);
  const start = bytes.toString('latin1');
  if (start.startsWith('{"casaSave"')) throw otherFormat(path);
  if (!start.startsWith('SQLite format 3')) throw notOurs(path);
  return false;
}

const notOurs = (path: string) => new SaveFileError(`${path} is not a save file of casa mock; choose another name.`);

const otherFormat = (path: string) =>
  new SaveFileError(`${path} was written by another version of casa mock; move it away to start from scratch.`);

/** The file takes its name when it is whole, so an empty one was cut by somebody. */
function create(path: string, head: unknown, Database: typeof DatabaseSync): void {
  const draft = `${path}.${process.pid}`;
  for (const left of [`${path}-wal`, `${path}-shm`, `${path}-ack`, draft]) fs.rmSync(left, { force: true });
  fs.closeSync(fs.openSync(draft, 'wx', 0o600));
  const stored = { file: crypto.randomUUID(), snapshotSum: null, after: 0, afterSum: 0, head };
  const json = JSON.stringify(stored);
  try {
    const db = new Database(draft);
    db.exec(schema);
    db.prepare('INSERT INTO head VALUES (1, ?, ?)').run(json, crc32(json));
    db.close();
    fs.renameSync(draft, path);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}
