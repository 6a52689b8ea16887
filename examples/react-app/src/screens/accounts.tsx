import type { Billing, ConnectedAccount, PendingInvite } from 'casa-kit/api';
import { useCallback } from 'react';
import { api } from '../api.ts';
import { Loading, Problem } from '../problem.tsx';
import { useResponse } from '../use-response.ts';
import { ConnectForm } from './connect-form.tsx';

export function Accounts() {
  const [response, again] = useResponse(useCallback((signal) => api.listAccounts({}, { signal }), []));
  return (
    <>
      <h1>Accounts</h1>
      {response.state === 'loading' && <Loading />}
      {response.state === 'failed' && <Problem error={response.error} retry={again} />}
      {response.state === 'ready' && (
        <>
          <BillingLine {...response.value.data.billing} />
          <AccountList accounts={response.value.data.accounts} />
          <Invites invites={response.value.data.pendingInvites} />
        </>
      )}
      <ConnectForm />
    </>
  );
}

function BillingLine({ connected, free, billable, needsPayment }: Billing) {
  return (
    <p className="quiet">
      {connected} connected, {free} free, {billable} billable.{' '}
      {needsPayment && <strong className="bad">A payment is needed.</strong>}
    </p>
  );
}

function AccountList({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  return (
    <ul className="cards">
      {accounts.map(({ accountId, label, name, provider, status, locked }) => (
        <li key={accountId} data-status={status}>
          <a href={`#/accounts/${encodeURIComponent(accountId)}`}>{name ?? label}</a>
          <span className="badge">{status}</span>
          <span className="quiet">
            {provider}
            {locked && ', locked'}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Invites({ invites }: { invites: readonly PendingInvite[] }) {
  if (invites.length === 0) return null;
  return (
    <>
      <h2>Invited</h2>
      <ul className="cards">
        {invites.map(({ id, label, provider, maxAccounts }) => (
          <li key={id}>
            <strong>{label}</strong>
            <span className="quiet">
              {provider}, up to {maxAccounts}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
