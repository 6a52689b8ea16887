// Whether a user's world file is a world. Loads zod, so nothing on the way of a starting mock imports this file.
import { isObject } from '../contract/json.ts';
import type { WorldData } from '../domain/world-data.ts';
import { checkRecords } from './contract-records.ts';
import { checkRelations, ProblemList } from './cross-checks.ts';
import { checkShape } from './schema.ts';

/** `problems` is for people: where it is wrong, then why, first ones only. */
export type WorldCheck =
  | { readonly ok: true; readonly data: WorldData }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The world, or what is wrong with it: one sentence a problem, such as `organizations[0].id: missing`. */
export function checkWorld(value: unknown): WorldCheck {
  const problems = new ProblemList();
  checkShape(value, problems);
  checkContractRecords(value, problems);
  // Relations are checked when all records are valid; before that they would repeat the same problems.
  if (problems.empty) checkRelations(value as WorldData, problems);
  return problems.empty ? { ok: true, data: value as WorldData } : { ok: false, problems: problems.toSentences() };
}

// The value can be anything yet: the shape has reported everything that is not a list.
function checkContractRecords(value: unknown, problems: ProblemList): void {
  listIn(value, 'organizations').forEach((organization, i) => {
    const path = `organizations[${i}]`;
    checkRecords('site', listIn(organization, 'sites'), { path: `${path}.sites`, problems });
    checkRecords('article', listIn(organization, 'articles'), { path: `${path}.articles`, problems });
    checkRecords('keyword', listIn(organization, 'keywords'), { path: `${path}.keywords`, problems });
    const accounts = listIn(organization, 'accounts');
    checkRecords('account', accounts, { path: `${path}.accounts`, problems });
    accounts.forEach((account, k) => {
      checkRecords('review', listIn(account, 'reviews'), { path: `${path}.accounts[${k}].reviews`, problems });
    });
  });
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
