import { operations } from '../../contract/generated/operations.ts';
import { save } from './control-plane.ts';
import { Act, Choice, countOf } from './parts.tsx';
import { badgeKinds, type Filter } from './request-log-rows.ts';
import type { RequestLogRow } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

interface Props {
  readonly filter: Filter;
  readonly change: (filter: Filter) => void;
  readonly rows: readonly RequestLogRow[];
  readonly fitting: readonly RequestLogRow[];
}

const statuses = [
  ['', 'Any status'],
  ['2', '2xx success'],
  ['4', '4xx client error'],
  ['5', '5xx server error'],
  ...['400', '401', '402', '403', '404', '413', '429', '502', '503'].map((status) => [status, status] as const),
] as const;

export function RequestFilter({ filter, change, rows, fitting }: Props) {
  const app = useApp();
  const { organizations } = useAppState();
  const narrow = (part: Partial<Filter>) => change({ ...filter, ...part });
  const accounts = organizations.flatMap((organization) => organization.accounts);
  const named = new Map(accounts.map(({ accountId, label, provider }) => [accountId, `${label} (${provider})`]));
  const archive = async () =>
    save(await app.ask('POST', '/requests/har', { ids: fitting.map(({ id }) => id) }), 'casa-requests.har');
  return (
    <search class="toolbar">
      <input
        id="filter"
        type="search"
        placeholder="Filter by path, status, key, address…"
        aria-label="Filter the request log"
        value={filter.text}
        onInput={(event) => narrow({ text: event.currentTarget.value })}
      />
      <Choice bare label="Status" value={filter.status} options={statuses} choose={(status) => narrow({ status })} />
      <Choice
        bare
        label="Operation"
        value={filter.operation}
        options={[['', 'Any operation'], ...Object.keys(operations)]}
        choose={(operation) => narrow({ operation })}
      />
      <Choice
        bare
        label="Account"
        value={filter.account}
        options={[['', 'Any account'], ...named]}
        choose={(account) => narrow({ account })}
      />
      <Choice
        bare
        label="Badge"
        value={filter.badge}
        options={[['', 'Any badge'], ...badgeKinds]}
        choose={(badge) => narrow({ badge })}
      />
      <span class="soft" id="count">
        {fitting.length === rows.length ? countOf(rows.length, 'request') : `${fitting.length} of ${rows.length}`}
      </span>
      <Act id="har" disabled={fitting.length === 0} does={archive} label="Download HAR of these requests">
        Download HAR
      </Act>
      <Act id="clear" disabled={rows.length === 0} sure="Clear all requests?" does={() => emptyRequestLog(app)}>
        Clear
      </Act>
    </search>
  );
}

async function emptyRequestLog(app: ReturnType<typeof useApp>): Promise<void> {
  await app.ask('DELETE', '/requests');
  await app.loadRequestLog();
}
