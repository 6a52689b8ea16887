import { ApiError } from 'casa-kit/api';

/** Branches on the code, never on the message (7.envelope.branch-on-code). */
function advise(error: ApiError): string {
  switch (error.code) {
    case 'unauthorized':
      return 'The server in front of this page has no valid API key.';
    case 'provider_auth':
      return 'The platform no longer accepts this account. Connect it again.';
    case 'provider_permission':
      return 'The account lacks a permission for this.';
    case 'payment_required':
      return error.reason === 'renewal_pending' ? 'Paid accounts wait for a renewal payment.' : 'A payment is needed.';
    case 'not_supported':
      return 'This platform cannot do that.';
    case 'rate_limit_exceeded':
    case 'rate_limited':
      return 'Too many requests. Wait a little and try again.';
    case 'provider_error':
    case 'transient':
      return 'The platform has trouble. Try again later.';
    case 'network':
    case 'timeout':
      return 'The service cannot be reached.';
    default:
      return error.message;
  }
}

export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const text = error instanceof ApiError ? advise(error) : String(error);
  return (
    <p role="alert" className="problem">
      {text} {error instanceof ApiError && <code>{error.code}</code>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}

export function Loading() {
  return (
    <p role="status" className="quiet">
      Loading…
    </p>
  );
}
