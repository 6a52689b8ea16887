// From values to their shape: names, JSON types and forms, small vocabularies, and nothing of a customer.
import { plainInstantForm, textForm } from '../../src/contract/forms.ts';
import type { Shape, ShapeType } from '../../src/contract/shape.ts';
import { isObject } from '../exchange/exchange.ts';

const membersMax = 60;
const depthMax = 5;
const wordsMax = 8;
/** A word of the service comes again and again; a name of a person hardly does. */
const timesMin = 3;
const word = /^[a-z][a-z0-9]*([ _-][a-z0-9]+){0,3}$/;
const id = /(^|_)(id|uid|uuid|sid|ref|key|number)$|(Id|Sid|Uid|Ref)$/;
const formsMax = 8;
const personal = /name|author|agent|customer|contact|person|user|owner|mail|phone|text|title|label|note|city|street/i;

/** The shape of all the values together; null where they have nothing in common, or there is none. */
export function learnShape(values: readonly unknown[], name = '', depth = 0): Shape | null {
  const present = values.filter((value) => value !== null && value !== undefined);
  const nullable = values.some((value) => value === null) ? { nullable: true } : {};
  const types = new Set(present.map(typeOf));
  if (types.has('integer') && types.has('number')) types.delete('integer');
  if (types.size > 1 || depth > depthMax) return null;
  const [type] = types;
  if (type === undefined) return values.length === 0 ? null : { type: 'null' };
  switch (type) {
    case 'object':
      return { type, ...nullable, ...membersOf(present as Record<string, unknown>[], depth) };
    case 'array': {
      const items = learnShape((present as unknown[][]).flat(), name, depth + 1);
      return { type, ...nullable, ...(items === null ? {} : { items }) };
    }
    case 'string':
      return { type, ...nullable, ...textOf(present as string[], name) };
    case 'integer':
    case 'number': {
      const form = sameForm(present as number[], plainInstantForm);
      return { type, ...nullable, ...(form === null ? {} : { form }) };
    }
    default:
      return { type, ...nullable };
  }
}

function typeOf(value: unknown): ShapeType {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as ShapeType;
  return 'object';
}

/** Names that look like ids are data, and such an object is a map whose names nobody may keep. */
function membersOf(records: readonly Record<string, unknown>[], depth: number): Pick<Shape, 'members'> {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const isMap = names.length > membersMax || names.some((name) => /^\d+$|^[0-9a-f-]{16,}$|@|\s/i.test(name));
  if (isMap) return {};
  const members = names.flatMap((name): [string, Shape][] => {
    const values = records.filter((record) => Object.hasOwn(record, name)).map((record) => record[name]);
    const shape = learnShape(values, name, depth + 1);
    if (shape === null) return [];
    return [[name, values.length < records.length ? { ...shape, optional: true } : shape]];
  });
  return { members: Object.fromEntries(members) };
}

/** Instants first, then a small vocabulary, then the form. */
function textOf(texts: readonly string[], name: string): Pick<Shape, 'form' | 'values'> {
  const instants = [...new Set(texts.map(plainInstantForm))].sort();
  if (instants.length <= formsMax && instants.every((form) => form !== null)) return { form: instants.join(' | ') };
  const words = [...new Set(texts)].sort();
  const isVocabulary =
    words.length <= wordsMax && texts.length >= timesMin * words.length && words.every((each) => word.test(each));
  if (isVocabulary && !personal.test(name) && !id.test(name)) return { values: words };
  return { form: sameForm(texts, textForm) ?? 'text' };
}

function sameForm<Value>(values: readonly Value[], formOf: (value: Value) => string | null): string | null {
  const forms = new Set(values.map(formOf));
  const [form] = forms;
  return forms.size === 1 && form !== undefined ? form : null;
}

/** The members of objects that are not among the listed ones. */
export function extrasShape(records: readonly unknown[], listed: readonly string[]): Shape | null {
  const objects = records.filter(isObject);
  const extras = objects.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !listed.includes(name))),
  );
  if (extras.every((extra) => Object.keys(extra).length === 0)) return null;
  return learnShape(extras);
}
