// The request log: rows, filters, keyboard shortcuts, and the drawer with one request.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { operations } from '../../contract/generated/operations.ts';
import { save } from './control-plane.ts';
import { Drawer } from './drawer.tsx';
import { FirstRequest } from './page-parts.tsx';
import { Act, Choice, countOf, Empty, spanOf } from './parts.tsx';
import { RequestRow } from './request-log-row.tsx';
import {
  badgeKinds,
  badgesOf,
  type Filter,
  filterIn,
  fits,
  hashOf,
  noFilter,
  shortPath,
  violationsByRequest,
} from './request-log-rows.ts';
import type { RequestLogRow, Violation } from './responses.ts';
import { useApp, useAppState, useHash, useRealNow } from './use-app.ts';

const shownStep = 200;
const none: readonly Violation[] = [];

/** The request that an address opens; 0 for none. */
function selectedIn(hash: string): number {
  return Number(/^requests\/(\d+)/.exec(hash)?.[1] ?? 0);
}

export function RequestLogPage() {
  const { rows, violations } = useAppState();
  const [hash, go] = useHash();
  const [, filtered = ''] = hash.split('?');
  const filter = useMemo(() => filterIn(`?${filtered}`), [filtered]);
  const setFilter = (next: Filter) => go(hashOf(0, next), true);
  const [shown, setShown] = useState(shownStep);
  const judged = useMemo(() => violationsByRequest(violations), [violations]);
  const fitting = useMemo(
    () => rows.filter((row) => fits(row, filter, badgesOf(row, judged.get(row.id) ?? none))),
    [rows, filter, judged],
  );
  const selected = selectedIn(hash);
  const open = (id: number) => go(hashOf(id, filter));
  const neighbour = (step: number) => {
    // Two quick keys may come before the page is drawn again.
    const now = selectedIn(location.hash.slice(1));
    const at = fitting.findIndex(({ id }) => id === now);
    return fitting[at === -1 ? 0 : Math.min(Math.max(at + step, 0), fitting.length - 1)]?.id ?? 0;
  };
  useKeys({ open, neighbour, isOpen: selected !== 0 });
  const visible = fitting.slice(0, shown);
  return (
    <>
      <RequestFilter filter={filter} change={setFilter} rows={rows} fitting={fitting} />
      {rows.length === 0 ? (
        <FirstRequest />
      ) : fitting.length === 0 ? (
        <Empty>
          No request matches the filter. <Act does={() => setFilter(noFilter)}>Show all {rows.length}</Act>
        </Empty>
      ) : (
        <RequestLogTable rows={visible} judged={judged} selected={selected} open={open} />
      )}
      {fitting.length > shown && (
        <p class="more">
          <Act does={() => setShown(shown + shownStep)}>
            Show {Math.min(shownStep, fitting.length - shown)} older requests
          </Act>
        </p>
      )}
      {selected !== 0 && (
        <Drawer
          id={selected}
          violations={violations.filter(({ requestIds }) => requestIds.includes(selected))}
          close={() => open(0)}
          step={(by) => open(neighbour(by))}
          open={open}
        />
      )}
      <p class="soft hint" id="keys">
        Keys: <kbd>/</kbd> filter, <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>Esc</kbd> close. Newest first. The
        mock stores the last 1,000 requests.
      </p>
    </>
  );
}

const columns = [
  ['no', 'No.'],
  ['ago', 'Time'],
  ['status', 'Status'],
  ['target', 'Request'],
  ['client', 'Client'],
  ['figure', 'Duration'],
  ['figure size', 'Size'],
] as const;

interface TableProps {
  readonly rows: readonly RequestLogRow[];
  readonly judged: ReadonlyMap<number, readonly Violation[]>;
  readonly selected: number;
  readonly open: (id: number) => void;
}

function RequestLogTable({ rows, judged, selected, open }: TableProps) {
  const { organizations } = useAppState();
  const now = useRealNow();
  const labels = useMemo(
    () => new Map(organizations.flatMap((each) => each.accounts.map(({ accountId, label }) => [accountId, label]))),
    [organizations],
  );
  return (
    <table class="request-log">
      <thead>
        <tr>
          {columns.map(([name, title]) => (
            <th key={name} scope="col" class={name}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody id="requests">
        {rows.map((row) => (
          <RequestRow
            key={row.id}
            row={row}
            target={shortPath(row, labels)}
            ago={row.receivedAt ? `${spanOf(now - Date.parse(row.receivedAt))} ago` : ''}
            violations={judged.get(row.id) ?? none}
            isSelected={row.id === selected}
            open={open}
          />
        ))}
      </tbody>
    </table>
  );
}

interface KeyActs {
  readonly open: (id: number) => void;
  readonly neighbour: (step: number) => number;
  readonly isOpen: boolean;
}

function useKeys(acts: KeyActs): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { open, neighbour, isOpen } = latest.current;
      const typing = (event.target as HTMLElement).closest?.('input, select, textarea') ?? null;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape' && isOpen) open(0);
      else if (typing) return;
      else if (event.key === '/') document.getElementById('filter')?.focus();
      else if (event.key === 'j' || (event.key === 'ArrowDown' && isOpen)) open(neighbour(1));
      else if (event.key === 'k' || (event.key === 'ArrowUp' && isOpen)) open(neighbour(-1));
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

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
  ['none', 'No response'],
  ...['400', '401', '402', '403', '404', '413', '429', '502', '503'].map((status) => [status, status] as const),
] as const;

function RequestFilter({ filter, change, rows, fitting }: Props) {
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
        placeholder="Path, status…"
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
