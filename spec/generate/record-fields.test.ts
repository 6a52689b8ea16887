import { expect, test } from 'vitest';
import { homes } from '../../conformance/checks/rules/shapes.ts';
import { clauses } from '../../src/contract/generated/clauses.ts';
import { readContract } from './document.ts';
import { emitRecordFields } from './record-fields.ts';

const contract = readContract(new URL('..', import.meta.url));

test('a new field of the contract is in the table of fields, without a list to be mended', () => {
  const schemas = structuredClone(contract.schemas);
  Object.assign(schemas.Site?.properties ?? {}, { timezone: { type: ['string', 'null'] } });
  Object.assign(schemas.ReviewItem?.properties ?? {}, { photo: { type: 'object', properties: { url: {} } } });
  const text = emitRecordFields({ ...contract, schemas });
  expect(text).toMatch(/"Site": \[.*"timezone"\]/);
  expect(text).toContain('"ReviewItem.photo": ["url"]');
  expect(text).toMatch(/nullableFields.*"timezone"/);
});

test('each field of an article, a site or a keyword has its own clause', () => {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const records = Object.values(homes).flatMap((objects) => objects.filter(({ clauses: of }) => /^2\.\w+$/.test(of)));
  const ids = records.flatMap(({ clauses: table, fields }) => fields.map((name) => `${table}.${kebab(name)}`));
  expect(ids.length).toBeGreaterThan(20);
  expect(ids.filter((id) => !Object.hasOwn(clauses, id))).toEqual([]);
});
