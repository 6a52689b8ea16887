// The routes of the admin API, in the words of its own document spec/admin.openapi.yaml, which a test holds them
// against.
import type { CoreResponse } from '../http/message.ts';
import { endCall, listCalls, ringCall } from './call-routes.ts';
import { showDashboard, showReference } from './dashboard.ts';
import { streamEvents } from './event-stream.ts';
import { addFault, clearFaults, listFaults, putFault, removeFault } from './fault-routes.ts';
import { addReview, listArticles, publishArticle, putArticle } from './live-routes.ts';
import {
  addOrganization,
  listContacts,
  listOrganizations,
  putAccount,
  putOrganization,
} from './organization-routes.ts';
import { type AdminCall, replyText } from './reply.ts';
import { clearRequests, exportRequests, getRequest, listRequests, replayRequest } from './request-routes.ts';
import {
  advanceClock,
  clearViolations,
  freezeClock,
  getClock,
  getHealth,
  getLimits,
  getParity,
  getSnapshot,
  listSnapshots,
  listViolations,
  listWindows,
  putLimits,
  putSnapshot,
  putWorld,
  removeSnapshot,
  resetAll,
  restoreSnapshot,
  resumeClock,
  scaleClock,
  setClock,
  shutDown,
  takeSnapshot,
} from './state-routes.ts';

export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/__admin`. */
  readonly path: string;
  readonly respond: (call: AdminCall) => CoreResponse;
}

const route = (method: AdminRoute['method'], path: string, respond: AdminRoute['respond']): AdminRoute => ({
  method,
  path,
  respond,
});

/** Loaded with the first reader: the mock itself has no use for it. */
const getDocument = (): CoreResponse => ({
  ...replyText('', { 'content-type': 'application/json; charset=utf-8' }),
  later: async () => ({ headers: {}, body: (await import('../contract/generated/admin.ts')).adminDocument }),
});

/** The control MCP server, loaded with its first message. */
const respondAgent = (call: AdminCall): CoreResponse => ({
  ...replyText('', {}),
  later: async () => (await import('./agent/endpoint.ts')).respondAgent(call),
});

// A fixed path is listed before one with a parameter in the same place: the first match is used.
export const adminRoutes: readonly AdminRoute[] = [
  route('GET', '/', showDashboard),
  route('GET', '/docs', showReference),
  route('GET', '/openapi.json', getDocument),
  route('POST', '/mcp', respondAgent),
  route('GET', '/health', getHealth),
  route('GET', '/parity', getParity),
  route('POST', '/reset', resetAll),
  route('POST', '/shutdown', shutDown),
  route('GET', '/requests', listRequests),
  route('DELETE', '/requests', clearRequests),
  route('POST', '/requests/har', exportRequests),
  route('GET', '/requests/{id}', getRequest),
  route('POST', '/requests/{id}/replay', replayRequest),
  route('GET', '/faults', listFaults),
  route('POST', '/faults', addFault),
  route('DELETE', '/faults', clearFaults),
  route('PUT', '/faults/{id}', putFault),
  route('DELETE', '/faults/{id}', removeFault),
  route('GET', '/calls', listCalls),
  route('POST', '/calls', ringCall),
  route('POST', '/calls/{id}/end', endCall),
  route('GET', '/snapshots', listSnapshots),
  route('POST', '/snapshots', takeSnapshot),
  route('GET', '/snapshots/{id}', getSnapshot),
  route('PUT', '/snapshots/{id}', putSnapshot),
  route('DELETE', '/snapshots/{id}', removeSnapshot),
  route('POST', '/snapshots/{id}/restore', restoreSnapshot),
  route('PUT', '/world', putWorld),
  route('GET', '/organizations', listOrganizations),
  route('POST', '/organizations', addOrganization),
  route('PUT', '/organizations/{id}', putOrganization),
  route('PUT', '/organizations/{id}/accounts/{accountId}', putAccount),
  route('POST', '/organizations/{id}/accounts/{accountId}/reviews', addReview),
  route('POST', '/organizations/{id}/reviews', addReview),
  route('GET', '/organizations/{id}/articles', listArticles),
  route('POST', '/organizations/{id}/articles', putArticle),
  route('POST', '/organizations/{id}/articles/{articleId}/publish', publishArticle),
  route('GET', '/organizations/{id}/contacts', listContacts),
  route('GET', '/limits', getLimits),
  route('PUT', '/limits', putLimits),
  route('GET', '/limits/windows', listWindows),
  route('GET', '/clock', getClock),
  route('POST', '/clock/advance', advanceClock),
  route('POST', '/clock/freeze', freezeClock),
  route('POST', '/clock/resume', resumeClock),
  route('POST', '/clock/set', setClock),
  route('POST', '/clock/scale', scaleClock),
  route('GET', '/violations', listViolations),
  route('DELETE', '/violations', clearViolations),
  route('GET', '/events', streamEvents),
];
