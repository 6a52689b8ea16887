// Where each object of the contract is in a response, which fields it lists, and how open it is. The validators know
// the closed objects. This table knows the open ones too: an extra field there is a warning or a note (R12).

import type { OperationId } from '../../src/contract/generated/operations.ts';
import { fields, nullableFields, type Openness, places } from '../../src/contract/generated/record-fields.ts';
import { objectClauses } from '../../src/contract/object-clauses.ts';

/** One object of a response. */
export interface Home {
  /** Field names from the root of the body, `*` for every item of a list. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly openness: Openness;
  /** Clause ids of the fields are this, a dot and the field in kebab case. */
  readonly clauses: string;
}

/** One entry for each object of each operation. */
export const homes = {} as Record<OperationId, readonly Home[]>;
for (const [operation, objects] of Object.entries(places))
  homes[operation as OperationId] = objects.map(({ of, ...place }) => {
    return { ...place, fields: fields[of], clauses: objectClauses[of] };
  });

/** Fields that may be null, and whose absence is therefore a warning only (interpretation R13). */
export const fieldsThatMayBeNull: ReadonlySet<string> = new Set(nullableFields);
