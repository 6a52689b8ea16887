// `--record FILE`: what passes between mock and deployment, as a HAR that `conformance har` reads. The file is whole
// after each entry, so a killed mock leaves a good one.
import { closeSync, writeSync } from 'node:fs';
import { whyUnwritable } from '../../terminal/file-trouble.ts';
import { createOwn, type FileKind } from '../../terminal/own-file.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { readVersion } from '../../terminal/version.ts';

/** As much as `conformance har` takes. */
const recordLimits = { entries: 20_000, bytes: 200_000_000 };

export interface Recording {
  add(entry: object): void;
  close(): void;
}

const end = ']}}\n';

/** Begins the file again. `tell` hears once why nothing more is recorded. */
export function openRecording(
  file: string,
  tell: (sentence: string) => void,
  limits: typeof recordLimits = recordLimits,
): Recording {
  const creator = { name: 'casa mock', version: readVersion() };
  const head = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"pages":[],"entries":[`;
  const handle = openFile(file, head + end);
  let position = Buffer.byteLength(head);
  let [entries, isOpen] = [0, true];
  const stop = (why: string) => {
    isOpen = false;
    closeSync(handle);
    tell(`${file} ${why}; later requests are not recorded.`);
  };
  return {
    add(entry) {
      if (!isOpen) return;
      const bytes = Buffer.from(`${entries === 0 ? '' : ','}\n${JSON.stringify(entry)}`);
      const isFull = entries >= limits.entries || position + bytes.length + end.length > limits.bytes;
      if (isFull) return stop('is full');
      try {
        // In one piece, over the end of the one before.
        writeSync(handle, Buffer.concat([bytes, Buffer.from(end)]), 0, undefined, position);
      } catch (error) {
        return stop(whyUnwritable(error));
      }
      position += bytes.length;
      entries += 1;
    },
    close() {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}

const recordFile: FileKind = {
  name: 'recording of casa mock',
  start: /^\{"log":\{"version":"1\.2","creator":\{"name":"casa mock"/,
  isPrivate: true,
};

function openFile(file: string, text: string): number {
  try {
    return createOwn(file, text, recordFile);
  } catch (error) {
    throw new UsageError(`--record: ${file} ${whyUnwritable(error)}.`);
  }
}
