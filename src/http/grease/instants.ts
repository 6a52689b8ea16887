// The same instant in other forms of ISO 8601 (rulings R8): with an offset, with more digits, without empty ones. The
// form follows from the instant, so that a record reads the same whenever it is read, and a cursor equals the
// `createdAt` it is.
import { formatInstant } from '../../contract/instants.ts';
import { hashToUnit } from '../../domain/random.ts';
import type { AnyOperation } from '../route.ts';

const instantMembers: ReadonlySet<string> = new Set([
  ...['createdAt', 'updatedAt', 'publishedAt', 'connectedAt', 'expiresAt', 'repliedAt', 'startedAt', 'endedAt'],
  'receivedAt',
]);

/** Members are known by name; `date` and `cursor` are instants in some operations only. */
export function restyleInstants(value: unknown, operation: AnyOperation['id'] | null, seed: number): unknown {
  const isInstant = (name: string): boolean =>
    instantMembers.has(name) ||
    (operation === 'listReviews' && name === 'date') ||
    (operation === 'listArticles' && name === 'cursor') ||
    (operation === 'listCalls' && name === 'nextCursor');
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => [
        name,
        typeof member === 'string' && isInstant(name) ? restyle(member, seed) : walk(member),
      ]),
    );
  };
  return walk(value);
}

const written = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\.(\d+)Z$/;

/** Five forms; none loses a digit that matters, because a cursor has to come back as the same instant. */
function restyle(instant: string, seed: number): string {
  const match = written.exec(instant);
  // A world may hold other forms; they stay as they are.
  if (!match) return instant;
  const [, time = '', digits = ''] = match;
  switch (Math.floor(hashToUnit(`${instant} ${seed}`) * 5)) {
    case 0:
      return `${time}.${digits}+00:00`;
    case 1:
      return `${time}.${digits.padEnd(6, '0')}Z`;
    case 2:
      return /^0+$/.test(digits) ? `${time}Z` : instant;
    case 3:
      return `${shift(time, 330)}.${digits}+05:30`;
    default:
      return instant;
  }
}

/** The wall-clock time of a zone `minutes` ahead of UTC. */
function shift(time: string, minutes: number): string {
  return formatInstant(Date.parse(`${time}Z`) + minutes * 60_000).slice(0, 19);
}
