// Is there a service at the base URL, and does it take the key? One request when all is well, two when not, and one
// sentence that says what to do.

import { isEventStream } from '../exchange/event-stream.ts';
import { type Exchange, errorCode, isGatewayPage, isWebPage, type Problem, senderOf } from '../exchange/exchange.ts';
import { userAgent } from '../exchange/request.ts';
import type { Abort } from '../report/report.ts';
import type { Client, Delivery } from './pace/client.ts';
import { proxyTrouble } from './wire/agents.ts';
import { noTlsDetail } from './wire/http.ts';

const versionPath = '/api/v1';

/** The response of GET /sites is shared, so the first check does not send it again. */
export async function preflight(
  client: Client,
  baseUrl: URL,
  speaksTls: SpeaksTls,
): Promise<{ abort: Abort | null; sites: Delivery | null }> {
  const first = await asked(client);
  return { abort: await explainFirst(first, client, { url: baseUrl, flag: '--base-url', speaksTls }), sites: first };
}

/** Once more if the key is rejected: one of several workers may not know it. */
async function asked(client: Client): Promise<Delivery> {
  const first = await client.deliver({ operation: 'listSites' });
  if (first.exchange.status !== 401 || isWebPage(first.exchange)) return first;
  const second = await client.deliver({ operation: 'listSites' });
  return second.exchange.status === 200 ? second : first;
}

type SpeaksTls = (url: URL) => Promise<boolean>;

/** An address, and the flag that gave it: sentences name what to change. */
interface Named {
  readonly url: URL;
  readonly flag: '--base-url' | '--url';
  readonly speaksTls: SpeaksTls;
}

/**
 * The same for a run that checks an MCP endpoint alone, from the last exchange of a failed connection. Null if the
 * service itself is at fault: then the check of the endpoint reports it.
 */
export async function whyShut({ exchange, trouble }: Delivery, url: URL, speaksTls: SpeaksTls): Promise<Abort | null> {
  const outside = await troubleOutside({ exchange, trouble }, { url, flag: '--url', speaksTls });
  const front = outside ?? inFront(exchange);
  if (front !== null) return front;
  if (trouble === 'platform') return downFromTheStart(url.host, exchange);
  const isJson = exchange.json !== undefined || isEventStream(exchange.headers['content-type']);
  const { status } = exchange;
  if (status !== 404 && status !== 405 && (isJson || status >= 400)) return null;
  const what = isJson ? String(status) : `${status} without JSON`;
  return {
    exitCode: 4,
    sentence: `${exchange.url} returns ${what}, so it is not an MCP endpoint: check --url, including its path.`,
  };
}

/** First problems in front of the service, then the path. */
async function explainFirst({ exchange, trouble }: Delivery, client: Client, named: Named): Promise<Abort | null> {
  const outside = await troubleOutside({ exchange, trouble }, named);
  if (outside !== null) return outside;
  const front = inFront(exchange);
  const isPage = isWebPage(exchange) && exchange.status < 500;
  if (front === null && trouble !== 'platform' && exchange.status !== 404 && !isPage) return null;
  const lacking = await lacksVersionPath(client, named.url);
  if (trouble === 'platform') return lacking ?? stillDown(client, named.url);
  return lacking ?? front ?? notTheService(exchange, isPage);
}

/**
 * The scheme, the network, a limiter, a redirect, a gatekeeper, the key. The first that explains the response ends the
 * run with one sentence.
 */
async function troubleOutside({ exchange, trouble }: Delivery, named: Named): Promise<Abort | null> {
  const { host } = named.url;
  const scheme = exchange.status === 200 ? null : await otherScheme(exchange, named);
  if (scheme !== null) return { exitCode: 4, sentence: scheme };
  if (trouble === 'unreachable') {
    const detail = exchange.problemDetail ?? '';
    if (wantsProxyLogin.test(detail))
      return { exitCode: 2, sentence: proxyLogin(detail.split(', which')[0] ?? detail) };
    return { exitCode: clientCertificate.test(detail) ? 2 : 4, sentence: unreachable(exchange, named) };
  }
  if (trouble === 'interference') {
    return {
      exitCode: 3,
      sentence: `Nothing was tested: a rate limit of ${host} rejects every request, even after the stated wait time.`,
    };
  }
  const inBetween = blockerOf(exchange, named.url);
  if (inBetween !== null) return inBetween;
  if (exchange.status !== 401 || isWebPage(exchange)) return null;
  return {
    exitCode: 2,
    sentence: `${host} rejects the API key (401); set CONFORMANCE_API_KEY to a key of this deployment.`,
  };
}

/** Sites and articles need no platform: if both have errors, the service is down. */
async function stillDown(client: Client, baseUrl: URL): Promise<Abort | null> {
  const { exchange, trouble } = await client.deliver({ operation: 'listArticles', params: { limit: 1 } });
  return trouble === 'platform' || trouble === 'unreachable' ? downFromTheStart(baseUrl.host, exchange) : null;
}

/** A proxy that demands a login or similar. */
function blockerOf({ status, headers, problem, bodyText }: Exchange, { host }: URL): Abort | null {
  if (status === 407) return { exitCode: 2, sentence: proxyLogin(`${proxyTrouble}HTTP_PROXY`) };
  if (status === 401 && /^basic\b/i.test(headers['www-authenticate'] ?? '')) {
    const way = '--header "Authorization: Basic ...", and the API key in another header with --key-header NAME';
    return {
      exitCode: 2,
      sentence: `${host} requires a user name and a password (Basic authentication): send them with ${way}.`,
    };
  }
  const isRejected = problem === 'not-json' && (status === 400 || status === 403 || status === 495 || status === 496);
  if (!isRejected || !/(SSL|client) certificate/i.test(bodyText)) return null;
  return { exitCode: 2, sentence: `${host} requires a client certificate: pass one with --cert FILE and --key FILE.` };
}

/** A tunnel is rejected before there is a request. */
const wantsProxyLogin = new RegExp(`^${proxyTrouble}.*rejects the tunnel with status 407`);

function proxyLogin(proxy: string): string {
  const remedy = 'add a user name and a password to the variable, as in http://user:password@host';
  return `${proxy[0]?.toUpperCase()}${proxy.slice(1)} returns 407, so it requires authentication: ${remedy}.`;
}

/** Cites 9.base-path. */
async function lacksVersionPath(client: Client, baseUrl: URL): Promise<Abort | null> {
  const path = baseUrl.pathname.replace(/\/+$/, '');
  if (path.endsWith(versionPath)) return null;
  const { exchange, trouble } = await client.deliver({ path: `${versionPath}/sites` });
  const isService =
    trouble === null && exchange.problem === 'none' && (exchange.status === 200 || exchange.status === 401);
  if (!isService) return null;
  return {
    exitCode: 2,
    sentence: `The base URL lacks the version: use --base-url ${baseUrl.origin}${path}${versionPath} instead.`,
  };
}

/** The response does not come from the service. */
function notTheService(exchange: Exchange, isPage: boolean): Abort {
  const what = isPage ? pageWords(exchange.status, pageTitle(exchange)) : String(exchange.status);
  return {
    exitCode: 4,
    sentence: `${exchange.url} returns ${what}, so it is not the service: check the base URL, including ${versionPath}.`,
  };
}

const reasons: Partial<Record<Problem, string>> = {
  refused: 'accepts no connections',
  unresolved: 'cannot be resolved to an IP address',
  timeout: 'does not respond in time',
  tls: 'offers no TLS connection that can be trusted',
  reset: 'closes the connection without a response',
  truncated: 'closes the connection in the middle of a response',
  'too-large': 'sends more data than casa-kit reads',
  'not-http': 'does not return valid HTTP',
};

const remedy = 'check that it runs, and FLAG';

const remedies: Partial<Record<Problem, string>> = {
  unresolved: 'check FLAG, and the network',
  timeout: 'check that it runs, or increase --timeout SECONDS',
  tls: 'pass its certificate authority with --ca FILE, or accept any certificate with --insecure',
};

/** A base URL with the scheme of another port. The message of the socket would not help anybody. */
async function otherScheme(
  { problem, problemDetail, bodyText }: Exchange,
  { url, flag, speaksTls }: Named,
): Promise<string | null> {
  const { host, protocol } = url;
  if (problemDetail === noTlsDetail) return `${host} does not accept TLS: use http:// in ${flag}, or the TLS port.`;
  if (protocol !== 'http:') return null;
  const isSilent = problem === 'reset' || problem === 'not-http';
  const isTlsHint = /HTTP request (was )?sent to (an |a |plain )*HTTPS (port|server)|HTTP request to an HTTPS server/i;
  if (!isTlsHint.test(bodyText) && !(isSilent && (await speaksTls(url)))) return null;
  return `${host} accepts only TLS: use https:// in ${flag}.`;
}

/** The service requires a client certificate, and got none or an unknown one. */
const clientCertificate = /certificate required|peer did not return a certificate|bad certificate/i;

/** The text of the TLS library, its meaning, and the remedy. */
const tlsTroubles: readonly (readonly [said: RegExp, means: string, remedy: string])[] = [
  [
    /does not match certificate's altnames/i,
    'has a certificate for another host',
    'use the host name of the certificate in FLAG, or accept any certificate with --insecure',
  ],
  [
    /certificate has expired/i,
    'has an expired certificate',
    'renew the certificate, or accept any certificate with --insecure',
  ],
  [clientCertificate, 'requires a client certificate', 'pass one with --cert FILE and --key FILE'],
  [
    /unsupported protocol|protocol version|no protocols available|version too low/i,
    'supports only old versions of TLS',
    'enable TLS 1.2 or 1.3 on the server',
  ],
  [
    /handshake failure|no shared cipher|dh key too small/i,
    'and casa-kit have no common TLS version or cipher',
    'enable TLS 1.2 or 1.3 with a current cipher on the server, or pass a client certificate (--cert FILE) if it requires one',
  ],
];

/** In the order of what helps most: a proxy in between, TLS, then the plain network. */
function unreachable(exchange: Exchange, { url, flag }: Named): string {
  const detail = exchange.problemDetail ?? exchange.problem;
  if (detail.startsWith(proxyTrouble)) {
    return `The request stopped at ${detail}: check the variable, or bypass the proxy with NO_PROXY=${url.host}.`;
  }
  const trouble = tlsTroubles.find(([said]) => said.test(detail));
  const helps = (trouble?.[2] ?? remedies[exchange.problem] ?? remedy).replace('FLAG', flag);
  if (trouble) return `${url.host} ${trouble[1]} (${detail.slice(0, 160)}): ${helps}.`;
  const what = `${url.host} ${reasons[exchange.problem] ?? 'cannot be reached'}`;
  return `${what} (${exchange.problemDetail ?? exchange.problem}): ${helps}.`;
}

// The message about a target that stopped responding: the reason, the time, and the remedy.

/** In the middle of a run; `since` is the first request that was lost. */
export function downInTheMiddle(host: string, since: Exchange | null): Abort {
  if (since === null) return abort(`${host} has stopped responding.`);
  const name = `${since.method} ${since.target.split('?')[0]}`;
  const sentence = `${host} went down during the run: ${name} got ${wordsFor(since)}, and so did every request after it.`;
  const cause = maintenance.test(since.bodyText) ? 'maintenance' : 'unreachable';
  return { ...abort(sentence), cause, since: since.id };
}

export function downFromTheStart(host: string, exchange: Exchange): Abort {
  return abort(`${host} is down: every request got ${wordsFor(exchange)}, so try again later.`);
}

/** Exit code 4: nothing was proven about a target that is not there. */
function abort(sentence: string): Abort {
  return { exitCode: 4, sentence };
}

function titled(exchange: Exchange): string {
  const title = pageTitle(exchange);
  return title === '' ? '' : ` titled "${title}"`;
}

/** As a person would say what came back. */
function wordsFor(exchange: Exchange): string {
  if (isGatewayPage(exchange)) return `the ${exchange.status} page of a gateway${titled(exchange)}`;
  if (exchange.status === 0) return `no response (${exchange.problemDetail ?? exchange.problem})`;
  return [exchange.status, errorCode(exchange)].filter((part) => part !== null).join(' ');
}

// Responses of other software instead of the service: a login, a firewall, a maintenance page, another web page. The
// message has the status, the title of the page and the remedy.

const login = /\b(log[ -]?[io]n|sign[ -]?in|anmeld\w*|sso|saml2?|oauth2?|oidc|authorize|auth|openid|authenticat\w*)\b/i;
export const maintenance =
  /\bmaintenance|wartung|be (right )?back|back (soon|shortly|online)|(temporarily|currently) (un|off)/i;
const titleCharactersMax = 80;
const loginRemedy =
  'use an address that accepts the API key without a login, or send the session of the login with --header "NAME: VALUE"';

/** Null where the service itself may have responded; gateway pages (502 to 504) are repeated first. */
export function inFront(exchange: Exchange): Abort | null {
  const { status, headers, url } = exchange;
  if (status >= 300 && status < 400 && status !== 304) return redirected(url, status, headers.location ?? '');
  if (!isWebPage(exchange)) return null;
  const title = pageTitle(exchange);
  const about = `${url} returns ${pageWords(status, title)}`;
  const sender = senderOf(exchange) ?? '';
  const isFramework = sender !== '' && !sender.includes('firewall');
  if (isFramework && status !== 404 && status !== 405 && status < 500) {
    const sentence = `${about}: ${sender} rejects the request, so check the API key and the log of the service.`;
    return { exitCode: status === 401 ? 2 : 4, sentence };
  }
  if (status === 401 || login.test(title)) return { exitCode: 2, sentence: `${about}, a login: ${loginRemedy}.` };
  if (maintenance.test(title)) return { exitCode: 4, sentence: `${about}: try again when the maintenance is over.` };
  if (status < 400 || status === 404 || status === 405 || status >= 500) return null;
  const remedy = `allow the User-Agent ${userAgent} or the address of this machine there`;
  return { exitCode: 4, sentence: `${about}: a firewall in front of the service blocks this client, so ${remedy}.` };
}

/** `503 with a web page titled "Back soon"`. */
export function pageWords(status: number, title: string): string {
  return `${status} with a web page ${title === '' ? 'without a title' : `titled "${title}"`}`;
}

export function pageTitle({ bodyText }: Pick<Exchange, 'bodyText'>): string {
  const [, title = ''] = /<title\b[^>]*>([^<]*)/i.exec(bodyText) ?? [];
  return title.replace(/\s+/g, ' ').trim().slice(0, titleCharactersMax);
}

function redirected(url: string, status: number, location: string): Abort {
  const to = URL.canParse(location, url) ? new URL(location, url) : null;
  const other = to === null || to.host === new URL(url).host ? '' : to.hostname;
  const isLogin = to !== null && login.test(`${other} ${to.pathname}`.replace(/[^a-z]+/gi, ' '));
  // The query of a login address may hold a token.
  if (isLogin) {
    const sentence = `${url} redirects with ${status} to ${to.origin}${to.pathname}, a login: ${loginRemedy}.`;
    return { exitCode: 2, sentence };
  }
  const where = location === '' ? 'no address' : location;
  const sentence = `${url} redirects with ${status} to ${where}: redirects are not followed, so use the final address.`;
  return { exitCode: 4, sentence };
}
