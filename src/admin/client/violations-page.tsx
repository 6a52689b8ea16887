// Violations of clients, grouped by rule and operation, with the change of the client.

import { grouped } from '../../contract/words.ts';
import { Act, Card, ClauseLink, countOf, Empty, RequestLink, timeOf } from './parts.tsx';
import type { Violation } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

const shownMax = 10;

export function ViolationsPage() {
  const app = useApp();
  const { violations } = useAppState();
  const clear = async () => {
    await app.ask('DELETE', '/violations');
    await app.loadList('violations');
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
        <Act id="clear-violations" sure="Clear all violations?" does={clear}>
          Clear
        </Act>
      </div>
      {[...grouped(violations, ({ rule }) => rule)].map(([rule, group]) => (
        <Group key={rule} rule={rule} group={group} />
      ))}
    </>
  );
}

interface Mistake {
  readonly title: string;
  readonly change: string;
  /** A setting of TanStack Query, and one of SWR. */
  readonly settings: readonly [tanstack: string, swr: string];
}

const retries: Mistake['settings'] = [
  'retry: (count, { status }) => count < 3 && [429, 502, 503].includes(status)',
  'shouldRetryOnError: ({ status }) => [429, 502, 503].includes(status)',
];
const waits: Mistake['settings'] = [
  'retryDelay: (count, { retryAfterMs }) => retryAfterMs ?? 1000 * 2 ** count',
  'onErrorRetry: (e, _key, _config, again, { retryCount: n }) => setTimeout(again, e.retryAfterMs ?? 1000 * 2 ** n, { retryCount: n })',
];
const polls: Mistake['settings'] = ['refetchInterval: 60_000', 'refreshInterval: 60_000, revalidateOnFocus: false'];
const position =
  'Store nextCursor if it is a string, and send it as the next since. If it is null, keep the old since.';

const mistakes: Readonly<Record<Violation['rule'], Mistake>> = {
  'unchanged-retry': {
    title: 'Retried a rejected request without a change',
    change: 'Show the error. Retry only after 429, 502 and 503.',
    settings: retries,
  },
  'early-retry': {
    title: 'Retried before the rate limit was reset',
    change: 'Wait for the time in Retry-After, else until X-RateLimit-Reset.',
    settings: waits,
  },
  'no-back-off': {
    title: 'Retried without back-off',
    change: 'Wait before each retry, and longer each time.',
    settings: waits,
  },
  'lost-since': { title: 'Lost the position in the call log', change: position, settings: polls },
  'since-backwards': { title: 'Moved back in the call log', change: position, settings: polls },
  'hasty-poll': {
    title: 'Polled the call log too early',
    change: 'Wait at least one minute after a page that is not full.',
    settings: polls,
  },
  'late-poll': {
    title: 'Waited after a full page of the call log',
    change: 'Request the next page immediately.',
    settings: polls,
  },
  'key-rotated': {
    title: 'Changed the key after provider_auth',
    change: 'Reconnect the account. The key is valid.',
    settings: retries,
  },
};

function Group({ rule, group }: { rule: Violation['rule']; group: readonly Violation[] }) {
  const { rows } = useAppState();
  const { title, change, settings } = mistakes[rule];
  const operationOf = ({ requestIds }: Violation) => rows.find(({ id }) => id === requestIds.at(-1))?.operation;
  return (
    <Card title={title} aside={<span class="chip bad">{group.length}</span>}>
      <p>
        {change}{' '}
        <small class="soft">
          {rule}, clause <ClauseLink id={group[0]?.clause ?? ''} />
        </small>
      </p>
      <ul class="list violations">
        {[...grouped(group, (each) => operationOf(each) ?? 'no operation')].map(([operation, some]) => (
          <Mistakes key={operation} operation={operation} some={some} />
        ))}
      </ul>
      {settings.map((setting, i) => (
        <small key={setting} class="soft">
          {['TanStack Query', 'SWR'][i]}: <code>{setting}</code>
          <br />
        </small>
      ))}
    </Card>
  );
}

/** The violations of an operation: how many, when, and the last ones as sentences. */
function Mistakes({ operation, some }: { operation: string; some: readonly Violation[] }) {
  const [first, last] = [some[0], some.at(-1)];
  const times = first && last ? [timeOf(first.at), timeOf(last.at)] : [];
  return (
    <li>
      <span class="spread">
        <span>
          <strong class="mono">{operation}</strong> <span class="chip bad">{some.length}×</span>
        </span>
        <span class="soft mono">{[...new Set(times)].join(' to ')}</span>
      </span>
      <span>{last?.message}</span>
      <span class="soft mono">
        {last && nameOf(last)}
        {some.slice(-shownMax).map(({ id, requestIds }) => (
          <RequestLink key={id} id={requestIds.at(-1) ?? 0} />
        ))}
      </span>
    </li>
  );
}

const nameOf = ({ client }: Violation) => `${client.key ?? 'no key'} at ${client.address}`;

const clientsOf = (violations: readonly Violation[]) => new Set(violations.map(nameOf));
