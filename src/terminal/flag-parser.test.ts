import { describe, expect, it } from 'vitest';
import { describeFlags, type FlagTable, parseFlags, parseWords } from './flag-parser.ts';

const table = {
  port: { short: 'p', value: 'N', help: 'a port' },
  cors: { negatable: true, help: 'cors' },
  grease: { value: 'SEED', optional: true, help: 'grease' },
  fault: { value: 'SPEC', repeat: true, help: 'a fault' },
  quiet: { help: 'say nothing' },
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
    [[], {}],
  ])('%j are read', (argv, values) => {
    expect(parseFlags(argv, table)).toEqual(values);
  });

  it.each([
    [['--prot', '1'], 'there is no flag --prot. Did you mean --port?'],
    [['--no-croc'], 'there is no flag --no-croc. Did you mean --no-cors?'],
    [['--choice', 'a=b'], 'there is no flag --choice.'],
    [['--zebra'], 'there is no flag --zebra.'],
    [['--no-quiet'], 'there is no flag --no-quiet.'],
    [['-x'], 'there is no flag -x.'],
    [['--port'], '--port needs a value: --port N.'],
    [['--port', '--quiet'], '--port needs a value: --port N.'],
    [['-p'], '-p needs a value: -p N.'],
    [['--quiet=yes'], '--quiet takes no value, so "=yes" must go.'],
    [['--no-cors=1'], '--no-cors takes no value, so "=1" must go.'],
    [['4010'], '"4010" is not a flag, and the command takes nothing more.'],
    [['--grease', '7'], '"7" is not a flag. Did you mean --grease=7?'],
    [['--grease', '--quiet', '7'], '"7" is not a flag, and the command takes nothing more.'],
    [['--'], '"--" is not a flag, and the command takes nothing more.'],
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

it('rejects a flag that is given twice where that is asked for', () => {
  expect(() => parseWords(['--port', '1', '--port', '2'], table, { isStrict: true })).toThrow('--port stands twice.');
  expect(parseWords(['--fault', 'a', '--fault', 'b'], table, { isStrict: true }).values).toEqual({ fault: ['a', 'b'] });
});

it('describes every flag on a line of its own', () => {
  expect(describeFlags(table).split('\n')).toEqual([
    '  -p, --port N           a port',
    '      --cors, --no-cors  cors',
    '      --grease[=SEED]    grease',
    '      --fault SPEC       a fault',
    '      --quiet            say nothing',
    '',
  ]);
});
