// A profile in a file: read, checked, and rejected with one sentence.
import { type Profile, readProfile } from '../contract/profile.ts';
import { readNamed } from './file-trouble.ts';
import { UsageError } from './usage-error.ts';

const bytesMax = 1_000_000;

/** Throws a UsageError, which begins with `name`, for a file that cannot be read or is not a profile. */
export function readProfileFile(name: string, file = name): Profile {
  const text = readNamed(name, file, bytesMax);
  try {
    return readProfile(JSON.parse(text));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new UsageError(`${name} cannot be used: ${why}.`);
  }
}
