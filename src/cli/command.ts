// One sub-command of `casa`: flags, help, and every error as one sentence with an exit code.
import { defineOptions, type Options, type ValuesOf } from '../options/define-options.ts';
import { type FlagTable, parseWords } from '../terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../terminal/help.ts';
import type { Output } from '../terminal/output.ts';
import { RunError, UsageError } from '../terminal/usage-error.ts';

interface CommandLine<Table extends Options> {
  readonly flags: ValuesOf<Table>;
  readonly words: readonly string[];
}

interface Command<Table extends Options> {
  readonly name: string;
  readonly options: Table;
  /** The help before the flags, and after them. */
  readonly usage: string;
  readonly tail?: string;
  readonly exits: Readonly<Record<number, string>>;
  readonly takesWords?: boolean;
  /** Prints the result, and returns the exit code: 0 when absent. */
  run(line: CommandLine<Table>, output: Output): Promise<number | undefined> | number | undefined;
}

/** Returns a function from arguments to an exit code. */
export function command<Table extends Options>({
  name,
  options,
  usage,
  tail = '',
  exits,
  run,
  ...rules
}: Command<Table>) {
  const table = defineOptions(options);
  const flags: FlagTable = { ...table.flags, help: { short: 'h', help: 'Show this help' } };
  return withErrors(name, async (argv: readonly string[], output) => {
    const { values, words } = parseWords(argv, flags, rules);
    if (!values.help) return (await run({ flags: table.read(values), words }, output)) ?? 0;
    output.write(`${usage}\nFlags\n${describeFlags(flags)}\n${tail}${describeExits(exits)}`);
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
