import { describe, expect, it } from 'vitest';
import { type FlagTable, parseFlags, parseWords } from './flag-parser.ts';
import { describeFlags, helpOn } from './help.ts';

const table = {
  port: { short: 'p', value: 'N', help: 'a port' },
  cors: { negatable: true, isOn: true, help: 'cors' },
  grease: { value: 'SEED', optional: true, help: 'grease' },
  fault: { value: 'SPEC', repeat: true, help: 'a fault' },
  quiet: { help: 'say nothing' },
  help: { value: 'TOPIC', optional: 'word', help: 'this text' },
} as const satisfies FlagTable;

describe('flags', () => {
  it.each([
    [['--port', '0'], { port: '0' }],
    [['--port=0'], { port: '0' }],
    [['-p', '80'], { port: '80' }],
    [['-p80'], { port: '80' }],
    [['-p=80'], { port: '80' }],
    [['--port', '-1'], { port: '-1' }],
    [['--port', '1', '--port', '2'], { port: '2' }],
    [['--cors'], { cors: true }],
    [['--no-cors'], { cors: false }],
    [['--grease'], { grease: true }],
    [['--grease=7'], { grease: '7' }],
    [['--grease', '--quiet'], { grease: true, quiet: true }],
    [['--fault', 'a=b', '--fault=c=d'], { fault: ['a=b', 'c=d'] }],
    [['--help', '--quiet'], { help: true, quiet: true }],
    [['--help', 'all'], { help: 'all' }],
    [['--help=all'], { help: 'all' }],
    [[], {}],
  ])('%j are read', (argv, values) => {
    expect(parseFlags(argv, table)).toEqual(values);
  });

  it.each([
    [['--prot', '1'], 'Unknown flag --prot. Did you mean --port?'],
    [['--no-croc'], 'Unknown flag --no-croc. Did you mean --no-cors?'],
    [['--choice', 'a=b'], 'Unknown flag --choice.'],
    [['--zebra'], 'Unknown flag --zebra.'],
    [['--no-quiet'], 'Unknown flag --no-quiet.'],
    [['-x'], 'Unknown flag -x.'],
    [['--port'], '--port needs a value: --port N.'],
    [['--port', '--quiet'], '--port needs a value: --port N.'],
    [['-p'], '-p needs a value: -p N.'],
    [['--quiet=yes'], '--quiet takes no value: remove "=yes".'],
    [['--no-cors=1'], '--no-cors takes no value: remove "=1".'],
    [['4010'], '"4010" is not a flag, and this command takes only flags.'],
    [['--grease', '7'], '"7" is not a flag. Did you mean --grease=7?'],
    [['--grease', '--quiet', '7'], '"7" is not a flag, and this command takes only flags.'],
    [['--'], '"--" is not a flag, and this command takes only flags.'],
  ])('%j are rejected', (argv, sentence) => {
    expect(() => parseFlags(argv, table)).toThrow(new Error(sentence));
  });
});

it('gives back the words next to the flags of a command that takes some', () => {
  expect(parseWords(['a', '--quiet', 'b'], table, { takesWords: true })).toEqual({
    values: { quiet: true },
    words: ['a', 'b'],
  });
});

it('rejects repeated flags if required', () => {
  expect(() => parseWords(['--port', '1', '--port', '2'], table, { isStrict: true })).toThrow('--port is given twice.');
  expect(parseWords(['--fault', 'a', '--fault', 'b'], table, { isStrict: true }).values).toEqual({ fault: ['a', 'b'] });
});

it('describes every flag on a separate line', () => {
  expect(describeFlags(table).split('\n')).toEqual([
    '  -p, --port N         a port',
    '      --no-cors        cors',
    '      --grease[=SEED]  grease',
    '      --fault SPEC     a fault',
    '      --quiet          say nothing',
    '      --help [TOPIC]   this text',
    '',
  ]);
});

it('lists the topics of the help when it rejects an unknown one', () => {
  const pages = { '': () => 'first', all: () => 'all', faults: () => 'faults' };
  expect([true, 'all'].map((topic) => helpOn(topic as string, pages))).toEqual(['first', 'all']);
  expect(() => helpOn('fault', pages)).toThrow(
    'Unknown help topic "fault". Did you mean "faults"? Topics: all, faults.',
  );
});
