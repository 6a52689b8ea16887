// For tests: runs the command `conformance` in this process, and returns its output.
import { main } from '../../conformance/cli/command.ts';
import type { KitClock } from '../../conformance/pace/clock.ts';

/** A key of the right form. */
export const kitEnv = { CONFORMANCE_API_KEY: 'key_0123456789abcdef0123456789abcdef' };

/** The cache directory of the tests, separate from the user's. */
export const ownCache = { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? '' };

/** The exit code, and both outputs as in a file: no color, 80 columns. */
export async function conformance(
  args: readonly string[],
  env: Record<string, string> = kitEnv,
  clock?: KitClock,
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const keepOut = (text: string) => {
    out += text;
  };
  const keepErr = (text: string) => {
    err += text;
  };
  const code = await main(
    args,
    { ...ownCache, ...env },
    {
      out: keepOut,
      err: { isTty: false, columns: 80, write: keepErr },
      hasColor: false,
      ...(clock ? { clock } : {}),
    },
  );
  return { code, out, err };
}
