// The way back to the app that sent its customer here: `connectUrl?returnUrl=https://app.example/settings`.
import { readQuery } from '../query.ts';

export type Way = { readonly url: URL } | { readonly problem: string } | null;

const lengthMax = 2000;
/** A link of these would run something in this page, or show something as if it came from here. */
const forbidden = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'];

/** Null when none was given. An app of a phone has a scheme of its own, so that any but a few is taken. */
export function readWayBack(query: string): Way {
  const given = readQuery(query).returnUrl;
  if (given === undefined || given === '') return null;
  const url = given.length <= lengthMax && URL.canParse(given) ? new URL(given) : null;
  if (url && !forbidden.includes(url.protocol)) return { url };
  return { problem: 'The returnUrl is not an absolute address of an app, so that no link leads back.' };
}

export type ConsentEnd = 'connected' | 'denied' | 'expired' | 'used';

/** The address with what became of the link: `?connect=connected&accountId=…`. */
export function wayBack(url: URL, end: ConsentEnd, accountIds: readonly string[] = []): string {
  const back = new URL(url);
  back.searchParams.set('connect', end);
  for (const id of accountIds) back.searchParams.append('accountId', id);
  return back.href;
}
