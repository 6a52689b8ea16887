// The frame around the pages: header, clock and navigation.
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AccountsPage } from './accounts-page.tsx';
import type { State } from './app.ts';
import { CallsPage, callStatusOf } from './calls-page.tsx';
import { ClockBar } from './clock-bar.tsx';
import { rootPath } from './control-plane.ts';
import { FaultsPage } from './faults-page.tsx';
import { LimitsPage } from './limits-page.tsx';
import { Notice, Theme } from './page-parts.tsx';
import { ParityPage } from './parity-page.tsx';
import { Act, Copy } from './parts.tsx';
import { RequestLogPage } from './request-log-page.tsx';
import { SnapshotsPage } from './snapshots-page.tsx';
import { TryPage } from './try-page.tsx';
import { useApp, useAppState, useHash } from './use-app.ts';
import { ViolationsPage } from './violations-page.tsx';

interface View {
  readonly name: string;
  readonly title: string;
  readonly Content: ComponentType;
  /** The number next to the title in the list of pages. */
  readonly count?: (state: State, now: number) => number;
}

const pages: readonly View[] = [
  { name: 'requests', title: 'Requests', Content: RequestLogPage, count: ({ rows }) => rows.length },
  { name: 'violations', title: 'Violations', Content: ViolationsPage, count: ({ violations }) => violations.length },
  { name: 'faults', title: 'Faults', Content: FaultsPage, count: ({ faults }) => faults.length },
  {
    name: 'calls',
    title: 'Calls',
    Content: CallsPage,
    count: ({ calls }, now) =>
      calls.filter((call) => /in progress|settling/.test(callStatusOf(call, now).phase)).length,
  },
  { name: 'accounts', title: 'Accounts', Content: AccountsPage },
  { name: 'limits', title: 'Limits', Content: LimitsPage },
  { name: 'parity', title: 'Parity', Content: ParityPage },
  { name: 'try', title: 'Client test', Content: TryPage },
  { name: 'snapshots', title: 'Snapshots', Content: SnapshotsPage, count: ({ snapshots }) => snapshots.length },
];

export function Frame({ logIn }: { logIn: (token: string) => void }) {
  const { connection } = useAppState();
  const isUsable = connection.kind === 'live' || connection.kind === 'offline';
  return (
    <>
      <Header isUsable={isUsable} />
      {connection.kind === 'login' && <Login message={connection.message} logIn={logIn} />}
      {connection.kind === 'rejected' && <AccessDenied message={connection.message} />}
      {connection.kind === 'starting' && <p class="empty">Connecting to the mock…</p>}
      {isUsable && <Pages isOffline={connection.kind === 'offline'} />}
      <Notice />
    </>
  );
}

function Header({ isUsable }: { isUsable: boolean }) {
  const app = useApp();
  const { connection, health, organizations } = useAppState();
  const key = organizations.flatMap(({ keys }) => keys).find(({ revoked }) => !revoked)?.key;
  const isLive = connection.kind === 'live';
  return (
    <header>
      <h1>casa mock</h1>
      <span class={`state ${isLive ? 'good' : 'bad'}`} id="state" role="status">
        {isLive ? 'live' : connection.kind === 'login' ? 'locked' : connection.kind}
      </span>
      {isUsable && health && (
        <>
          {app.hasServer && <Copied id="base" name="Base URL" text={health.baseUrl} />}
          {key !== undefined && <Copied id="key" name="Key" text={key} />}
          <span class="chip" id="profile">
            {health.profile}
          </span>
        </>
      )}
      <span class="row end">
        <a href={`${rootPath()}/__admin/docs`}>API reference</a>
        <Theme />
        {isUsable && (
          <Act
            id="reset"
            kind="danger"
            disabled={!isLive}
            label="Reset data, clock, faults, rate limits, request log and violations"
            sure="Reset everything?"
            does={() => app.ask('POST', '/reset')}
          >
            Reset
          </Act>
        )}
      </span>
    </header>
  );
}

function Copied({ id, name, text }: { id: string; name: string; text: string }) {
  return (
    <span id={id}>
      <span class="soft">{name}</span> <code>{text}</code>
      <Copy text={text} label={`Copy: ${name}`}>
        Copy
      </Copy>
    </span>
  );
}

function Pages({ isOffline }: { isOffline: boolean }) {
  const app = useApp();
  const state = useAppState();
  const [hash] = useHash();
  const [wanted] = hash.split(/[/?]/);
  const { name, title, Content } = pages.find((page) => page.name === wanted) ?? (pages[0] as View);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    // A notice is about the page on which it came up.
    return () => app.set({ notice: null });
  }, [name]);
  return (
    <fieldset class="bare" disabled={isOffline}>
      {isOffline && (
        <p class="banner" role="alert">
          The mock does not respond. This page shows the last known state and retries every two seconds.
        </p>
      )}
      <ClockBar />
      <div class="body">
        <nav aria-label="Pages" ref={list}>
          {pages.map((page) => {
            const count = page.count?.(state, app.now()) ?? 0;
            return (
              <a key={page.name} href={`#${page.name}`} aria-current={page.name === name ? 'page' : undefined}>
                {page.title}
                {count > 0 && <span class={`chip ${page.name === 'violations' ? 'bad' : ''}`}>{count}</span>}
              </a>
            );
          })}
        </nav>
        <main aria-label={title} id={`page-${name}`}>
          <Content />
        </main>
      </div>
    </fieldset>
  );
}

// Pages for a user without access: the form for the admin token, and the reason of a rejection.

function Login({ message, logIn }: { message: string; logIn: (token: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token !== '') logIn(token);
  };
  return (
    <main class="login">
      <section class="card" id="login">
        <h2>Enter the admin token</h2>
        <p class="soft">
          The mock was started with <code>--admin-token</code>. Your browser stores the token for this tab only.
        </p>
        <form onSubmit={submit}>
          <label>
            <span>Admin token</span>
            <input
              ref={field}
              id="token"
              type="password"
              autocomplete="off"
              required
              aria-invalid={message !== ''}
              aria-describedby="problem"
            />
          </label>
          <p id="problem" class="bad" role="alert">
            {message}
          </p>
          <button type="submit" class="primary">
            Log in
          </button>
        </form>
      </section>
    </main>
  );
}

function AccessDenied({ message }: { message: string }) {
  return (
    <main class="login">
      <section class="card">
        <h2>Access to the admin API was rejected</h2>
        <p>{message}</p>
      </section>
    </main>
  );
}
