// The formats that the contract names, as the validators check them. RFC 3339, which ajv-formats would use for
// date-times, is narrower than the contract's "ISO 8601" (interpretation R8), so one is ours.

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isDateTime } from './timestamps.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const checkedFormats = {
  'date-time': isDateTime,
  uuid: (text: string): boolean => uuid.test(text),
  uri: isUri,
};

// Whether a text is a URI (RFC 3986). The pattern of ajv-formats tries each way to divide a text: 2.4 MB that are no
// URI kept the mock from everybody for 80 ms. So a long text is taken
// apart, and each character looked at a fixed number of times.

const scheme = /^[a-z][a-z0-9+.-]*:/i;
const strange = /[^a-z0-9\-._~!$&'()*+,;=:@/?#[\]%]/i;
const brokenEscape = /%(?![0-9a-f]{2})/i;
/** `//user@` or the contract's own reading of it with one slash, before a bracket. */
const beforeBracket = /^\/?\/(?:[^@/\]]*@)?$/;
const behindBracket = /^(?::\d*)?(?:\/|$)/;
const laterAddress = /^v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+$/i;
/** The pattern takes 0.02 ms for a text of this length that it divides in every way. */
const shortMax = 2_000;
const isShortUri = fullFormats.uri as (text: string) => boolean;

export function isUri(text: string): boolean {
  return text.length <= shortMax ? isShortUri(text) : isUriByParts(text);
}

/** The same, for a text of any length. */
export function isUriByParts(text: string): boolean {
  const begin = scheme.exec(text)?.[0];
  if (begin === undefined || strange.test(text) || brokenEscape.test(text)) return false;
  const [rest, fragment] = cut(text.slice(begin.length), '#');
  const [place, query] = cut(rest, '?');
  if (/[#[\]]/.test(fragment) || /[[\]]/.test(query)) return false;
  const open = place.indexOf('[');
  if (open === -1) return place !== '' && !place.includes(']');
  const close = place.indexOf(']', open);
  const behind = place.slice(close + 1);
  return (
    close !== -1 &&
    beforeBracket.test(place.slice(0, open)) &&
    behindBracket.test(behind) &&
    !/[[\]]/.test(behind) &&
    isAddress(place.slice(open + 1, close))
  );
}

function cut(text: string, mark: string): readonly [before: string, behind: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Between brackets: of version 6, or of one that is still to come. */
function isAddress(text: string): boolean {
  return laterAddress.test(text) || (text.length < shortMax && isShortUri(`a://[${text}]`));
}
