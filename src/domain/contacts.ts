// Contacts of the dialer: imported in bulk, known by their phone number. Payloads are our assumption (choice C144).
// Cites 4.tools.dialer-import-contacts, 8.import.csv-contacts.
import { formatInstant } from '../contract/instants.ts';
import { type Issue, invalidInput, type Outcome, ok } from './outcome.ts';
import type { Random } from './random.ts';
import type { ContactData } from './world-data.ts';

/** A contact as it was sent: named values, and the place to name when one of them is not good. */
export interface SentContact {
  readonly values: Readonly<Record<string, unknown>>;
  /** JSON pointer, such as `/rows/3`. */
  readonly path: string;
  /** In words, such as `Line 4 of the csv`. */
  readonly place: string;
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
  draftImport(sent: readonly SentContact[], at: { readonly random: Random; readonly nowMs: number }): Outcome<Import> {
    const issues = sent.map(findIssue).filter((issue) => issue !== null);
    if (issues.length > 0) return invalidInput(issues);
    const importedAt = formatInstant(at.nowMs);
    const fresh = new Map<string, string>();
    const contacts = sent.map(({ values }): ContactData => {
      const phone = phoneKey(values.phone);
      const known = this.#byPhone.get(phone)?.contactId ?? fresh.get(phone);
      const contactId = known ?? `contact_${at.random.hex(16)}`;
      if (known === undefined) fresh.set(phone, contactId);
      return toContact(values, { contactId, importedAt });
    });
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

/** At most one problem for each contact: a missing phone is not a malformed one as well. */
function findIssue({ values: { phone }, path, place }: SentContact): Issue | null {
  const text = typeof phone === 'string' ? phone.trim() : '';
  if (text === '') return { path: `${path}/phone`, message: `${place} has no phone.`, rule: 'required' };
  if (isPlain(text) || isPhone(text)) return null;
  const message = `${place} has a phone that is not a number: write 3 to 15 digits, with blanks and ( ) + - . / between them.`;
  return { path: `${path}/phone`, message, rule: 'phone' };
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

/** Columns that the mock has no member for are kept as texts; empty cells are left out. */
function toContact(
  values: SentContact['values'],
  { contactId, importedAt }: Pick<ContactData, 'contactId' | 'importedAt'>,
): ContactData {
  const { phone, name, email } = values;
  const fields: Record<string, string> = {};
  for (const field in values) {
    const value = values[field];
    if (!ownMembers.has(field) && value !== null && value !== '') define(fields, field, String(value));
  }
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
