// A request as a curl command for a shell.

/** A header goes with the variables of the shell that its value may name. */
export type CurlHeader = readonly [name: string, value: string, variables?: RegExp];

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly CurlHeader[];
  /** The text of the body, or the size of one that is too long, or the command that writes it; null for none. */
  readonly body: string | number | { readonly command: string } | null;
  /** Variables of the shell that the body and the URL may name. */
  readonly variables?: RegExp;
}

/** The arguments after `curl`, each quoted. */
export function curlArguments({ method, url, headers, body, variables }: CurlRequest): string[] {
  const file = typeof body === 'number' ? `body-of-${body}-bytes` : '-';
  return [
    ...(method === 'GET' ? [] : [`-X ${/^\w+$/.test(method) ? method : quote(method)}`]),
    ...headers.map(([name, value, own]) => `-H ${quote(`${name}: ${value}`, own)}`),
    ...(body === null
      ? []
      : [typeof body === 'string' ? `--data-raw ${quote(body, variables)}` : `--data-binary @${file}`]),
    quote(url, variables),
  ];
}

const longRepetition = /([A-Za-z\d])\1{199,}/g;

/** Variables are in double quotes, where a shell reads them; everything else is unchanged. */
export function quote(text: string, variables?: RegExp): string {
  const single = `'${text.replaceAll("'", `'\\''`)}'`;
  // A text of 5,001 equal characters would hide the rest of the command.
  if (!variables || text.search(variables) === -1)
    return single.replace(longRepetition, (all, one) => `'"$(printf %0${all.length}d 0 | tr 0 ${one})"'`);
  const isPlain = !/["\\`$!]/.test(text.replace(variables, ''));
  return isPlain ? `"${text}"` : single.replace(variables, (name) => `'"${name}"'`);
}
