// The offences of clients, grouped by the rule that they break.
import type { Verdict } from './answers.ts';
import { Act, Card, ClauseLink, countOf, Empty, RequestLink, timeOf } from './parts.tsx';
import { useApp, useAppState } from './use-app.ts';

const shownMax = 10;

export function VerdictsPage() {
  const app = useApp();
  const { verdicts } = useAppState();
  const pardon = async () => {
    await app.ask('DELETE', '/verdicts');
    await app.loadVerdicts();
  };
  if (verdicts.length === 0) {
    return (
      <Empty>
        <strong>No verdict: every client kept to the contract.</strong> The mock judges how clients retry (section 7)
        and how they poll the call log (section 6).
      </Empty>
    );
  }
  return (
    <>
      <div class="toolbar">
        <span class="soft grow">
          {countOf(verdicts.length, 'verdict')} on {countOf(clientsOf(verdicts).size, 'client')}
        </span>
        <Act id="pardon" does={pardon}>
          Clear
        </Act>
      </div>
      {[...groupsOf(verdicts)].map(([rule, group]) => (
        <Group key={rule} rule={rule} group={group} />
      ))}
    </>
  );
}

function Group({ rule, group }: { rule: string; group: readonly Verdict[] }) {
  const [first] = group;
  return (
    <Card title={rule} aside={<span class="chip bad">{group.length}</span>}>
      {first && (
        <p class="soft">
          The contract: <ClauseLink id={first.clause} />
        </p>
      )}
      <ul class="list verdicts">
        {group
          .slice(-shownMax)
          .toReversed()
          .map((verdict) => (
            <li key={verdict.id}>
              <span>{verdict.message}</span>
              <span class="soft mono">
                {timeOf(verdict.at)} {nameOf(verdict)}{' '}
                {verdict.requestIds.map((id) => (
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

function groupsOf(verdicts: readonly Verdict[]): Map<string, readonly Verdict[]> {
  const groups = new Map<string, readonly Verdict[]>();
  for (const verdict of verdicts) groups.set(verdict.rule, [...(groups.get(verdict.rule) ?? []), verdict]);
  return groups;
}

const nameOf = ({ client }: Verdict) => `${client.key ?? 'no key'} at ${client.address}`;

const clientsOf = (verdicts: readonly Verdict[]) => new Set(verdicts.map(nameOf));
