// The dashboard: one page that loads nothing from elsewhere and runs only its own script, which the policy names
// by its digest. The page holds no data; the script requests it. Its text is loaded with the first visit.
import type { CoreResponse, Remainder } from '../http/message.ts';
import { replyText } from './reply.ts';

/** A page as the bundler leaves it. */
export interface PageParts {
  readonly script: string;
  readonly scriptDigest: string;
  readonly style: string;
  readonly styleDigest: string;
}

export const showDashboard = (): CoreResponse => ({
  ...replyText('', pageHeaders),
  later: async () => renderPage('casa mock', await import('./generated/dashboard-page.ts')),
});

export const showReference = (): CoreResponse => ({
  ...replyText('', pageHeaders),
  later: async () => renderPage('CASA API reference', await import('./generated/docs-page.ts')),
});

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;

/** The policy allows only this script and this style, by their digests: data of a tested client must never run here. */
export function renderPage(title: string, { script, scriptDigest, style, styleDigest }: PageParts): Remainder {
  const policy = [
    "default-src 'none'",
    `script-src '${scriptDigest}'`,
    `style-src '${styleDigest}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // A text can then become markup nowhere, even if a script tries.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript. The admin API works without it: GET /__admin/health.</noscript></div>
<script>${script}</script>
</body>
</html>
`;
  return { headers: { 'content-security-policy': policy.join('; ') }, body };
}
