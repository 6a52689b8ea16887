// `--profile FILE`: read, checked, and refused with one sentence.
import { readFileSync, statSync } from 'node:fs';
import { type Profile, readProfile } from '../contract/profile.ts';
import { whyUnreadable } from '../terminal/file-trouble.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** A profile with the file it came from. */
export interface LoadedProfile {
  readonly file: string;
  readonly profile: Profile;
}

const bytesMax = 1_000_000;

/** Throws a UsageError for a file that cannot be read or is no profile. */
export function loadProfile(file: string): LoadedProfile {
  let text: string;
  try {
    if (statSync(file).size > bytesMax) throw new UsageError(`--profile: ${file} is larger than a profile can be.`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--profile: ${file} ${whyUnreadable(error)}.`);
  }
  try {
    return { file, profile: readProfile(JSON.parse(text)) };
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--profile: ${file} cannot be used: it is not JSON.`);
    throw new UsageError(`--profile: ${file} cannot be used: ${(error as Error).message.replaceAll(/\s+/g, ' ')}.`);
  }
}
