// Organizations with their keys and accounts. Every state that the contract names can be reached here.

import { useState } from 'preact/hooks';
import { providerActions } from '../../domain/actions.ts';
import type { App } from './app.ts';
import { Act, Card, Choice, Copy, countOf, Empty, Field, type Fields, Form, Head, Listed, Switch } from './parts.tsx';
import type { Account, Key, Organization } from './responses.ts';
import { useApp, useAppState } from './use-app.ts';

const shownMax = 20;
const statuses = ['pending', 'connected', 'expired', 'revoked', 'pending_api_access'];
const troubles = [['none', 'normal'], 'provider_error', 'transient', 'rate_limited'] as const;
const payments = ['ok', 'payment_method_required', 'renewal_pending'];

export function AccountsPage() {
  const { organizations } = useAppState();
  return (
    <>
      <FreshOrganization />
      {organizations.length === 0 && <Empty>No organizations. Create one above.</Empty>}
      <div id="organizations">
        {organizations.slice(-shownMax).map((organization) => (
          <OrganizationCard key={organization.id} organization={organization} />
        ))}
      </div>
      {organizations.length > shownMax && (
        <p class="soft">{countOf(organizations.length - shownMax, 'older organization')} hidden.</p>
      )}
    </>
  );
}

export function FreshOrganization() {
  const app = useApp();
  const { health } = useAppState();
  const make = async (wishes: Fields) => {
    const { key } = await app.ask<{ key: string }>('POST', '/organizations', wishes);
    app.tell(`Created. Key: ${key}`);
  };
  return (
    <Card title="New organization">
      <Form submit={make} send="Create" sendId="fresh">
        <Listed label="World" name="world" values={health?.worlds ?? ['start']} />
        <Field label="Name" name="name" maxLength={80} placeholder="from the world" />
      </Form>
    </Card>
  );
}

function OrganizationCard({ organization }: { organization: Organization }) {
  const app = useApp();
  const { id, name, payment, keys, accounts, counts } = organization;
  const pay = (chosen: string) => app.ask('PUT', `/organizations/${encodeURIComponent(id)}`, { payment: chosen });
  return (
    <section class="card organization">
      <div class="head">
        <h2>
          {name} <span class="soft mono">{id}</span>
        </h2>
        <Choice label="Payment" value={payment} options={payments} choose={pay} />
      </div>
      <p class="soft">
        {Object.entries(counts)
          .map(([what, count]) => countOf(count, what.replace(/s$/, '')))
          .join(', ')}
      </p>
      <ul class="list keys">
        {keys.map((key) => (
          <KeyLine key={key.key} named={key} />
        ))}
      </ul>
      <Articles organizationId={id} total={counts.articles ?? 0} />
      {accounts.length === 0 ? (
        <Empty>
          No connected accounts. Create a connect link with <code>POST /connect/accounts</code>, and open it.
        </Empty>
      ) : (
        <Accounts of={organization} />
      )}
    </section>
  );
}

function KeyLine({ named: { key, label, revoked } }: { named: Key }) {
  return (
    <li>
      <Copy text={key} label={`Copy the key ${label}`}>
        <code>{key}</code>
      </Copy>{' '}
      <span class="soft">{label}</span> {revoked && <span class="chip warn">revoked: returns 401</span>}
    </li>
  );
}

export function Accounts({ of: { id, accounts } }: { of: Organization }) {
  return (
    <table class="accounts">
      <Head titles={['Account', 'Status', 'Platform responses', 'Lock']} />
      <tbody>
        {accounts.map((account) => (
          <AccountRow key={account.accountId} account={account} organizationId={id} />
        ))}
      </tbody>
    </table>
  );
}

function AccountRow({ account, organizationId }: { account: Account; organizationId: string }) {
  const app = useApp();
  const { accountId, provider, label, name, status, locked, trouble } = account;
  const put = (body: object) => change(app, { organizationId, accountId, body });
  const called = `${label} (${provider})`;
  return (
    <tr>
      <td>
        <strong>{label}</strong> <span class="soft">{provider}</span>
        <br />
        <Copy text={accountId} label={`Copy the id of ${called}`}>
          <code>{accountId}</code>
        </Copy>
        {name !== null && name !== label && <span class="soft">{name} </span>}
        {providerActions[provider].includes('reviews') && (
          <Act label={`New review on ${called}`} does={() => addReview(app, organizationId, account)}>
            New review
          </Act>
        )}
      </td>
      <td>
        <Choice
          bare
          label={`Status of ${called}`}
          value={status}
          options={statuses}
          choose={(next) => put({ status: next })}
        />
      </td>
      <td>
        <Choice
          bare
          label={`Response for ${called}`}
          value={trouble}
          options={troubles}
          choose={(next) => put({ trouble: next })}
        />
      </td>
      <td>
        <Switch on={locked} flip={() => put({ locked: !locked })}>
          <span class="readers">Lock of {called}</span>
          <span aria-hidden="true">{locked ? 'locked' : 'not locked'}</span>
        </Switch>
      </td>
    </tr>
  );
}

async function addReview(app: App, organizationId: string, { accountId, label }: Account): Promise<void> {
  const path = `/organizations/${encodeURIComponent(organizationId)}/accounts/${encodeURIComponent(accountId)}/reviews`;
  const { author, rating } = await app.ask<{ author: string; rating: number }>('POST', path, {});
  app.tell(`${author} gave ${label} ${rating} stars.`);
}

interface AccountWish {
  readonly organizationId: string;
  readonly accountId: string;
  readonly body: object;
}

async function change(app: App, { organizationId, accountId, body }: AccountWish): Promise<void> {
  const path = `/organizations/${encodeURIComponent(organizationId)}/accounts/${encodeURIComponent(accountId)}`;
  await app.ask('PUT', path, body);
}

// Articles to publish while an application is running. Opening the list loads them.

interface Article {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

const articlesShownMax = 50;

function Articles({ organizationId, total }: { organizationId: string; total: number }) {
  const app = useApp();
  const [articles, setArticles] = useState<readonly Article[]>([]);
  const path = `/organizations/${encodeURIComponent(organizationId)}/articles`;
  const load = async () => setArticles((await app.ask<{ articles: readonly Article[] }>('GET', path)).articles);
  const publish = async (id: string) => {
    await app.ask('POST', `${path}/${encodeURIComponent(id)}/publish`);
    await load();
  };
  if (total === 0) return null;
  return (
    <details onToggle={(event) => event.currentTarget.open && app.act(load)}>
      <summary>Publish an article</summary>
      <ul class="list">
        {articles.slice(0, articlesShownMax).map(({ id, title, status }) => (
          <li key={id} class="spread">
            <span>
              {title} <span class="chip">{status}</span>
            </span>
            <Act label={`Publish ${title}`} disabled={status === 'published'} does={() => publish(id)}>
              Publish
            </Act>
          </li>
        ))}
      </ul>
    </details>
  );
}
