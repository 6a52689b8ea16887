// How what A shows stands to what B shows.

/** `open`: the two may be the same habit, and what was seen cannot tell. */
export type Relation =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly why?: string }
  | { readonly kind: 'open'; readonly why: string };

/** As a report shows a value. */
export function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}

const valueMax = 160;
