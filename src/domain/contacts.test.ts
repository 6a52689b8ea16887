import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Contacts, readRows } from './contacts.ts';
import { createRandom } from './random.ts';

const problemsOf = (...phones: unknown[]) => readRows(phones.map((phone) => ({ phone }))).problems();

describe('the phone of a contact', () => {
  it.each([
    ['+1 (555) 010-0', '+15550100'],
    ['1 555 0100', '15550100'],
    [' 123 ', '123'],
    ['+1.2/3-4', '+1234'],
    ['(123)', '123'],
    ['123456789012345', '123456789012345'],
    ['+1 2 3 4 5 6 7 8 9 0 1 2 3 4 5', '+123456789012345'],
    ['\u00a0555\u00a0', '555'],
  ])('is known by its digits: %j', (phone, key) => {
    const sent = readRows([{ phone }]);
    expect([sent.problems(), sent.keys]).toEqual([[], [key]]);
  });

  it.each([
    ['12', 'phone'],
    ['+1 2', 'phone'],
    ['1234567890123456', 'phone'],
    ['1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6', 'phone'],
    ['1+555', 'phone'],
    ['++1555', 'phone'],
    ['555x', 'phone'],
    ['٣٤٥', 'phone'],
    ['555\n0100', 'phone'],
    ['', 'required'],
    [' \t', 'required'],
    [undefined, 'required'],
    [5550100, 'required'],
  ])('is rejected: %j', (phone, rule) => {
    expect(problemsOf('555', phone)).toMatchObject([{ path: '/rows/1/phone', rule }]);
  });

  it('has 3 to 15 digits and common punctuation only, for any text', () => {
    const unit = fc.constantFrom('+', '1', '2', '0', ' ', '(', ')', '-', '.', '/', 'x', ',');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 24 }), (phone) => {
        const digits = phone.replace(/\D/g, '').length;
        const isGood = /^\+?[\d ()./-]+$/.test(phone.trim()) && digits >= 3 && digits <= 15;
        expect(problemsOf(phone)).toHaveLength(isGood ? 0 : 1);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an import', () => {
  const random = createRandom(1);
  const importedAt = '2026-01-01T00:00:00.000Z';

  it('gives a contact that comes twice one id, and keeps the second one', () => {
    const contacts = new Contacts();
    const sent = readRows([{ phone: '555', name: 'A' }, { phone: '556' }, { phone: '5-5-5', name: 'B' }]);
    const drafted = contacts.draftImport(sent, random);
    if (!drafted.ok) throw new Error('The rows are good.');
    const { contactIds, ...counts } = drafted.value;
    expect(counts).toEqual({ imported: 2, updated: 1, total: 2 });
    contacts.putImport(sent, { contactIds, importedAt });
    expect(contacts.toData().map(({ contactId, phone, name }) => [contactId, phone, name])).toEqual([
      [contactIds[0], '5-5-5', 'B'],
      [contactIds[1], '556', null],
    ]);
    expect(contactIds[2]).toBe(contactIds[0]);
  });

  it('of a contact of the world keeps its id and its place', () => {
    const known = { contactId: 'mine', phone: '555', name: null, email: null, fields: {}, importedAt };
    const contacts = new Contacts([known, { ...known, contactId: 'other', phone: '556' }]);
    const sent = readRows([{ phone: '555', email: 'a@x.example' }]);
    const drafted = contacts.draftImport(sent, random);
    if (!drafted.ok) throw new Error('The row is good.');
    contacts.putImport(sent, { ...drafted.value, importedAt });
    expect(contacts.toData().map(({ contactId, email }) => [contactId, email])).toEqual([
      ['mine', 'a@x.example'],
      ['other', null],
    ]);
  });
});
