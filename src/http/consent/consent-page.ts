// The consent pages as HTML: self-contained, no script, everything escaped.
import type { Provider } from '../../contract/generated/types.ts';
import { dayMs, formatTimestamp, hourMs } from '../../contract/timestamps.ts';
import type { Account } from '../../domain/accounts.ts';
import type { Link } from '../../domain/links.ts';
import { escapeHtml } from '../../terminal/visible.ts';
import type { CoreResponse } from '../message.ts';
import { readQuery } from '../query.ts';

// The style sheet of the consent pages. The Content-Security-Policy has its hash; a test compares the two.

export const consentStyle = `:root{color-scheme:light dark;--ink:light-dark(#1d2433,#e8ecf4);
--soft:light-dark(#515b70,#a0a9bb);--paper:light-dark(#fff,#1b212d);--ground:light-dark(#f2f4f8,#11151d);
--line:light-dark(#d5dae4,#384152);--brand:light-dark(#1f5eff,#7aa2ff);--on:light-dark(#fff,#0b1020);
--bad:light-dark(#a8201a,#ff9d96);--good:light-dark(#0b6b39,#62d796);--mock:light-dark(#ffe9b8,#453510)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-template-rows:auto 1fr;place-items:center;background:var(--ground);
color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
.mock{width:100%;padding:.4rem 1rem;background:var(--mock);text-align:center;font-size:.9rem}
main{width:min(30rem,100% - 2rem);margin:1.5rem 0;background:var(--paper);border:1px solid var(--line);
border-top:5px solid var(--brand);border-radius:14px;padding:1.6rem 2rem;overflow-wrap:anywhere}
h1{margin:.2rem 0 1rem;font-size:1.5rem;line-height:1.25}
a{color:var(--brand)}
.kicker{margin:0;color:var(--soft);font-size:.85rem;font-weight:600}
.kicker.done{color:var(--good)}
.note,footer{color:var(--soft);font-size:.9rem}
.problem{border-left:3px solid var(--bad);padding-left:.75rem;color:var(--bad)}
label{display:block;margin:1rem 0;font-weight:600}
input{display:block;width:100%;margin-top:.3rem;padding:.65rem .75rem;border:1px solid var(--line);
border-radius:8px;background:var(--ground);color:var(--ink);font:inherit;font-weight:400}
button,.back{display:block;width:100%;margin:.5rem 0;padding:.75rem;border:1px solid var(--line);border-radius:8px;
background:none;color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.main,.back{background:var(--brand);border-color:var(--brand);color:var(--on)}
.small{width:auto;padding:.3rem .8rem;font-size:.85rem;font-weight:400}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
summary{cursor:pointer;margin:.5rem 0}
code{font-size:.85em}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--line)}`;

export const consentStyleHash = 'sha256-3c+pNexoLWkJwTwEiwS6x2TOUYpCdy1PKPJxiq+QIOo=';

/** One state of the consent page, without the frame that all of them share. */
export interface ConsentPage {
  readonly title: string;
  /** HTML that is safe already. */
  readonly body: string;
}

const providerNames: Readonly<Record<Provider, string>> = {
  google_business: 'Google Business Profile',
  facebook_page: 'Facebook Page',
  tiktok: 'TikTok',
  instagram: 'Instagram',
  google_analytics: 'Google Analytics',
  google_search_console: 'Google Search Console',
  google_ads: 'Google Ads',
  google_calendar: 'Google Calendar',
  google_contacts: 'Google Contacts',
};

// Blocks loading, framing and scripts; the style sheet is allowed by its hash. The URL contains a secret, so no
// referrer is sent.
const policy = [
  "default-src 'none'",
  `style-src '${consentStyleHash}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy.join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** Status and headers as for a person's browser: no cache may keep a page whose link works once. */
export function renderPage(
  { title, body }: ConsentPage,
  status: number,
  headers: Record<string, string> = {},
): CoreResponse {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${consentStyle}</style>
</head>
<body>
<div class="mock" role="note">This is a mock. It contacts no platform and changes no real account.</div>
<main>
${body}
<footer>Served by casa-kit, a mock of the Content and Social Account service.</footer>
</main>
</body>
</html>
`;
  return { status, headers: { ...pageHeaders, ...headers }, body: html };
}

export interface FormState {
  readonly organization: string;
  readonly nowMs: number;
  /** The names that were sent before, and the problem with them. */
  readonly names?: readonly string[];
  readonly problem?: string;
  readonly way: Way;
}

/** The link is open: name the accounts. */
export function formPage(link: Link, { organization, nowMs, names = [], problem, way }: FormState): ConsentPage {
  const provider = providerNames[link.provider];
  const title = link.maxAccounts === 1 ? `Connect ${provider}` : `Connect up to ${link.maxAccounts} accounts`;
  const told = problem ?? (way && 'problem' in way ? way.problem : undefined);
  const alert = told === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(told)}</p>\n`;
  return {
    title,
    body: `<p class="kicker">${escapeHtml(provider)}</p>
<h1>${escapeHtml(title)}</h1>
<p><b>${escapeHtml(organization)}</b> wants to connect <b>${escapeHtml(link.label)}</b>, to publish posts, reply to
reviews and read insights where the platform allows it.</p>
${alert}<form method="post">
${nameFields(link, names)}
<button type="submit" class="main">Connect</button>
<button type="submit" name="end" value="deny" formnovalidate>Deny</button>
<p class="note">The link works once and expires in ${describeSpan(link.expiresAtMs - nowMs)}, on
${describeTimestamp(link.expiresAtMs)}.</p>
<details><summary>For testing</summary>
<button type="submit" name="end" value="expire" class="small" formnovalidate>Expire this link now</button>
</details>
</form>`,
  };
}

/** As many fields as were sent, the rest folded away: most people connect one account. */
function nameFields({ label, maxAccounts }: Link, names: readonly string[]): string {
  const shown = Math.max(1, names.length);
  const field = (i: number): string => {
    const value = names[i] ?? (i === 0 && names.length === 0 ? label : '');
    const text = maxAccounts === 1 ? 'Name of the account' : `Name of account ${i + 1}`;
    const optional = i === 0 ? ' required' : '';
    const input = `<input name="name" value="${escapeHtml(value)}" maxlength="80" autocomplete="off"${optional}>`;
    return `<label>${text}${input}</label>`;
  };
  const first = Array.from({ length: shown }, (_, i) => field(i)).join('\n');
  if (maxAccounts <= shown) return first;
  const more = Array.from({ length: maxAccounts - shown }, (_, i) => field(shown + i)).join('\n');
  return `${first}\n<details><summary>Connect more accounts (up to ${maxAccounts})</summary>\n${more}\n</details>`;
}

/** The session is finished. */
export function connectedPage(
  link: Link,
  accounts: readonly Pick<Account, 'name' | 'accountId'>[],
  way: Way,
): ConsentPage {
  const ids = accounts.map(({ accountId }) => accountId);
  const items = accounts.map(({ name, accountId }) => `<li>${escapeHtml(name ?? '')} <code>${accountId}</code></li>`);
  return {
    title: 'Connected',
    body: `<p class="kicker done">Done</p>
<h1>Connected</h1>
<p>${accounts.length === 1 ? 'This account is' : 'These accounts are'} now connected to
${escapeHtml(providerNames[link.provider])} as <b>${escapeHtml(link.label)}</b>:</p>
<ul>${items.join('')}</ul>
${backLink(way, 'connected', ids)}<p class="note">The link is used up. You can close this page.</p>`,
  };
}

/** The customer denied access. The link stays open, because it was not used. */
export function deniedPage(link: Link, way: Way): ConsentPage {
  return {
    title: 'Not connected',
    body: `<p class="kicker">Denied</p>
<h1>Not connected</h1>
<p>You did not connect <b>${escapeHtml(link.label)}</b>. Nothing has changed.</p>
${backLink(way, 'denied')}<p class="note">The link still works until ${describeTimestamp(link.expiresAtMs)}: open it again to
connect.</p>`,
  };
}

/** The button that links to the app; nothing where none was named. */
function backLink(way: Way, end: ConsentEnd, accountIds: readonly string[] = []): string {
  if (way === null) return '';
  if ('problem' in way) return `<p class="problem" role="alert">${escapeHtml(way.problem)}</p>\n`;
  return `<a class="back" href="${escapeHtml(wayBack(way.url, end, accountIds))}">Back to the app</a>\n`;
}

/** Names the connected accounts, for a customer who opens the link again to check them. */
export function usedPage(link: Link, names: readonly string[], way: Way): ConsentPage {
  const what = names.length === 0 ? '' : ` It connected ${escapeHtml(names.join(', '))}.`;
  return {
    title: 'This link has already been used',
    body: `<p class="kicker">Link used</p>
<h1>This link has already been used</h1>
<p>The link for <b>${escapeHtml(link.label)}</b> works once.${what}</p>
${backLink(way, 'used')}<p class="note">To connect another account, create a new link: <code>POST /api/v1/connect/accounts</code>.</p>`,
  };
}

export function expiredPage(link: Link, way: Way): ConsentPage {
  return {
    title: 'This link has expired',
    body: `<p class="kicker">Link expired</p>
<h1>This link has expired</h1>
<p>The link for <b>${escapeHtml(link.label)}</b> expired on ${describeTimestamp(link.expiresAtMs)}.</p>
${backLink(way, 'expired')}<p class="note">Create a new link: <code>POST /api/v1/connect/accounts</code>.</p>`,
  };
}

const plainTexts = {
  unknown: [
    'Link not found',
    `The URL is incomplete, or the mock was reset or restarted after the link was created. Open the complete
<code>connectUrl</code>, or create a new link: <code>POST /api/v1/connect/accounts</code>.`,
  ],
  method: ['Method not allowed', 'Open this page with GET, and submit it with POST.'],
  too_large: ['Form too large', 'The form is larger than 65,536 bytes. Send names of at most 80 characters.'],
} as const;

export function plainPage(name: keyof typeof plainTexts): ConsentPage {
  const [title, text] = plainTexts[name];
  return { title, body: `<h1>${title}</h1>\n<p>${text}</p>` };
}

/** In UTC and said so: the mock knows no time zone of the reader. */
function describeTimestamp(epochMs: number): string {
  const text = formatTimestamp(epochMs);
  return `<time datetime="${text}">${text.slice(0, 10)} at ${text.slice(11, 16)} UTC</time>`;
}

/** In the largest unit that has at least two. */
function describeSpan(ms: number): string {
  const [unit, size] = ms >= 2 * dayMs ? ['days', dayMs] : ms >= 2 * hourMs ? ['hours', hourMs] : ['minutes', 60_000];
  const count = Math.round(ms / (size as number));
  return unit === 'minutes' && count < 2 ? 'less than two minutes' : `${count} ${unit}`;
}

// The way back to the app that sent its customer here: `connectUrl?returnUrl=https://app.example/settings`.
export type Way = { readonly url: URL } | { readonly problem: string } | null;

const lengthMax = 2000;
/** A link of these would run something in this page, or show something as if it came from here. */
const forbidden = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'];

/** Null when absent. Phone apps have their own schemes, so any but a few are accepted. */
export function readWayBack(query: string): Way {
  const given = readQuery(query).returnUrl;
  if (given === undefined || given === '') return null;
  const url = given.length <= lengthMax && URL.canParse(given) ? new URL(given) : null;
  if (url && !forbidden.includes(url.protocol)) return { url };
  return { problem: 'The returnUrl is not an absolute URL of an app, so this page cannot link back to it.' };
}

export type ConsentEnd = 'connected' | 'denied' | 'expired' | 'used';

/** The address with what became of the link: `?connect=connected&accountId=…`. */
export function wayBack(url: URL, end: ConsentEnd, accountIds: readonly string[] = []): string {
  const back = new URL(url);
  back.searchParams.set('connect', end);
  for (const id of accountIds) back.searchParams.append('accountId', id);
  return back.href;
}
