// The panel inside a page that runs its own mock: the parts of the dashboard for front-end developers.
import { type ComponentType, render, type TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Accounts } from './accounts-page.tsx';
import type { App } from './app.ts';
import { CallsPage } from './calls-page.tsx';
import { ClockBar } from './clock-bar.tsx';
import { FaultsPage } from './faults-page.tsx';
import { Notice } from './page-parts.tsx';
import { Act, Choice, countOf } from './parts.tsx';
import { AppContext, useApp, useAppState } from './use-app.ts';
import { ViolationsPage } from './violations-page.tsx';

const tabs: Readonly<Record<string, ComponentType>> = {
  Faults: FaultsPage,
  Calls: CallsPage,
  Accounts: AccountsTab,
  Violations: ViolationsPage,
};

/** Renders the panel, and returns a function that removes it. */
export function mountPanel(place: ShadowRoot, app: App, isOpen: boolean): () => void {
  render(
    <AppContext.Provider value={app}>
      <Panel isOpen={isOpen} />
    </AppContext.Provider>,
    place,
  );
  return () => render(null, place);
}

function Panel({ isOpen: isOpenFirst }: { isOpen: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const [tab, setTab] = useState('Faults');
  const { faults, violations, notice } = useAppState();
  const Content = tabs[tab] ?? FaultsPage;
  const handle = useRef<HTMLButtonElement>(null);
  const close = () => {
    handle.current?.focus();
    setOpen(false);
  };
  // The tabs are one stop of the keyboard, and the arrows choose among them.
  const turn = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const all = [...event.currentTarget.children] as HTMLElement[];
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : undefined;
    if (step === undefined) return;
    const next = all.at((all.findIndex((one) => one.ariaSelected === 'true') + step) % all.length);
    next?.focus();
    next?.click();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key closes the panel, wherever in it the focus is.
    <div class="panel" onKeyDown={(event) => event.key === 'Escape' && close()}>
      <button
        ref={handle}
        type="button"
        class="handle"
        aria-expanded={isOpen}
        aria-controls="panel"
        onClick={() => setOpen(!isOpen)}
      >
        casa mock
        {faults.length > 0 && <span class="chip warn">{countOf(faults.length, 'fault')}</span>}
        {violations.length > 0 && <span class="chip bad">{countOf(violations.length, 'violation')}</span>}
      </button>
      {isOpen && (
        <section id="panel" aria-label="casa mock">
          <ClockBar />
          <div class="spread">
            <div class="tabs" role="tablist" aria-label="Pages" tabIndex={-1} onKeyDown={turn}>
              {Object.keys(tabs).map((name) => (
                <button
                  key={name}
                  type="button"
                  role="tab"
                  tabIndex={name === tab ? 0 : -1}
                  aria-selected={name === tab}
                  onClick={() => setTab(name)}
                >
                  {name}
                </button>
              ))}
            </div>
            <ResetButton />
          </div>
          <div class="content" role="tabpanel" aria-label={tab}>
            <Content />
          </div>
        </section>
      )}
      {/* Not there while it is empty: a locator in a test of the page would find its role. */}
      {notice !== null && <Notice />}
    </div>
  );
}

function ResetButton() {
  const app = useApp();
  return (
    <Act kind="danger" does={() => app.ask('POST', '/reset')}>
      Reset
    </Act>
  );
}

const payments = ['ok', 'payment_method_required', 'renewal_pending'];

function AccountsTab() {
  const app = useApp();
  const { organizations } = useAppState();
  return (
    <>
      {organizations.map((organization) => (
        <section class="card" key={organization.id} aria-label={organization.name}>
          <div class="head">
            <h2>{organization.name}</h2>
            <Choice
              label="Payment"
              value={organization.payment}
              options={payments}
              choose={(payment) => app.ask('PUT', `/organizations/${encodeURIComponent(organization.id)}`, { payment })}
            />
          </div>
          <Accounts of={organization} />
        </section>
      ))}
    </>
  );
}
