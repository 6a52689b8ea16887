// Records of a learnt shape, with invented values of the learnt form. Everything follows from the name of the record,
// so it reads the same whenever it is read.
import {
  alternatives,
  isPlainTimestampForm,
  plainTimestampForm,
  writePlainTimestamp,
  writeTelephone,
} from '../../contract/forms.ts';
import type { Shape, Share } from '../../contract/shape.ts';
import { hashToUnit } from '../../domain/random.ts';
import { idInForm } from '../../domain/style-world.ts';

/** The source record for timestamps and lengths. */
export interface Subject {
  /** Unique, and the same whenever the record is shown. */
  readonly name: string;
  readonly startMs: number;
  /** Null while it is not over. */
  readonly endMs: number | null;
  /** Known values, for fields of the form `own`. */
  readonly own?: Readonly<Record<string, unknown>>;
}

const ends = /end|over|finish|complet|hang|close|stop|terminat|until|last/i;
const moves = /updat|touch|modif|settl|chang|visible|seen|report/i;
const lengths = /sec|dur|length|talk|elapsed|millis/i;
const ids = /(^|_|\.)(id|uid|uuid|sid|ref|key|number)$|(Id|Sid|Uid|Ref)$/;

/** `path` sets the fields of one record apart. */
export function invent(shape: Shape, subject: Subject, path = ''): unknown {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (shape.form === 'own') return subject.own?.[name] ?? null;
  const chance = hashToUnit(`${subject.name} ${path}`);
  if (shape.nullable && hashToUnit(`${subject.name} ${path} null`) < nullShare(shape, subject, name)) return null;
  switch (shape.type) {
    case 'object':
      return inventFields(shape, subject, path);
    case 'array':
      return shape.items === undefined ? [] : [invent(shape.items, subject, `${path}.0`)];
    case 'string':
      return inventText(shape, subject, { name, path, chance });
    case 'integer':
    case 'number':
      return inventNumber(shape, subject, { name, path, chance });
    case 'boolean':
      return chance < 0.5;
    default:
      return null;
  }
}

/** An end is null as long as it is open, unless the deployment shows how often calls lack it. */
function nullShare({ nulls, form }: Shape, subject: Subject, name: string): number {
  const isTimestamp = form !== undefined && isPlainTimestampForm(form);
  const isEnd = ends.test(name) && !moves.test(name) && typeof nulls !== 'object';
  if (isEnd && (subject.endMs === null || isTimestamp)) return subject.endMs === null ? 1 : 0;
  return shareOf(nulls, subject, isTimestamp ? 0 : 0.2);
}

/** A field that some records lack is left out of every third. */
function inventFields({ fields = {} }: Shape, subject: Subject, path: string): Record<string, unknown> {
  const kept = Object.entries(fields).filter(
    ([name, { optional, absent }]) =>
      optional !== true || hashToUnit(`${subject.name} ${path}.${name} there`) >= shareOf(absent, subject, 0.33),
  );
  return Object.fromEntries(
    kept.map(([name, shape]) => [name, invent(shape, subject, path === '' ? name : `${path}.${name}`)]),
  );
}

function shareOf(share: Share | undefined, { endMs }: Subject, usual: number): number {
  return (typeof share === 'object' ? share[endMs === null ? 'running' : 'over'] : share) ?? usual;
}

interface Place {
  readonly name: string;
  readonly path: string;
  readonly chance: number;
}

/** The end of a running record is unknown, so timestamps that depend on it use the start. */
function timestampOf({ startMs, endMs }: Subject, name: string): number {
  return ends.test(name) || moves.test(name) ? (endMs ?? startMs) : startMs;
}

function inventText({ form = 'text', values }: Shape, subject: Subject, { name, path, chance }: Place): string {
  if (values !== undefined && values.length > 0) return values[Math.floor(chance * values.length)] as string;
  if (isPlainTimestampForm(form)) return writePlainTimestamp(timestampOf(subject, name), oneOf(form, subject.name));
  if (form.startsWith('telephone')) return writeTelephone(form, chance);
  const own = ids.test(path) ? subject.name : `${subject.name} ${path}`;
  switch (form) {
    case 'digits':
      return lengths.test(name) ? String(lengthOf(subject)) : String(1000 + Math.floor(chance * 9e8));
    case 'address':
      return `https://twin.example/${Math.floor(chance * 1e6)}`;
    case 'mail':
      return `person${Math.floor(chance * 1e4)}@twin.example`;
    case 'empty':
      return '';
    case 'text':
      // An id stays one, however it is written.
      return `Invented ${name || 'text'} ${ids.test(path) ? idInForm(subject.name, 'hex') : Math.floor(chance * 1000)}`;
    case 'opaque':
      return ids.test(path) ? `c-${idInForm(subject.name, 'hex')}` : `v${Math.floor(chance * 1e6)}`;
    case 'opaque, to be encoded':
      return `a/b%${idInForm(own, 'hex').slice(0, 12)}`;
    default:
      return idInForm(own, form);
  }
}

function inventNumber({ form, type }: Shape, subject: Subject, { name, path, chance }: Place): number {
  if (form !== undefined && isPlainTimestampForm(form)) return numberOf(timestampOf(subject, name), form, type);
  if (lengths.test(name)) return lengthOf(subject);
  const whole = Math.floor((ids.test(path) ? hashToUnit(subject.name) : chance) * (ids.test(path) ? 9e8 : 100));
  return type === 'integer' ? whole : whole + 0.5;
}

/** Seconds have the digits below the point where the learnt number had them. */
function numberOf(ms: number, form: string, type: Shape['type']): number {
  if (plainTimestampForm(ms) === form) return ms;
  return type === 'number' ? ms / 1000 : Math.floor(ms / 1000);
}

function lengthOf({ startMs, endMs }: Subject): number {
  return endMs === null ? 0 : Math.max(0, Math.round((endMs - startMs) / 1000));
}

/** Of several forms always the same one for a text. */
export function oneOf(form: string, text: string): string {
  const forms = alternatives(form);
  return forms[Math.floor(hashToUnit(text) * forms.length)] ?? form;
}
