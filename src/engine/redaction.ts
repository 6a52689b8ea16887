// API keys are redacted in the request log: the last four characters stay, to distinguish keys.

// A character may be written as an escape of a URL, of JSON or JavaScript, or of HTML; an escape of a URL may be
// escaped again. Each alternative begins with another character and has an end, so no text is read twice.
const escaped = (code: string) => `(?:%(?:25){0,4}|\\\\{1,8}u00|\\\\{1,8}x|&#x0{0,4})(?:${code});?`;
const digit = `(?:[0-9a-f]|${escaped('3\\d|[46][1-6]')}|&#0{0,4}(?:4[89]|5[0-7]|6[5-9]|70|9[7-9]|10[0-2]);)`;
const underscore = `(?:_|${escaped('5f')}|&#0{0,4}95;)`;

/**
 * An underscore and 32 hexadecimal characters, wherever they stand; a spoilt key may have more of them. Cites
 * 5.key-form.
 */
const keyForm = new RegExp(`(${underscore})${digit}{28,124}(${digit}{4})`, 'gi');
/** The start of a key in a truncated text. From eight characters on it could identify the key. */
const cutForm = new RegExp(`(${underscore})${digit}{8,31}[%\\\\&#\\w;]{0,16}$`, 'i');
const cutCharactersMax = 1000;
const mayHold = /_|5f|95;/i;

/** Works on any text, so a key in a path, a query or a body goes as well. */
export function redactKeys(text: string): string {
  return mayHold.test(text) ? text.replace(keyForm, '$1…$2') : text;
}

/** The same for a text whose end is missing. */
export function redactCutKeys(text: string): string {
  const start = text.slice(0, -cutCharactersMax);
  return redactKeys(start + text.slice(start.length).replace(cutForm, '$1…'));
}

/** For a text that stands where a key should: also one of another form may be a secret. */
export function redactKey(key: string): string {
  const redacted = redactKeys(key);
  return redacted === key ? `…${key.slice(-4)}` : redacted;
}

/** A header as the request log shows it: schemes stay, credentials go. */
export function redactHeader(name: string, value: string): string {
  if (name === 'authorization' || name === 'proxy-authorization') {
    const [scheme = '', ...rest] = value.split(' ');
    const credential = rest.join(' ').trim();
    return credential === '' ? '…' : `${scheme} ${redactKey(credential)}`;
  }
  if (name === 'cookie' || name === 'set-cookie' || name === 'x-casa-admin-token') return '…';
  return redactKeys(value);
}
