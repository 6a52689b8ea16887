import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from './csv.ts';

const read = (csv: string) => {
  const outcome = readCsv(csv);
  if (!outcome.ok) throw new Error(outcome.rejection.message);
  const sent = outcome.value;
  return sent.keys.map((_, index) => {
    const { phone, name, email, fields } = sent.contact(index);
    const own = Object.entries({ phone, name, email }).filter(([, value]) => value !== undefined);
    return Object.fromEntries([...own, ...Object.entries(fields)]);
  });
};
const problems = (csv: string) => {
  const outcome = readCsv(csv);
  return outcome.ok ? [] : (outcome.rejection.issues ?? []).map(({ message }) => message);
};
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('a csv of contacts', () => {
  it.each([
    ['line feeds', 'phone,name\n1234,Ada\n5678,Bo\n'],
    ['carriage returns before them', 'phone,name\r\n1234,Ada\r\n5678,Bo\r\n'],
    ['no end of the last line', 'phone,name\n1234,Ada\n5678,Bo'],
    ['a byte order mark', '\uFEFFphone,name\n1234,Ada\n5678,Bo\n'],
    ['quotes around everything', '"phone","name"\n"1234","Ada"\n"5678","Bo"\n'],
    ['empty lines', 'phone,name\n\n1234,Ada\n\n5678,Bo\n\n'],
    ['other spellings of the columns', 'Phone Number,Full name\n1234,Ada\n5678,Bo\n'],
  ])('may have %s', (_what, csv) => {
    expect(read(csv)).toEqual([
      { phone: '1234', name: 'Ada' },
      { phone: '5678', name: 'Bo' },
    ]);
  });

  it.each([
    ['', /empty/],
    ['name,email\nAda,a@x.example\n', /one of them must be phone/],
    ['phone,Telephone\n1,2\n', /"phone" twice/],
    [`phone${',x'.repeat(1000)}`, /^The first line of the csv names 1001 columns; at most 1000 are accepted\.$/],
    [`phone\n${'1\n'.repeat(20_001)}`, /^The csv has 20001 contacts; one call accepts at most 20,000\.$/],
    ['phone,name\n"1"2,Ada\n', /^Line 2 of the csv cannot be read/],
    ['phone,name\n1234\n', /^Line 2 of the csv has 1 values instead of 2\.$/],
    ['phone,name\n1234,Ada\n5678,Bo,x\n', /^Line 3 of the csv has 3 values instead of 2\.$/],
    ['phone,name\n1234,"Ada\n', /Line \d of the csv cannot be read/],
    ['phone,name\n1234,A"da\n', /Line \d of the csv cannot be read/],
  ])('is rejected when it is %j', (csv, message) => {
    expect(problems(csv)).toEqual([expect.stringMatching(message)]);
  });

  it('may have columns with the names of fields that every object has', () => {
    const [contact = {}] = read('constructor,phone,__proto__\na,1234,b');
    expect(Object.entries(contact).map(String).sort()).toEqual(['__proto__,b', 'constructor,a', 'phone,1234']);
  });

  it('counts the lines inside of quotes', () => {
    expect(problems('phone,name\n1,"a\nb\nc"\n2\n')).toEqual(['Line 5 of the csv has 1 values instead of 2.']);
  });

  it('names every line that is broken', () => {
    expect(problems('phone,name\n1\n2,b\n3,c,d\n')).toHaveLength(2);
  });

  it('returns quoted text unchanged, and leaves out empty cells of unknown columns', () => {
    const field = fc.string({ unit: 'grapheme', maxLength: 12 });
    const record = fc.record({ phone: field, name: field, note: field });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (records, end) => {
        const lines = records.map(({ phone, name, note }) => [phone, name, note].map(quote).join(','));
        expect(read(['phone,name,note', ...lines].join(end))).toEqual(
          records.map(({ note, ...own }) => (note === '' ? own : { ...own, note })),
        );
      }),
    );
  });

  it('never throws, for any text', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', '\uFEFF') }));
    fc.assert(
      fc.property(text, (csv) => {
        const outcome = readCsv(`phone,name\n${csv}`);
        if (!outcome.ok) expect(outcome.rejection.issues?.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
