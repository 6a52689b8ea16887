// Every scenario, in the order of the contract.
import { unique } from '../../src/contract/words.ts';
import type { Scenario } from './scenario.ts';
import { siteScenarios } from './sites.ts';

export const scenarios: readonly Scenario[] = unique('scenarios', [...siteScenarios], ({ id }) => id);
