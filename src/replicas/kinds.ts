// Which requests go through the log, and which of those change nothing.
import { adminPath } from '../admin/control-plane.ts';
import { type GuardOptions, rejectStranger } from '../admin/guard.ts';
import type { CoreRequest } from '../http/message.ts';
import { serveWelcome } from '../http/welcome.ts';

/** Responses whether this replica may be sent requests; open to everyone, and says nothing more. */
export const readyPath = '/__ready';

/** About this replica alone, or the same at any time. */
const ownPages = ['', '/', '/docs', '/openapi.json', '/health', '/events', '/shutdown'];
/** Their bodies are criteria. */
const readingPosts = ['/requests/find', '/requests/count', '/requests/har'];

export function belowAdmin({ path }: Pick<CoreRequest, 'path'>): string | null {
  return path === adminPath || path.startsWith(`${adminPath}/`) ? path.slice(adminPath.length) : null;
}

/**
 * Whether a replica responds by itself: pages, its own health and events, and rejections of the admin API's guard,
 * which must not cost other replicas anything.
 */
export function isOwnMatter(request: CoreRequest, guard: GuardOptions): boolean {
  const below = belowAdmin(request);
  if (below === null) return serveWelcome(request) !== null;
  return ownPages.includes(below.replace(/(.)\/$/, '$1')) || rejectStranger(request, guard) !== null;
}

/** Whether only this replica has to handle the request, because it changes nothing. */
export function isLook(request: Pick<CoreRequest, 'path' | 'method'>): boolean {
  const below = belowAdmin(request);
  if (below === null) return false;
  return request.method === 'POST' ? readingPosts.includes(below) : ['GET', 'HEAD'].includes(request.method);
}
