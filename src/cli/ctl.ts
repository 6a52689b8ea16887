// `casa ctl`: the tools of the control MCP server as commands for a shell, with the same responses.

import { type AgentTool, agentTools, callTool, type Values } from '../admin/agent/tools.ts';
import { jsonOrText, parseJson } from '../contract/json.ts';
import { kebab } from '../contract/words.ts';
import { type Flag, type FlagTable, parseFlags, parseWords } from '../terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../terminal/help.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { askOverHttp } from '../transports/admin-ask.ts';
import { withErrors } from './command.ts';
import { findMock, tokenHelp, urlHelp } from './find-mock.ts';

const ownFlags = {
  url: { value: 'URL', help: urlHelp },
  'admin-token': { value: 'TOKEN', help: tokenHelp },
  help: { short: 'h', help: 'Show this help, or the flags of a command' },
} as const satisfies FlagTable;

const usageOf = ({ verb, word, required }: AgentTool) => {
  const name = word === 'id' ? 'NAME' : kebab(word ?? '').toUpperCase();
  return [verb, ...(word === undefined ? [] : [required.length > 0 ? name : `[${name}]`])].join(' ');
};

const usage = `casa ctl: control a running mock, with JSON responses

Usage
  casa ctl <command> [argument] [flags]

Commands
${agentTools.map((tool) => `  ${usageOf(tool).padEnd(20)}  ${tool.title}\n`).join('')}
Examples
  casa ctl advance 5m
  casa ctl fault 'listSites=503@1x'
  casa ctl respond listSites --body '{"data":[]}' --times 1

Flags
${describeFlags(ownFlags)}
${describeExits({ 0: 'The mock responded', 1: 'The mock rejected the command, or did not respond', 2: 'Invalid command or flag' })}`;

export const ctl = withErrors('ctl', async (argv: readonly string[], output) => {
  const [verb, ...rest] = verbFirst(argv);
  if (verb === undefined || verb.startsWith('-')) {
    output.write(usage);
    return argv.some((word) => /^(--help|-h)$/.test(word)) ? 0 : 2;
  }
  const tool = agentTools.find((known) => known.verb === verb);
  const verbs = agentTools.map((known) => known.verb);
  if (!tool)
    throw new UsageError(`Unknown command "${verb}".${didYouMean(verb, verbs)} Commands: ${verbs.join(', ')}.`);
  const own = flagsOf(tool);
  const { values, words } = parseWords(rest, { ...own, ...ownFlags } as FlagTable, { takesWords: true });
  if (values.help) {
    output.write(
      `casa ctl ${usageOf(tool)} [flags]\n\n${inShell(tool.description)}\n\nFlags\n${describeFlags({ ...own, ...ownFlags })}`,
    );
    return 0;
  }
  const asked = readValues(tool, values, words);
  const { origin, token } = await findMock(values);
  const { text, isError } = await callTool(tool, asked, askOverHttp(origin, token));
  (isError ? output.error : output.write)(`${text}\n`);
  if (/\badmin token\b/.test(text) && isError)
    output.error('casa ctl: use --admin-token TOKEN, or set CASA_ADMIN_TOKEN.\n');
  // A person reads them in a terminal, next to the JSON of a pipe.
  const { warnings = [] } = (parseJson(text) ?? {}) as { warnings?: readonly string[] };
  for (const warning of warnings) output.error(`casa ctl: ${warning}\n`);
  return isError ? 1 : 0;
});

/** The flags of every command can come before it: `casa ctl --url URL violations`. */
function verbFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (let word = argv[at]; word?.startsWith('-'); word = argv[at])
    at += /^--(url|admin-token)$/.test(word) && argv[at + 1] !== undefined ? 2 : 1;
  parseFlags(argv.slice(0, at), ownFlags);
  const verb = argv[at];
  return verb === undefined ? argv : [verb, ...argv.slice(0, at), ...argv.slice(at + 1)];
}

function flagsOf({ properties }: AgentTool): FlagTable {
  const rows = Object.entries(properties).map(([name, { type, description, enum: values }]): [string, Flag] => {
    const help = inShell(String(description ?? name));
    if (type === 'boolean') return [kebab(name), { help, negatable: true }];
    const kind = [type].flat()[0];
    const value = kind === 'integer' || kind === 'number' ? 'N' : kind === 'object' ? 'JSON' : 'VALUE';
    const names = ((values ?? []) as unknown[]).filter((one) => one !== null);
    const listed = names.length === 0 || names.length > 6 ? '' : `: ${names.join(', ')}`;
    return [kebab(name), { help: help.includes(':') ? help : help + listed, value }];
  });
  return Object.fromEntries(rows);
}

/** Names the commands instead of the tools. */
const inShell = (help: string) =>
  agentTools.reduce((named, { name, verb }) => named.replaceAll(name, `\`casa ctl ${verb}\``), help);

/** The arguments in the form of JSON; the mock checks them. */
function readValues(tool: AgentTool, flags: Readonly<Record<string, unknown>>, words: readonly string[]): Values {
  const [word, ...others] = words;
  const first = tool.word;
  const unexpected = first === undefined ? word : others[0];
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}". Usage: ${usageOf(tool)}.`);
  const given = Object.entries(tool.properties).flatMap(([name, { type }]) => {
    const text = flags[kebab(name)] ?? (name === first ? word : undefined);
    if (text === undefined) return [];
    return [[name, typeof text === 'string' && type !== 'string' ? readJson(name, text) : text]];
  });
  const values: Values = Object.fromEntries(given);
  const missing = tool.required.find((name) => values[name] === undefined);
  if (missing !== undefined) throw new UsageError(`Missing ${kebab(missing).toUpperCase()}. Usage: ${usageOf(tool)}.`);
  return values;
}

function readJson(name: string, text: string): unknown {
  try {
    return jsonOrText(text);
  } catch (error) {
    throw new UsageError(`--${kebab(name)} ${(error as Error).message}`);
  }
}
