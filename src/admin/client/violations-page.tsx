// The offences of clients, grouped by the rule that they break.

import { Act, Card, ClauseLink, countOf, Empty, RequestLink, timeOf } from './parts.tsx';
import type { Violation } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

const shownMax = 10;

export function ViolationsPage() {
  const app = useApp();
  const { violations } = useAppState();
  const pardon = async () => {
    await app.ask('DELETE', '/violations');
    await app.loadViolations();
  };
  if (violations.length === 0) {
    return (
      <Empty>
        <strong>No violation: every client followed the contract.</strong> The mock checks how clients retry (section 7)
        and how they poll the call log (section 6).
      </Empty>
    );
  }
  return (
    <>
      <div class="toolbar">
        <span class="soft grow">
          {countOf(violations.length, 'violation')} on {countOf(clientsOf(violations).size, 'client')}
        </span>
        <Act id="pardon" does={pardon}>
          Clear
        </Act>
      </div>
      {[...groupsOf(violations)].map(([rule, group]) => (
        <Group key={rule} rule={rule} group={group} />
      ))}
    </>
  );
}

function Group({ rule, group }: { rule: string; group: readonly Violation[] }) {
  const [first] = group;
  return (
    <Card title={rule} aside={<span class="chip bad">{group.length}</span>}>
      {first && (
        <p class="soft">
          The contract: <ClauseLink id={first.clause} />
        </p>
      )}
      <ul class="list violations">
        {group
          .slice(-shownMax)
          .toReversed()
          .map((violation) => (
            <li key={violation.id}>
              <span>{violation.message}</span>
              <span class="soft mono">
                {timeOf(violation.at)} {nameOf(violation)}{' '}
                {violation.requestIds.map((id) => (
                  <RequestLink key={id} id={id} />
                ))}
              </span>
            </li>
          ))}
      </ul>
      {group.length > shownMax && <p class="soft">And {group.length - shownMax} older ones.</p>}
    </Card>
  );
}

function groupsOf(violations: readonly Violation[]): Map<string, readonly Violation[]> {
  const groups = new Map<string, readonly Violation[]>();
  for (const violation of violations) groups.set(violation.rule, [...(groups.get(violation.rule) ?? []), violation]);
  return groups;
}

const nameOf = ({ client }: Violation) => `${client.key ?? 'no key'} at ${client.address}`;

const clientsOf = (violations: readonly Violation[]) => new Set(violations.map(nameOf));
