// Labels and numbers of accounts at the edges of the tool that makes links, with permission to make some.

import { linkAccounts } from '../../../src/contract/generated/limits.ts';
import { findTool, link } from '../../assertions/mcp-tools.ts';
import { tag } from '../../assertions/permitted-writes.ts';
import { textMax, wideText } from '../../assertions/write-answers.ts';
import { openDoor } from '../../mcp/door.ts';
import { expectInvalid, expectTaken, once } from '../../mcp/judging.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';

const provider = 'google_business';
const ACCOUNTS_MAX = linkAccounts.max;

/** A twin with plain values shows whether links can be made at all, before a refusal at the edge counts. */
const edges: CheckRow = {
  id: 'mcp/link-edges',
  title: `The linking tool takes labels of ${textMax.label} characters and ${ACCOUNTS_MAX} accounts, and refuses one more of either`,
  cites: ['8.label', '8.max-accounts'],
  needs: ['mcp', 'writes:links'],
  after: ['mcp/door'],
  mutates: 'two connect links',
  cost: { requests: 4, confirms: 1, writes: 5 },
  async run(probe) {
    const door = await openDoor(probe);
    const tool = findTool(door, link);
    if (tool === null) return probe.stop('precondition', 'no single tool takes provider, label and maxAccounts');
    const label = tag(probe);
    const send = (input: Record<string, unknown>) =>
      door.call(probe, tool.name, { provider, label, maxAccounts: 1, ...input }, 'writes');
    const twin = once(() => send({}));
    const longest = `${label} ${wideText(textMax.label)}`.slice(0, textMax.label);
    const longestTaken = { clause: '8.label', expected: `a label of ${textMax.label} characters taken`, twin } as const;
    const mostTaken = { clause: '8.max-accounts', expected: `maxAccounts ${ACCOUNTS_MAX} taken`, twin } as const;
    const atEdge = [
      await expectTaken(probe, await send({ label: longest }), longestTaken),
      await expectTaken(probe, await send({ maxAccounts: ACCOUNTS_MAX }), mostTaken),
    ];
    // Where nothing is taken, a refusal says nothing of the input.
    if (!atEdge.includes(true)) return;
    const long = { clause: '8.label', expected: `a label of ${textMax.label + 1} characters refused` } as const;
    expectInvalid(probe, await send({ label: `${longest}x` }), long);
    const many = { clause: '8.max-accounts', expected: `maxAccounts ${ACCOUNTS_MAX + 1} refused` } as const;
    expectInvalid(probe, await send({ maxAccounts: ACCOUNTS_MAX + 1 }), many);
  },
};

export const mcpLinks = defineChecks({ phase: 'writes' }, [edges]);
