// Contacts of the dialer: imported in bulk, known by their phone number. Payloads are our assumption (choice C144).
// Cites 4.tools.dialer-import-contacts, 8.import.csv-contacts.
import { formatInstant } from '../contract/instants.ts';
import { type Issue, invalidInput, type Outcome, ok } from './outcome.ts';
import { drawDigits, type Random } from './random.ts';
import type { ContactData } from './world-data.ts';

/** A contact as it was sent. Nothing in it has been judged but `fields`, which become a part of the contact. */
export interface SentContact {
  readonly phone: unknown;
  readonly name: unknown;
  readonly email: unknown;
  /** What the mock has no member for. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The contacts of one import, in their order. */
export interface SentContacts {
  readonly contacts: readonly SentContact[];
  /** How one of them is called in a refusal. Twenty thousand names for the one that needs it would take long. */
  readonly placeOf: (index: number) => Place;
}

interface Place {
  /** JSON pointer, such as `/rows/3`. */
  readonly path: string;
  /** In words, such as `Line 4 of the csv`. */
  readonly words: string;
}

/** An import that was accepted as a whole, before anything is kept. */
export interface Import {
  /** As they are to be kept, in the order in which they were sent. */
  readonly contacts: readonly ContactData[];
  readonly imported: number;
  readonly updated: number;
  /** How many contacts there are now. */
  readonly total: number;
}

/**
 * The phone number is the identity of a contact: an import that is repeated updates, and makes no doubles (choice
 * C144).
 */
export class Contacts {
  /** By phone number without blanks and punctuation. */
  readonly #byPhone = new Map<string, ContactData>();

  constructor(contacts: readonly ContactData[] = []) {
    for (const contact of contacts) this.put(contact);
  }

  get size(): number {
    return this.#byPhone.size;
  }

  /**
   * What an import brings: all of it, or nothing and the reasons. A contact whose phone is known already is updated.
   */
  draftImport({ contacts: sent, placeOf }: SentContacts, at: ImportTime): Outcome<Import> {
    const issues: Issue[] = [];
    for (let i = 0; i < sent.length; i += 1) {
      const problem = findProblem(sent[i]?.phone);
      if (problem) issues.push(toIssue(problem, placeOf(i)));
    }
    if (issues.length > 0) return invalidInput(issues);
    const importedAt = formatInstant(at.nowMs);
    const fresh = new Map<string, string>();
    const contacts: ContactData[] = [];
    for (const contact of sent) {
      const phone = phoneKey(contact.phone);
      const known = this.#byPhone.get(phone)?.contactId ?? fresh.get(phone);
      const contactId = known ?? `contact_${drawDigits(at.random)}`;
      if (known === undefined) fresh.set(phone, contactId);
      contacts.push(toContact(contact, { contactId, importedAt }));
    }
    const imported = fresh.size;
    return ok({ contacts, imported, updated: sent.length - imported, total: this.size + imported });
  }

  /** The number may be written in any way that an import takes. */
  find(phone: string): ContactData | undefined {
    return this.#byPhone.get(phoneKey(phone));
  }

  remove(phone: string): void {
    this.#byPhone.delete(phoneKey(phone));
  }

  /** Adds or replaces; never refuses, because `draftImport` has looked before. */
  put(contact: ContactData): void {
    this.#byPhone.set(phoneKey(contact.phone), contact);
  }

  toData(): readonly ContactData[] {
    return [...this.#byPhone.values()];
  }
}

interface ImportTime {
  readonly random: Random;
  readonly nowMs: number;
}

const problems = {
  required: 'has no phone.',
  phone: 'has a phone that is not a number: write 3 to 15 digits, with blanks and ( ) + - . / between them.',
} as const;

/** At most one problem for each contact: a missing phone is not a malformed one as well. */
function findProblem(phone: unknown): keyof typeof problems | null {
  const text = typeof phone === 'string' ? phone.trim() : '';
  if (text === '') return 'required';
  return isPlain(text) || isPhone(text) ? null : 'phone';
}

function toIssue(rule: keyof typeof problems, { path, words }: Place): Issue {
  return { path: `${path}/phone`, message: `${words} ${problems[rule]}`, rule };
}

/** Nearly always: nothing but the digits. An import may have twenty thousand, and the mock waits for all of them. */
function isPlain(text: string): boolean {
  return /^\+?\d{3,15}$/.test(text);
}

/** 3 to 15 digits, the longest number of E.164; the signs between them are the ones people write. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return /^\+?[\d ()./-]+$/.test(text) && digits >= 3 && digits <= 15;
}

/** `+1 (555) 0100` and `+15550100` are one contact; `15550100` is another one, because its country is not known. */
function phoneKey(phone: unknown): string {
  const text = String(phone);
  return isPlain(text) ? text : text.replace(/[^\d+]/g, '');
}

const ownMembers: ReadonlySet<string> = new Set(['phone', 'name', 'email']);

/** From named values. Those that the mock has no member for are kept as texts; empty ones are left out. */
export function splitValues(values: Readonly<Record<string, unknown>>): SentContact {
  const { phone, name, email } = values;
  const fields: Record<string, string> = {};
  for (const field in values) {
    const value = values[field];
    if (!ownMembers.has(field) && value !== null && value !== '') define(fields, field, String(value));
  }
  return { phone, name, email, fields };
}

function toContact(
  { phone, name, email, fields }: SentContact,
  { contactId, importedAt }: Pick<ContactData, 'contactId' | 'importedAt'>,
): ContactData {
  return {
    contactId,
    phone: String(phone).trim(),
    name: textOrNull(name),
    email: textOrNull(email),
    fields,
    importedAt,
  };
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
