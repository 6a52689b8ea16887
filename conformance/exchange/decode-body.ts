// JSON is exchanged as UTF-8, without a byte order mark (RFC 8259). A body in another encoding is decoded if possible,
// so one root cause is one finding, of rule/json.
import { isUtf8 } from 'node:buffer';

/** The text of a body, and the problem of its encoding. */
export interface Decoded {
  readonly text: string;
  readonly fault: string | null;
}

const faultTexts = {
  mark: 'the body begins with a byte order mark',
  wide: 'the bytes are UTF-16',
  other: 'the bytes are not UTF-8',
} as const;

const faults: ReadonlySet<string> = new Set(Object.values(faultTexts));

/** Whether the detail of an exchange reports its encoding. */
export function isEncodingFault(detail: string | null): detail is string {
  return detail !== null && faults.has(detail);
}

/** Halves of a surrogate pair, each written on its own: a text that JSON can hold, and that UTF-8 cannot (R11). */
const loneHalves = /\xed[\xa0-\xbf][\x80-\xbf]/g;

export function decodeBody(body: Buffer): Decoded {
  const text = body.toString('utf8');
  if (isUtf8(body)) {
    if (text.startsWith('\ufeff')) return { text: text.slice(1), fault: faultTexts.mark };
    const order = orderOf(body);
    return order === null ? { text, fault: null } : { text: wideText(body, order), fault: faultTexts.wide };
  }
  const order = orderOf(body);
  if (order !== null) return { text: wideText(body, order), fault: faultTexts.wide };
  const others = Buffer.from(body.toString('latin1').replace(loneHalves, ''), 'latin1');
  return { text, fault: isUtf8(others) ? null : faultTexts.other };
}

type Order = 'utf-16le' | 'utf-16be';

/** By the mark, or by the first character, which is one of ASCII in every JSON text. */
function orderOf([first, second]: Buffer): Order | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0)
    ? 'utf-16be'
    : null;
}

/** Without the mark. */
function wideText(body: Buffer, order: Order): string {
  return new TextDecoder(order).decode(body);
}
