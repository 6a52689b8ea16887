// Every scenario, in the order of a run: reads and rejections, the call log, writes, isolation, bursts, and last looks.
import { unique } from '../../src/contract/words.ts';
import { singleScenarios } from './articles/by-id.ts';
import { pageScenarios } from './articles/pages.ts';
import { callScenarios, callWatch } from './calls.ts';
import { isolationMcp, isolationScenarios } from './isolation.ts';
import { keyScenarios } from './keys.ts';
import { addressScenarios } from './limits/address.ts';
import { anyWindowScenarios, bodyCapScenarios, keyScenarios as keyWindowScenarios } from './limits/limiters.ts';
import { mcpConnectScenarios } from './mcp/connect.ts';
import { mcpLimitScenarios } from './mcp/limits.ts';
import { mcpCallScenarios, mcpImportScenarios, mcpToolScenarios } from './mcp/tools.ts';
import { replyScenarios } from './replies.ts';
import { reviewScenarios } from './reviews.ts';
import type { Scenario } from './scenario.ts';
import { siteScenarios } from './sites.ts';
import { unknownAccountScenarios } from './unknown-account.ts';
import { wholeRunScenarios } from './whole-run.ts';
import { writtenScenarios } from './written.ts';

const all: readonly Scenario[] = [
  ...[...mcpToolScenarios, ...pageScenarios, ...singleScenarios, ...siteScenarios, ...reviewScenarios],
  ...[...callScenarios, ...mcpCallScenarios, callWatch],
  ...[...unknownAccountScenarios, ...writtenScenarios, ...replyScenarios, ...mcpConnectScenarios],
  ...[...mcpImportScenarios, ...isolationScenarios, isolationMcp],
  ...[...bodyCapScenarios, ...addressScenarios, ...keyScenarios, ...anyWindowScenarios, ...keyWindowScenarios],
  ...[...mcpLimitScenarios, ...wholeRunScenarios],
];

export const scenarios = unique('scenarios', all, ({ id }) => id);
