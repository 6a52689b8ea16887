// One sub-command of `casa`: flags, help, and every error as one sentence with an exit code.
import { type FlagTable, type FlagValues, parseWords } from '../terminal/flag-parser.ts';
import type { Output } from '../terminal/output.ts';
import { RunError, UsageError } from '../terminal/usage-error.ts';

interface CommandLine<Table extends FlagTable> {
  readonly flags: FlagValues<Table>;
  readonly words: readonly string[];
}

interface Command<Table extends FlagTable> {
  readonly name: string;
  readonly table: Table;
  readonly usage: string;
  readonly takesWords?: boolean;
  /** Prints the result, and returns the exit code: 0 when absent. */
  run(line: CommandLine<Table>, output: Output): Promise<number | undefined> | number | undefined;
}

/** Returns a function from arguments to an exit code. */
export function command<Table extends FlagTable>({ name, table, usage, takesWords = false, run }: Command<Table>) {
  return withErrors(name, async (argv: readonly string[], output) => {
    const { values, words } = parseWords(argv, table, { takesWords });
    if (!('help' in values && values.help)) return (await run({ flags: values, words }, output)) ?? 0;
    output.write(usage);
    return 0;
  });
}

/** Reports an error in one sentence. The exit code is 1 for a failure of the machine, 2 for a mistake. */
export function withErrors<Argv extends readonly string[]>(
  name: string,
  run: (argv: Argv, output: Output) => Promise<number>,
): (argv: Argv, output: Output) => Promise<number> {
  return (argv, output) =>
    run(argv, output).catch((error: unknown) => {
      const isMistake = error instanceof UsageError;
      if (!isMistake && !(error instanceof RunError)) throw error;
      const hint = isMistake && !error.message.includes(`See casa ${name}`) ? ` See casa ${name} --help.` : '';
      output.error(`casa ${name}: ${error.message}${hint}\n`);
      return isMistake ? 2 : 1;
    });
}
