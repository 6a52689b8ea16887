// What is in front of a service and answers in its place: a login, a firewall, a maintenance page, another web page.
// One sentence with the status, the title of the page and the remedy.
import { type Exchange, isWebPage } from '../exchange/exchange.ts';
import { userAgent } from '../exchange/request.ts';
import type { Abort } from '../report/report.ts';

const login = /\b(log[ -]?[io]n|sign[ -]?in|anmeld\w*|sso|saml2?|oauth2?|oidc|authorize|auth|openid|authenticat\w*)\b/i;
const maintenance =
  /\bmaintenance|wartung|be (right )?back|back (soon|shortly|online)|(temporarily|currently) (un|off)/i;
const TITLE_CHARACTERS_MAX = 80;
const loginRemedy =
  'use an address that takes the API key alone, or send what the login grants with --header "NAME: VALUE"';

/** Null where the service itself may have answered; gateway pages (502 to 504) are repeated first. */
export function inFront(exchange: Exchange): Abort | null {
  const { status, headers, url } = exchange;
  if (status >= 300 && status < 400 && status !== 304) return redirected(url, status, headers.location ?? '');
  if (!isWebPage(exchange)) return null;
  const title = pageTitle(exchange);
  const about = `${url} answers ${pageWords(status, title)}`;
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

/** Empty where there is none. */
export function pageTitle({ bodyText }: Pick<Exchange, 'bodyText'>): string {
  const [, title = ''] = /<title\b[^>]*>([^<]*)/i.exec(bodyText) ?? [];
  return title.replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARACTERS_MAX);
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
