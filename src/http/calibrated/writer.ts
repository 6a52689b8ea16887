// The one way in which responses are written in behaviors. A calibrated mock has behaviors that were learnt or chosen;
// grease draws some of them again for each response.
import type { Behaviors } from '../../contract/generated/behaviors.ts';
import type { Grant } from '../../domain/sliding-window.ts';
import { bodyText, type CoreResponse } from '../message.ts';
import type { AnyOperation, Routing } from '../route.ts';
import { printAs, writeSuccess } from './write-body.ts';
import { writeError } from './write-errors.ts';

/** Rewrites responses of a mock with other than the default behaviors. */
export interface Writer {
  /** The response, said in another legal way. */
  write(response: CoreResponse, routing: Routing): CoreResponse;
  /** The review that an id means as this mock writes it. */
  readReviewId(text: string): string;
  /** Which window the headers of a response that was not blocked describe; null for none (interpretation R42, R43). */
  shownGrant(address: Grant | null, key: Grant | null): Grant | null;
  /** How long the next response takes, in milliseconds. */
  latencyMs?(): number;
  /** For snapshots. */
  position(): number;
  restore(position: number): void;
}

/** Context for writing one response. */
export interface Pen {
  readonly behaviors: Behaviors;
  /** Counts what differs from response to respond to, so both sides of a mixture come in turn. */
  readonly turn: () => number;
  /** Changes other parts of the body, before the behaviors are applied. */
  readonly edit?: (body: unknown, status: number, operation: AnyOperation | null) => unknown;
}

/** Pages and streams are left alone. */
export function writeResponse(response: CoreResponse, routing: Routing, { behaviors, turn, edit }: Pen): CoreResponse {
  if (response.body.length === 0 || !isJson(response)) return response;
  const { status } = response;
  const operation = typeof routing === 'string' ? null : routing.operation;
  const read = JSON.parse(bodyText(response));
  const body = edit === undefined ? read : edit(read, status, operation);
  const written =
    status === 200
      ? writeSuccess(body, { behaviors, operation: operation?.id ?? null, turn })
      : writeError(body, operation?.envelope ?? 'simple', behaviors);
  return { ...response, headers: writeHeaders(response, behaviors), body: printAs(written, behaviors) };
}

function writeHeaders({ status, headers }: CoreResponse, behaviors: Behaviors): Record<string, string> {
  const written: Record<string, string> = {
    ...headers,
    'content-type': status === 200 ? behaviors.contentType : behaviors.errorContentType,
  };
  if (behaviors.challenge === 'absent') delete written['www-authenticate'];
  else if (written['www-authenticate'] !== undefined)
    written['www-authenticate'] = writeChallenge(behaviors.challengeForm);
  return written;
}

/** Sample values for those of a deployment; other parameters get the name of the mock. */
const challengeValues: Readonly<Record<string, string>> = {
  error: 'invalid_token',
  error_description: 'The API key is missing, invalid or revoked.',
  scope: 'api',
  charset: 'UTF-8',
};

/** `Bearer realm, error` names the scheme and its parameters. */
function writeChallenge(form: string): string {
  const [scheme = '', ...rest] = form.split(' ');
  const names = rest
    .join(' ')
    .split(', ')
    .filter((name) => name !== '');
  const parameters = names.map((name) => `${name}="${challengeValues[name] ?? 'casa'}"`);
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
}

function isJson({ headers }: CoreResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('application/json');
}

/** Interpretation R42 and R43. */
export function shownOf(
  { rateHeaders, rateBucket }: Behaviors,
  address: Grant | null,
  key: Grant | null,
): Grant | null {
  if (rateHeaders === 'blocked') return null;
  if (rateBucket === 'address') return address;
  if (rateBucket === 'key' || address === null || key === null) return key ?? address;
  return key.remaining < address.remaining ? key : address;
}
