// The first line of a save file: what the changes in it were made to.
import { type ReadingsSource, whyNoSource } from '../../contract/profile.ts';
import { SaveFileError } from './disk-error.ts';
import type { Line } from './lines.ts';

/** A file with another one is refused. */
export interface SaveHead {
  readonly version: string;
  /** Name of the built-in world, or a digest of the user's. */
  readonly world: string;
  readonly seed: number;
  /** When the world was brought to life, in epoch milliseconds: its instants count from here. */
  readonly startMs: number;
  /** Those that ids and keys of the world are written in; absent for the default ones. */
  readonly readings?: ReadingsSource;
}

/** 1: without checksums, the snapshot on one line. 2: as lines.ts and parts.ts say. */
const formats = [1, 2];

/** Always in the newest form. */
export function toHeadRecord(head: SaveHead): object {
  return { casaSave: 2, ...head };
}

/**
 * Throws a SaveFileError where file and mock do not belong together: replaying changes on another world would give a
 * state that nobody has seen. With `takesOtherWorld` the caller makes those of
 * another world file again on purpose.
 */
export function readHead(path: string, line: Line, wanted: SaveHead, takesOtherWorld = false): SaveHead {
  const found = 'value' in line ? (line.value as { casaSave?: unknown } & Partial<SaveHead>) : null;
  if (line.kind === 'altered') throw new SaveFileError(alteredSentence(path, 1));
  if (!formats.includes(found?.casaSave as number)) {
    throw new SaveFileError(`${path} is not a save file of casa mock; choose another name.`);
  }
  const { version, world, seed, startMs, readings } = found as SaveHead;
  const isOtherFile = takesOtherWorld && world !== wanted.world && String(world).startsWith('file ');
  for (const [what, own, asked] of [
    ['version', version, wanted.version],
    ['world', world, wanted.world],
    ['seed', seed, wanted.seed],
  ] as const) {
    if (own === asked || (isOtherFile && what !== 'version')) continue;
    throw new SaveFileError(
      `${path} was saved with ${what} ${own}, and this is ${what} ${asked}; move the file away to start afresh.`,
    );
  }
  if (!Number.isSafeInteger(startMs) || Math.abs(startMs) > instantMsMax) {
    throw new SaveFileError(`line 1 of ${path} cannot be read: startMs is not an instant; mend the line.`);
  }
  const problem = readings === undefined ? null : whyNoSource(readings);
  if (problem !== null) throw new SaveFileError(`line 1 of ${path} cannot be read: ${problem}; mend the line.`);
  return { version, world, seed, startMs, ...(readings === undefined ? {} : { readings }) };
}

/** Years 0 to 9999, as every instant of a world. */
const instantMsMax = 253_402_300_799_999;

/** Names both ways out, because we cannot know which was meant. */
export function alteredSentence(path: string, number: number): string {
  return (
    `line ${number} of ${path} was changed by hand: its checksum is another line's. Remove the checksum at its end to have ` +
    'the line read as it is, or remove the line.'
  );
}
