// The effect of a mutant on one exchange, for observers: the request log has only the mock's own requests and
// responses.
import { bodyText, type CoreRequest, type CoreResponse } from '../../http/message.ts';

/** One exchange that a mutant changed, so a user can distinguish it from the mock's behavior. */
export interface Act {
  /**
   * `request`: the mock was given another one than was sent. `response`: its response was changed, or it was not asked
   * at all.
   */
  readonly what: 'request' | 'response';
  /** Status of the mock's own response; null when it was not asked. */
  readonly ownStatus: number | null;
  readonly status: number;
}

/** Request and response at one side of the wrapper. */
export interface Passed {
  readonly request: CoreRequest;
  readonly response: CoreResponse;
}

/** Compares an exchange of a mutant with the last exchange of the wrapped mock; null when both are the same. */
export function actOf(outer: Passed, inner: Passed | null): Act | null {
  const { status } = outer.response;
  if (inner === null) return { what: 'response', ownStatus: null, status };
  const ownStatus = inner.response.status;
  if (!isSameResponse(outer.response, inner.response)) return { what: 'response', ownStatus, status };
  return isSameRequest(outer.request, inner.request) ? null : { what: 'request', ownStatus, status };
}

/** By content: many wrappers make a new object and change nothing in it. */
function isSameResponse(a: CoreResponse, b: CoreResponse): boolean {
  return (
    a === b ||
    (a.status === b.status &&
      a.network === b.network &&
      isSameRecord(a.headers, b.headers) &&
      bodyText(a) === bodyText(b))
  );
}

function isSameRequest(a: CoreRequest, b: CoreRequest): boolean {
  const target = ({ method, path, query, peer }: CoreRequest) => [method, path, query, peer].join(' ');
  return a === b || (target(a) === target(b) && isSameRecord(a.headers, b.headers) && textOf(a) === textOf(b));
}

function isSameRecord(a: Readonly<Record<string, string | undefined>>, b: typeof a): boolean {
  return [...Object.keys(a), ...Object.keys(b)].every((name) => a[name] === b[name]);
}

function textOf({ body }: CoreRequest): string | null {
  return body === null ? null : bodyText({ body });
}
