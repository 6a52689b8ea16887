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

interface Place {
  /** JSON pointer, such as `/rows/3`. */
  readonly path: string;
  /** In words, such as `Line 4 of the csv`. */
  readonly words: string;
}

/** The contacts of one import, in their order. Each is made on its first read: an import may have twenty thousand. */
export class SentContacts {
  readonly #phones: readonly unknown[];
  /** Identities of the contacts; null for an invalid phone. */
  readonly keys: readonly (string | null)[];
  readonly contact: (index: number) => SentContact;
  readonly #placeOf: (index: number) => Place;

  constructor(phones: readonly unknown[], contact: SentContacts['contact'], placeOf: (index: number) => Place) {
    this.#phones = phones;
    this.keys = phones.map(readPhone);
    this.contact = contact;
    this.#placeOf = placeOf;
  }

  /** At most one for each contact: a missing phone is not a malformed one as well. */
  problems(): Issue[] {
    return this.keys.flatMap((key, index) => {
      if (key !== null) return [];
      const phone = this.#phones[index];
      const isMissing = typeof phone !== 'string' || phone.trim() === '';
      const rule = isMissing ? 'required' : 'phone';
      const { path, words } = this.#placeOf(index);
      return { path: `${path}/phone`, message: `${words} ${problems[rule]}`, rule };
    });
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

/** A contact of an import, which is read when it is written as JSON. */
class ImportedContact {
  readonly contactId: string;
  readonly #read: () => SentContact;
  readonly #importedAt: string;

  constructor(contactId: string, read: () => SentContact, importedAt: string) {
    this.contactId = contactId;
    this.#read = read;
    this.#importedAt = importedAt;
  }

  toJSON(): ContactData {
    const { phone, name, email, fields } = this.#read();
    const texts = { phone: String(phone).trim(), name: textOrNull(name), email: textOrNull(email) };
    return { contactId: this.contactId, ...texts, fields, importedAt: this.#importedAt };
  }
}

type Kept = ContactData | ImportedContact;

/**
 * The phone number is the identity of a contact: an import that is repeated updates, and makes no doubles (choice
 * C144).
 */
export class Contacts {
  /** By phone number without blanks and punctuation. */
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
    const contactIds = (sent.keys as readonly string[]).map((phone) => {
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
  putImport(sent: SentContacts, { contactIds, importedAt }: Given): void {
    for (const [index, key] of sent.keys.entries()) {
      const read = () => sent.contact(index);
      this.#byPhone.set(key as string, new ImportedContact(contactIds[index] as string, read, importedAt));
    }
  }

  /** Returns the contacts that an import replaces; undefined for a new one. */
  replacedBy({ keys }: SentContacts): readonly (Kept | undefined)[] {
    return keys.map((key) => this.#byPhone.get(key as string));
  }

  /** The way back from an import. */
  takeBack({ keys }: SentContacts, replaced: readonly (Kept | undefined)[]): void {
    for (const [index, key] of keys.entries()) {
      const contact = replaced[index];
      if (contact) this.#byPhone.set(key as string, contact);
      else this.#byPhone.delete(key as string);
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

/** E.164 has at most 15 digits. Between the digits: what people write. */
const phoneForm = /^\+?[\d ()./-]+$/;
const keyForm = /^\+?\d{3,15}$/;

/**
 * Returns the identity of a phone; null if it is invalid. `+1 (555) 0100` and `+15550100` are one contact; `15550100`
 * is another one, because its country is unknown.
 */
function readPhone(phone: unknown): string | null {
  if (typeof phone !== 'string') return null;
  const text = phone.trim();
  // Nearly always.
  if (keyForm.test(text)) return text;
  const key = phoneKey(text);
  return phoneForm.test(text) && keyForm.test(key) ? key : null;
}

/** Accepts any text, because a world file can have phones that imports reject. */
function phoneKey(text: string): string {
  return keyForm.test(text) ? text : text.replace(/[^\d+]/g, '');
}

const ownFields: ReadonlySet<string> = new Set(['phone', 'name', 'email']);

/** Rows of named values. */
export function readRows(rows: readonly Readonly<Record<string, unknown>>[]): SentContacts {
  return new SentContacts(
    rows.map(({ phone }) => phone),
    (index) => contactOf(rows[index] ?? {}),
    (index) => ({ path: `/rows/${index}`, words: `Row ${index + 1}` }),
  );
}

/** Values that the mock has no field for are kept as texts; empty ones are left out. */
export function contactOf(values: Readonly<Record<string, unknown>>): SentContact {
  const { phone, name, email } = values;
  const others = Object.entries(values).filter(([field, value]) => !ownFields.has(field) && (value ?? '') !== '');
  return { phone, name, email, fields: Object.fromEntries(others.map(([field, value]) => [field, String(value)])) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
