/**
 * Seams for deliberate wrongness. Each place where a server could go wrong hands its value through `seam`; a wrongness
 * replaces the value there. None is defined yet: the server is faithful.
 */
export type SeamName =
  | 'limit.verdict'
  | 'auth.org'
  | 'cap.bytes'
  | 'rate.headers'
  | 'answer.status'
  | 'answer.body'
  | 'article.page'
  | 'article.cursor'
  | 'site.list'
  | 'keyword.list'
  | 'account.list'
  | 'link.data'
  | 'post.data'
  | 'review.page'
  | 'reply.data'
  | 'insights.data'
  | 'calls.page'
  | 'calls.cursor'
  | 'schema.issues';

export type Wrongness = Partial<Record<SeamName, (value: unknown) => unknown>>;

export const WRONGNESSES: Readonly<Record<string, Wrongness>> = {};

export function wrongnessOf(name: string | undefined): Wrongness {
  if (name === undefined) return {};
  const found = Object.hasOwn(WRONGNESSES, name) ? WRONGNESSES[name] : undefined;
  if (found === undefined) throw new Error(`no wrongness is called ${name}`);
  return found;
}

export function seam<T>(wrongness: Wrongness, name: SeamName, value: T): T {
  const twist = wrongness[name];
  return twist === undefined ? value : (twist(value) as T);
}
