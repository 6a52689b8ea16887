// Violations of clients, grouped by rule.

import { Act, Card, ClauseLink, countOf, Empty, RequestLink, timeOf } from './parts.tsx';
import type { Violation } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

const shownMax = 10;

export function ViolationsPage() {
  const app = useApp();
  const { violations } = useAppState();
  const clear = async () => {
    await app.ask('DELETE', '/violations');
    await app.loadViolations();
  };
  if (violations.length === 0) {
    return (
      <Empty>
        <strong>No violations.</strong> Send requests with your client: the mock checks its retries (section 7) and how
        it polls the call log (section 6).
      </Empty>
    );
  }
  return (
    <>
      <div class="toolbar">
        <span class="soft grow">
          {countOf(violations.length, 'violation')} of {countOf(clientsOf(violations).size, 'client')}
        </span>
        <Act id="clear-violations" does={clear}>
          Clear
        </Act>
      </div>
      {[...groupsOf(violations)].map(([rule, group]) => (
        <Group key={rule} rule={rule} group={group} />
      ))}
    </>
  );
}

/** What the client did. */
const titles: Readonly<Record<Violation['rule'], string>> = {
  'unchanged-retry': 'Retried a rejected request without a change',
  'early-retry': 'Retried before the rate limit was reset',
  'no-back-off': 'Retried without back-off',
  'lost-since': 'Lost the position in the call log',
  'since-backwards': 'Moved back in the call log',
  'hasty-poll': 'Polled the call log too early',
  'late-poll': 'Waited after a full page of the call log',
  'key-rotated': 'Changed the key after provider_auth',
};

function Group({ rule, group }: { rule: Violation['rule']; group: readonly Violation[] }) {
  const [first] = group;
  return (
    <Card title={titles[rule]} aside={<span class="chip bad">{group.length}</span>}>
      {first && (
        <p class="soft">
          <small>
            {rule}, clause <ClauseLink id={first.clause} />
          </small>
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
      {group.length > shownMax && <p class="soft">{countOf(group.length - shownMax, 'older violation')} hidden.</p>}
    </Card>
  );
}

function groupsOf(violations: readonly Violation[]): Map<Violation['rule'], readonly Violation[]> {
  const groups = new Map<Violation['rule'], readonly Violation[]>();
  for (const violation of violations) groups.set(violation.rule, [...(groups.get(violation.rule) ?? []), violation]);
  return groups;
}

const nameOf = ({ client }: Violation) => `${client.key ?? 'no key'} at ${client.address}`;

const clientsOf = (violations: readonly Violation[]) => new Set(violations.map(nameOf));
