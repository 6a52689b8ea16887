// The command line of `casa mock`: flags from the table of options, and the help text.

import { behaviors } from '../contract/generated/behaviors.ts';
import { kebab } from '../contract/words.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import { faultGrammar } from '../engine/fault-spec.ts';
import { preferGrammar } from '../http/prefer.ts';
import { mockGroups, mockOptions } from '../options/mock-options.ts';
import type { FlagTable } from '../terminal/flag-parser.ts';
import { describeExits, describeGroups } from '../terminal/help.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** The order is that of the help text. */
export const mockFlags: FlagTable = {
  ...mockOptions.flags,
  help: {
    group: 'Output',
    short: 'h',
    value: 'TOPIC',
    optional: 'word',
    help: 'Show this help, or help about faults, behaviors, config or all',
  },
};

const exits = {
  0: 'Stopped by SIGINT or SIGTERM',
  1: 'Failed while running',
  2: 'Invalid flag, config file or data file',
};

const faultsHelp = () => `${faultGrammar}\n${preferGrammar}`;

function behaviorsHelp(): string {
  const rows = behaviorSpellings.map(([spelling, about]) => `  ${spelling}\n      ${about}\n`).join('');
  return `Unspecified behaviors: --behavior NAME=VALUE
  The contract leaves these details open. The first value is the default.
  reject: 400. clamp: use the nearest valid value. ignore: as if absent. served: success.

${rows}`;
}

const configHelp = () => `Config file: casa.config.json, .js, .mjs or .ts in the working directory
  { "port": 4020, "fault": ["createPost=transient@1x"], "limits": false, "settleS": 0 }
  Write flags in camel case. The field settleS (--settle) is in seconds. Flags override the
  file. To override false, use --cors or --limits.
`;

/** Returns the help; without `isAll`, only with the flags that most users need. */
function mockHelp(isAll = false): string {
  return `casa mock: start the mock server

Usage
  casa mock [flags]

Examples
  casa mock                            Listen on http://127.0.0.1:4010/api/v1 with sample data
  casa mock --port 0 --relaxed         Use any free port, without rate limits
  casa mock --save casa.state          Keep data across restarts
  casa mock --fault '*=transient@0.1'  Return 503 to about 10% of requests

${describeGroups(mockFlags, mockGroups, isAll)}${describeExits(exits)}`;
}

/** The page of each topic. The page '' is `--help` alone. */
export const mockTopics = {
  '': () => `${mockHelp()}\nDocumentation: docs/mock.md. All flags: casa mock --help all\n`,
  faults: faultsHelp,
  behaviors: behaviorsHelp,
  config: configHelp,
  all: () => [mockHelp(true), faultsHelp(), behaviorsHelp(), configHelp()].join('\n'),
};

// `--behavior retry-after=always`: unspecified behavior, by the names of spec/assumptions.md.

/** Behaviors with a few values, the default first; forms, shapes and sizes come with a profile. */
const chosen = Object.entries(behaviors).flatMap(([id, row]) =>
  'values' in row ? [{ id, flag: kebab(id), values: row.values as readonly string[], about: row.about }] : [],
);

/** `name=a|b` for each behavior, with its description. */
export const behaviorSpellings = chosen.map(
  ({ flag, values, about }) => [`${flag}=${values.join('|')}`, about] as const,
);

/** Takes names as flags and config files spell them. Throws a `UsageError` for one, or a value, that does not exist. */
export function parseBehaviors(wishes: Readonly<Record<string, string>>): Partial<WorldBehavior> {
  const entries = Object.entries(wishes).map(([name, value]) => {
    const { id, values = [] } = chosen.find(({ flag }) => flag === kebab(name)) ?? {};
    if (id === undefined) {
      const hint = didYouMean(
        name,
        chosen.map(({ flag }) => flag),
      );
      throw new UsageError(`there is no behavior "${name}".${hint} See casa mock --help behaviors.`);
    }
    if (values.includes(value)) return [id, value];
    throw new UsageError(`the behavior ${name} takes ${values.join(' or ')}, not "${value}".`);
  });
  return Object.fromEntries(entries);
}
