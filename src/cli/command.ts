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

/** Returns a function from arguments to an exit code: 1 for a failure of the machine, 2 for a mistake. */
export function command<Table extends FlagTable>({ name, table, usage, takesWords = false, run }: Command<Table>) {
  return async (argv: readonly string[], output: Output): Promise<number> => {
    try {
      const { values, words } = parseWords(argv, table, { takesWords });
      if (!('help' in values && values.help)) return (await run({ flags: values, words }, output)) ?? 0;
      output.write(usage);
      return 0;
    } catch (error) {
      const isMistake = error instanceof UsageError;
      if (!isMistake && !(error instanceof RunError)) throw error;
      output.error(`casa ${name}: ${error.message}${isMistake ? ` See casa ${name} --help.` : ''}\n`);
      return isMistake ? 2 : 1;
    }
  };
}
