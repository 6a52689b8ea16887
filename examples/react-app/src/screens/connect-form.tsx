import type { ConnectAccountOutput, Provider } from 'casa-kit/api';
import { type FormEvent, useState } from 'react';
import { api, where } from '../api.ts';
import { Problem } from '../problem.tsx';

const providers: readonly Provider[] = [
  'google_business',
  'facebook_page',
  'tiktok',
  'instagram',
  'google_analytics',
  'google_search_console',
  'google_ads',
  'google_calendar',
  'google_contacts',
];

/** The consent page of the mock leads back to where this says; the contract knows no such parameter. */
function withWayBack(connectUrl: string): string {
  return where === 'staging' ? connectUrl : `${connectUrl}?returnUrl=${encodeURIComponent(location.href)}`;
}

export function ConnectForm() {
  const [link, setLink] = useState<ConnectAccountOutput | null>(null);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setError(null);
    try {
      const provider = form.get('provider') as Provider;
      setLink((await api.createConnectLink({ provider, label: String(form.get('label')) })).data);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form onSubmit={submit}>
      <h2>Connect an account</h2>
      <label>
        Platform{' '}
        <select name="provider">
          {providers.map((provider) => (
            <option key={provider}>{provider}</option>
          ))}
        </select>
      </label>
      <label>
        Label <input name="label" required maxLength={80} />
      </label>
      <button type="submit">Make a link</button>
      {error !== null && <Problem error={error} />}
      {link && (
        <p role="status">
          For {link.label}: <a href={withWayBack(link.connectUrl)}>open the link</a>. It works once.
        </p>
      )}
    </form>
  );
}
