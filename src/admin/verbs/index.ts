// The table of control verbs, by operation ID. Everything else about them follows from it: see verb.ts.
import { callVerbs } from './calls.ts';
import { clockVerbs } from './clock.ts';
import { faultVerbs } from './faults.ts';
import { organizationVerbs } from './organizations.ts';
import { requestVerbs } from './requests.ts';
import { stateVerbs } from './state.ts';

export const verbs = {
  ...stateVerbs,
  ...requestVerbs,
  ...faultVerbs,
  ...callVerbs,
  ...organizationVerbs,
  ...clockVerbs,
} as const;

export type VerbId = keyof typeof verbs;
