// From values to their shape: names, JSON types and forms, small vocabularies, and nothing of a customer.
import { joinForms, plainTimestampForm, telephoneForm, textForm } from '../../src/contract/forms.ts';
import { fields as listed } from '../../src/contract/generated/record-fields.ts';
import { type Shape, type ShapeType, textMax } from '../../src/contract/shape.ts';
import { isObject } from '../exchange/exchange.ts';
import { dataName, isDataName } from '../exchange/personal.ts';

const fieldsMax = 60;
const depthMax = 6;
const wordsMax = 8;
/** A word of the service comes again and again; a name of a person hardly does. */
const timesMin = 3;
const word = /^[a-z][a-z0-9]{0,30}([ _-][a-z0-9]{1,30}){0,3}$/;
const wordCharactersMax = 60;

/** Fields whose words are those of the service, by the last word of their names: an outcome, a cause of hanging up. */
const ofService = new Set(
  (
    'status state direction type kind outcome result disposition reason channel source medium mode category class ' +
    'cause phase stage step priority severity urgency level quality sentiment language locale currency unit provider ' +
    'platform service protocol codec format method action event trigger intent hangup visibility access role'
  ).split(' '),
);
/** Fields of a person whose values do not identify anyone. */
const ofPerson = new Set('status state type kind direction mode channel role'.split(' '));
/** Without the s of the plural. */
const personal = new Set(
  (
    'name author agent customer client contact person people user field owner caller callee operator assignee ' +
    'employee staff rep lead patient account company organization organisation email mail phone text title label ' + // words-ok
    'note city street address login'
  ).split(' '),
);

const ofApi: ReadonlySet<string> = new Set([
  ...[...ofService, ...personal],
  ...Object.values(listed).flat().flatMap(wordsOf),
  ...(
    'abandoned active after amount answer answered at attempt average avg base before begin begun billing bit ' +
    'body business by bytes call callback campaign canceled carrier cause checksum code completed ' +
    'connected content context conversation count country county created credit ctx currency cursor daily date ' +
    'day debit declined delay delete deleted depth description detail device dialed digest disconnected display ' +
    'distance domain done duration elapsed email end ended entry error event expires extension external extra ' +
    'failed fault fax file final first flag folder for free from full function given goal group hash header ' +
    'height history hold hop host hour href html icon idle image in inbound index info input internal invalid ip ' +
    'is item jitter job kind lang last lat latency latitude leg length level limit line link list lng local ' +
    'locale location log lon longitude loss main max mean measure media median message meta min minute missed ' +
    'mobile model month more ms new next node note number object of off offset old on open order origin other ' +
    'out outbound output over packet page param parent part party path payload payment pending percent ' +
    'percentile period phone plan point position postal prefix preset prev previous price primary private ' +
    'problem product province public quality queue range rank rate rating ratio raw read real recording ref ' +
    'region related remote reply request response result retry ring ringing root row run sample schema score ' +
    'second self sent session share short sid signature since size sort span speed start started stat state ' +
    'stats step store sub subject sum summary system tag talk talking target task tax team template term thread ' +
    'thumbnail time timeout timestamp timezone to token total trace transcript transfer tries try tz uid unique ' +
    'until updated uri url usage used uuid validation validator value variant version via view violation ' +
    'voicemail wait waiting week weight width word wrap year zip zone'
  ).split(' '),
]);

/** The common shape of all values; null if they have none. The path begins with the kind of their record. */
export function learnShape(values: readonly unknown[], path: readonly string[] = ['record']): Shape | null {
  const depth = path.length;
  const present = values.filter((value) => value !== null && value !== undefined);
  const nulls = roundShare(values.filter((value) => value === null).length / values.length);
  const nullable = nulls > 0 ? { nullable: true, nulls } : {};
  const types = new Set(present.map(typeOf));
  if (types.has('integer') && types.has('number')) types.delete('integer');
  if (types.size > 1 || depth > depthMax) return null;
  const [type] = types;
  if (type === undefined) return values.length === 0 ? null : { type: 'null' };
  switch (type) {
    case 'object':
      return { type, ...nullable, ...fieldsOf(present as Record<string, unknown>[], path) };
    case 'array': {
      const items = learnShape((present as unknown[][]).flat(), [...path, '']);
      return { type, ...nullable, ...(items === null ? {} : { items }) };
    }
    case 'string':
      return { type, ...nullable, ...textOf(present as string[], path), ...blanksOf(present as string[]) };
    case 'integer':
    case 'number': {
      const form = sameForm(present as number[], plainTimestampForm);
      return { type, ...nullable, ...(form === null ? {} : { form }) };
    }
    default:
      return { type, ...nullable };
  }
}

/** Two digits; a share that is not 0 stays above it. */
const roundShare = (share: number): number => (share > 0 ? Math.max(0.01, Math.round(share * 100) / 100) : 0);

function blanksOf(texts: readonly string[]): Pick<Shape, 'blanks'> {
  const share = roundShare(texts.filter((text) => text === '').length / texts.length);
  return share > 0 ? { blanks: share } : {};
}

function typeOf(value: unknown): ShapeType {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as ShapeType;
  return 'object';
}

/** Names that are data have one placeholder, which the values of all of them describe. */
function fieldsOf(records: readonly Record<string, unknown>[], path: readonly string[]): Pick<Shape, 'fields'> {
  const names = namesOf(records);
  if (names === null) return {};
  const ofMap = dataNames(names, records, path);
  const kept = names.filter((name) => name.length <= textMax && !ofMap.has(name));
  const fields = [...kept, ...(ofMap.size > 0 ? [dataName] : [])].flatMap((name): [string, Shape][] => {
    const own = name === dataName ? [...ofMap] : [name];
    const holders = records.filter((record) => own.some((each) => Object.hasOwn(record, each)));
    const values = holders.flatMap((record) =>
      own.flatMap((each) => (Object.hasOwn(record, each) ? [record[each]] : [])),
    );
    const shape = learnShape(values, [...path, name]);
    if (shape === null) return [];
    const absent = roundShare(1 - holders.length / records.length);
    return [[name, absent > 0 ? { ...shape, optional: true, absent } : shape]];
  });
  return { fields: Object.fromEntries(fields) };
}

/**
 * The names of an object that are those of its data. With one of them the whole object is a map. Otherwise names that
 * an API does not use are data if all their values are alike and if the object is part of a record, or if most
 * records have others: `{ usage: { ann_smith: { n: 1 } } }`.
 */
function dataNames(
  names: readonly string[],
  records: readonly Record<string, unknown>[],
  path: readonly string[],
): ReadonlySet<string> {
  // A calibrated mock shows the placeholder.
  if (names.some((name) => name !== dataName && isDataName(name))) return new Set(names);
  const unusual = names.filter((name) => !isFieldName(name));
  const holders = unusual.map((name) => records.filter((record) => Object.hasOwn(record, name)));
  const values = unusual.flatMap((name, at) => (holders[at] ?? []).map((record) => record[name]));
  const types = new Set(
    values.filter((value) => value !== null).map((value) => typeOf(value).replace('integer', 'number')),
  );
  const isRare = unusual.length >= timesMin && holders.every(({ length }) => length <= records.length / timesMin);
  const isMap = types.size === 1 && (path.length > 1 || isRare);
  return new Set(unusual.filter((name) => isMap || name === dataName));
}

export const isFieldName = (name: string): boolean =>
  wordsOf(name).every((each) => /^\d{1,3}$/.test(each) || ofApi.has(each) || ofApi.has(each.replace(/(?<!s)s$/, ''))) &&
  !isDataName(name);

/** Null where there are too many for fields. */
function namesOf(records: readonly object[]): string[] | null {
  const names = new Set<string>();
  for (const record of records) {
    for (const name in record) names.add(name);
    if (names.size > fieldsMax) return null;
  }
  return [...names];
}

/** Timestamps first, then a small vocabulary, then the form. */
function textOf(texts: readonly string[], path: readonly string[]): Pick<Shape, 'form' | 'values'> {
  const timestamps = texts.map(plainTimestampForm).filter((form) => form !== null);
  if (texts.length > 0 && timestamps.length === texts.length)
    return { form: joinForms(byFrequency(timestamps), textMax) };
  const words = [...new Set(texts)].sort();
  const isVocabulary = words.length <= wordsMax && texts.length >= timesMin * words.length && words.every(isWord);
  if (isVocabulary && isOfService(path)) return { values: words };
  return { form: closerForm(sameForm(texts, textForm) ?? mixedForm(texts), texts) };
}

/** Ids of several forms are ids still, and no prose. */
function mixedForm(texts: readonly string[]): string {
  const ofIds = new Set(['uuid', 'UUID', 'digits', 'hex', 'opaque']);
  return texts.every((text) => ofIds.has(textForm(text))) ? 'opaque' : 'text';
}

/** The common part of the values in addition to their form: groups of digits, or a prefix. */
function closerForm(form: string, texts: readonly string[]): string {
  if (form === 'telephone') return sameForm(texts, telephoneForm) ?? form;
  return form === 'opaque' ? (prefixedForm([...new Set(texts)]) ?? form) : form;
}

/** `call_`, `rec-`: a prefix that many ids share, and that begins a word of the service. Others may be a customer's. */
function prefixedForm(texts: readonly string[]): string | null {
  const parts = texts.map((text) => /^([a-z]{2,12})([_-])([\w.:~-]{6,})$/.exec(text));
  const [, prefix = '', mark = ''] = parts[0] ?? [];
  const isShared = parts.every((part) => part?.[1] === prefix && part[2] === mark);
  const isOfIds = parts.filter((part) => /\d/.test(part?.[3] ?? '')).length * 2 >= parts.length;
  if (texts.length < timesMin || !isShared || !isOfIds || !nouns.some((noun) => noun.startsWith(prefix))) return null;
  return `${prefix}${mark}+${
    sameForm(
      parts.map((part) => part?.[3] ?? ''),
      textForm,
    ) ?? 'opaque'
  }`;
}

const nouns = (
  'call recording session event conversation message log entry record agent account contact customer user ' +
  'organization usr rec msg org evt conv cus acct'
).split(' ');

const isWord = (text: string): boolean => text.length <= wordCharactersMax && word.test(text);

function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([text]) => text);
}

/** Allows only values that are very unlikely to identify a person. Entries of a list count as the list. */
function isOfService(path: readonly string[]): boolean {
  const names = path.filter((name) => name !== '').map(wordsOf);
  // A code is as sensitive as its parent: `result.code`, `statusCode`.
  const last = names.flat().findLast((each) => each !== 'code') ?? '';
  return (
    ofService.has(last) &&
    (ofPerson.has(last) || !names.flat().some((each) => personal.has(each.replace(/(?<!s)s$/, ''))))
  );
}

/** `hangupCause`, `hangup_cause`, `HANGUP-CAUSE`. */
export function wordsOf(name: string): string[] {
  const parted = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return parted
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((each) => each !== '');
}

function sameForm<Value>(values: readonly Value[], formOf: (value: Value) => string | null): string | null {
  const forms = new Set(values.map(formOf));
  const [form] = forms;
  return forms.size === 1 && form !== undefined ? form : null;
}

export function extrasShape(records: readonly unknown[], listed: readonly string[]): Shape | null {
  const known = new Set(listed);
  const isExtra = (name: string) => !known.has(name);
  const extras = records.filter(isObject).map((record) => extrasOf(record, isExtra));
  return extras.every((extra) => extra === none) ? null : learnShape(extras);
}

/** Usually the result is empty, and then no object is created. */
function extrasOf(record: Record<string, unknown>, isExtra: (name: string) => boolean): Record<string, unknown> {
  const extras: [string, unknown][] = [];
  for (const name in record) {
    if (isExtra(name)) extras.push([name, record[name]]);
    // So many keys are data, not fields.
    if (extras.length > fieldsMax) break;
  }
  return extras.length === 0 ? none : Object.fromEntries(extras);
}

const none: Record<string, unknown> = {};
