// Contacts of the dialer: imported in bulk, known by their phone number. Payloads are our assumption (assumption C144).
// Cites 4.tools.dialer-import-contacts, 8.import.csv-contacts.
import { type Issue, invalidInput, type Outcome, ok } from './outcome.ts';
import { drawId, type Random } from './random.ts';
import type { ContactData } from './world-data.ts';

/** A contact as it was sent. Nothing in it has been checked but `fields`, which become a part of the contact. */
export interface SentContact {
  readonly phone: unknown;
  readonly name: unknown;
  readonly email: unknown;
  /** Columns other than phone, name and email. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Where sent contacts are read from, one by one. The same index gives the same contact each time. */
interface Sender {
  readonly count: number;
  readonly phone: (index: number) => unknown;
  readonly contact: (index: number) => SentContact;
  /** How one of them is called in a rejection. Twenty thousand names for the one that needs it would take long. */
  readonly placeOf: (index: number) => Place;
}

interface Place {
  /** JSON pointer, such as `/rows/3`. */
  readonly path: string;
  /** In words, such as `Line 4 of the csv`. */
  readonly words: string;
}

/** The contacts of one import, in their order, unchanged. Each is created on its first read. */
export class SentContacts {
  readonly #sender: Sender;
  /** Null for an invalid phone. */
  readonly #keys: readonly (string | null)[];

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#keys = Array.from({ length: sender.count }, (_, index) => readPhone(sender.phone(index)));
  }

  /** Identities of the contacts; valid only if `problems` is empty. */
  get keys(): readonly string[] {
    return this.#keys as readonly string[];
  }

  /** At most one for each contact: a missing phone is not a malformed one as well. */
  problems(): Issue[] {
    const issues: Issue[] = [];
    for (const [index, key] of this.#keys.entries()) {
      if (key !== null) continue;
      const { phone, placeOf } = this.#sender;
      const given = phone(index);
      const isMissing = typeof given !== 'string' || given.trim() === '';
      issues.push(toIssue(isMissing ? 'required' : 'phone', placeOf(index)));
    }
    return issues;
  }

  contact(index: number): SentContact {
    return this.#sender.contact(index);
  }
}

/** Values that an import assigns to its contacts, to repeat the same import. */
export interface Given {
  /** In the order of the contacts; those of known contacts among them. */
  readonly contactIds: readonly string[];
  readonly importedAt: string;
}

/** An import that was accepted as a whole, before anything is kept. */
export interface Draft {
  readonly contactIds: readonly string[];
  readonly imported: number;
  readonly updated: number;
  /** How many contacts there are now. */
  readonly total: number;
}

/** Contacts that came together, and where one of them lies. */
interface Imported {
  readonly sent: SentContacts;
  readonly given: Given;
}

/** One of them. */
class ImportedContact {
  readonly #of: Imported;
  readonly #index: number;

  constructor(of: Imported, index: number) {
    this.#of = of;
    this.#index = index;
  }

  get contactId(): string {
    return this.#of.given.contactIds[this.#index] as string;
  }

  toJSON(): ContactData {
    const { sent, given } = this.#of;
    const { phone, name, email, fields } = sent.contact(this.#index);
    return {
      contactId: this.contactId,
      phone: String(phone).trim(),
      name: textOrNull(name),
      email: textOrNull(email),
      fields,
      importedAt: given.importedAt,
    };
  }
}

/** A contact, in one form or the other. */
type Kept = ContactData | ImportedContact;

/**
 * The phone number is the identity of a contact: an import that is repeated updates, and makes no doubles (choice
 * C144).
 */
export class Contacts {
  /** By phone number without blanks and punctuation. An imported contact is created on its first read. */
  readonly #byPhone = new Map<string, Kept>();

  constructor(contacts: readonly ContactData[] = []) {
    for (const contact of contacts) this.#byPhone.set(phoneKey(contact.phone), contact);
  }

  get size(): number {
    return this.#byPhone.size;
  }

  /** Returns all contacts of an import, or the reasons for its rejection. A contact with a known phone is updated. */
  draftImport(sent: SentContacts, random: Random): Outcome<Draft> {
    const issues = sent.problems();
    if (issues.length > 0) return invalidInput(issues);
    const fresh = new Map<string, string>();
    const contactIds = sent.keys.map((phone) => {
      const known = this.#byPhone.get(phone)?.contactId ?? fresh.get(phone);
      if (known !== undefined) return known;
      const contactId = drawId('contact_', random);
      fresh.set(phone, contactId);
      return contactId;
    });
    const imported = fresh.size;
    return ok({ contactIds, imported, updated: contactIds.length - imported, total: this.size + imported });
  }

  /** Never rejects, because `draftImport` has looked before. */
  putImport(sent: SentContacts, given: Given): void {
    const imported: Imported = { sent, given };
    const { keys } = sent;
    for (let index = 0; index < keys.length; index += 1)
      this.#byPhone.set(keys[index] as string, new ImportedContact(imported, index));
  }

  /** Returns the contacts that an import replaces; undefined for a new one. */
  replacedBy({ keys }: SentContacts): readonly (Kept | undefined)[] {
    return keys.map((key) => this.#byPhone.get(key));
  }

  /** The way back from an import. */
  takeBack({ keys }: SentContacts, replaced: readonly (Kept | undefined)[]): void {
    for (const [index, key] of keys.entries()) {
      const contact = replaced[index];
      if (contact) this.#byPhone.set(key, contact);
      else this.#byPhone.delete(key);
    }
  }

  toData(): readonly ContactData[] {
    return [...this.#byPhone.values()].map(toData);
  }

  /** The newest last. */
  newest(count: number): readonly ContactData[] {
    return [...this.#byPhone.values()].slice(-count).map(toData);
  }

  /** Those of this moment, each made when it is written as JSON. */
  toWrite(): readonly object[] {
    return [...this.#byPhone.values()];
  }
}

function toData(kept: Kept): ContactData {
  return kept instanceof ImportedContact ? kept.toJSON() : kept;
}

const problems = {
  required: 'has no phone.',
  phone: 'has a phone that is not a number: write 3 to 15 digits, with blanks and ( ) + - . / between them.',
} as const;

function toIssue(rule: keyof typeof problems, { path, words }: Place): Issue {
  return { path: `${path}/phone`, message: `${words} ${problems[rule]}`, rule };
}

/** Nearly always: only the digits. An import may have twenty thousand, and the mock waits for all of them. */
function isPlain(text: string): boolean {
  return /^\+?\d{3,15}$/.test(text);
}

const digitsMin = 3;
/** Of the longest number of E.164. */
const digitsMax = 15;
/** Between the digits: what people write. */
const signs: ReadonlySet<number> = new Set([...' ()./-'].map((sign) => sign.charCodeAt(0)));
const plus = 43;

/**
 * Returns the identity of a phone; null if it is invalid. `+1 (555) 0100` and `+15550100` are one contact; `15550100`
 * is another one, because its country is unknown.
 */
function readPhone(phone: unknown): string | null {
  if (typeof phone !== 'string') return null;
  const text = phone.trim();
  if (isPlain(text)) return text;
  const codes: number[] = [];
  const start = text.charCodeAt(0) === plus ? 1 : 0;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) codes.push(code);
    else if (!signs.has(code)) return null;
    if (codes.length > digitsMax) return null;
  }
  if (codes.length < digitsMin) return null;
  return `${start === 1 ? '+' : ''}${String.fromCharCode(...codes)}`;
}

/** Accepts any text, because a world file can have phones that imports reject. */
function phoneKey(text: string): string {
  return isPlain(text) ? text : text.replace(/[^\d+]/g, '');
}

const ownFields: ReadonlySet<string> = new Set(['phone', 'name', 'email']);

/** Rows of named values. */
export function readRows(rows: readonly Readonly<Record<string, unknown>>[]): SentContacts {
  return new SentContacts({
    count: rows.length,
    phone: (index) => rows[index]?.phone,
    contact: (index) => splitValues(rows[index] ?? {}),
    placeOf: (index) => ({ path: `/rows/${index}`, words: `Row ${index + 1}` }),
  });
}

/** Those that the mock has no field for are kept as texts; empty ones are left out. */
function splitValues(values: Readonly<Record<string, unknown>>): SentContact {
  const { phone, name, email } = values;
  const fields: Record<string, string> = {};
  for (const field in values) {
    const value = values[field];
    if (!ownFields.has(field) && value !== null && value !== '') define(fields, field, String(value));
  }
  return { phone, name, email, fields };
}

/** `__proto__` is a name of a column like any other. */
export function define<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
