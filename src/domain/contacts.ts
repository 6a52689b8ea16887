// Contacts of the dialer: imported in bulk, known by their phone number. Payloads are our assumption (choice C144).
// Cites 4.tools.dialer-import-contacts, 8.import.csv-contacts.
import { formatInstant } from '../contract/instants.ts';
import { type Issue, invalidInput, type Outcome, ok } from './outcome.ts';
import type { Random } from './random.ts';
import type { ContactData } from './world-data.ts';

/** Cites 8.import.csv-contacts. */
export const csvContactsMax = 20_000;

/** A contact as it was sent: named values, and the place to name when one of them is not good. */
export interface SentContact {
  readonly values: Readonly<Record<string, unknown>>;
  /** JSON pointer, such as `/rows/3`. */
  readonly path: string;
  /** In words, such as `Line 4 of the csv`. */
  readonly place: string;
}

export interface Import {
  readonly imported: number;
  readonly updated: number;
  /** How many contacts there are now. */
  readonly total: number;
}

export class Contacts {
  /** By phone number without blanks and punctuation. */
  readonly #byPhone = new Map<string, ContactData>();

  #latest: readonly ContactData[] = [];
  #replaced: readonly ContactData[] = [];

  constructor(contacts: readonly ContactData[] = []) {
    for (const contact of contacts) this.put(contact);
  }

  get size(): number {
    return this.#byPhone.size;
  }

  /** All of them, or none and the reasons. A contact whose phone is known already is updated. */
  import(sent: readonly SentContact[], at: { readonly random: Random; readonly nowMs: number }): Outcome<Import> {
    const issues = sent.flatMap(findIssues);
    if (issues.length > 0) return invalidInput(issues.slice(0, issuesMax));
    const before = this.size;
    const importedAt = formatInstant(at.nowMs);
    const replaced: ContactData[] = [];
    const made = new Set<ContactData>();
    this.#latest = sent.map(({ values }) => {
      const known = this.#byPhone.get(phoneKey(values.phone));
      if (known && !made.has(known)) replaced.push(known);
      const contactId = known?.contactId ?? `contact_${at.random.hex(16)}`;
      const contact: ContactData = { contactId, ...readContact(values), importedAt };
      this.put(contact);
      made.add(contact);
      return contact;
    });
    this.#replaced = replaced;
    const imported = this.size - before;
    return ok({ imported, updated: sent.length - imported, total: this.size });
  }

  /** What the last import brought. */
  get latest(): readonly ContactData[] {
    return this.#latest;
  }

  /** What stood in the place of the last import: what an import that cannot be kept is taken back to. */
  get replaced(): readonly ContactData[] {
    return this.#replaced;
  }

  remove(phone: string): void {
    this.#byPhone.delete(phoneKey(phone));
  }

  put(contact: ContactData): void {
    this.#byPhone.set(phoneKey(contact.phone), contact);
  }

  toData(): readonly ContactData[] {
    return [...this.#byPhone.values()];
  }
}

/** An answer names this many problems at most: a file can be wrong in every line. */
const issuesMax = 100;

function findIssues({ values: { phone }, path, place }: SentContact): Issue[] {
  const text = typeof phone === 'string' ? phone.trim() : '';
  if (text === '') return [{ path: `${path}/phone`, message: `${place} has no phone.`, rule: 'required' }];
  if (isPhone(text)) return [];
  const message = `${place} has a phone that is none: 3 to 15 digits, with blanks and ( ) + - . / between them.`;
  return [{ path: `${path}/phone`, message, rule: 'phone' }];
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return /^\+?[\d ()./-]+$/.test(text) && digits >= 3 && digits <= 15;
}

function phoneKey(phone: unknown): string {
  return String(phone).replace(/[^\d+]/g, '');
}

function readContact({
  phone,
  name,
  email,
  ...others
}: SentContact['values']): Omit<ContactData, 'contactId' | 'importedAt'> {
  const fields = Object.entries(others).filter(([, value]) => value !== null && value !== '');
  return {
    phone: String(phone).trim(),
    name: textOrNull(name),
    email: textOrNull(email),
    fields: Object.fromEntries(fields.map(([field, value]) => [field, String(value)])),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
