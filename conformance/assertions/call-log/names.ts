// The names of members, and the moments they tell of. The contract does not show the fields of a call (rulings R34), so
// a name counts only where it can hardly mean anything else.

/** `startedAt` and `started_at` alike: the words of a name, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
}

const FILLING = new Set('at on time ts timestamp date datetime utc ms epoch iso call the'.split(' '));
const START = new Set('start started begin began begun initiated created dialed dialled rang'.split(' '));
const END = new Set('end ended finish finished over completed terminated hangup'.split(' '));
const HOMES = new Set(
  'call timing timings times time meta metadata data details timestamps period interval'.split(' '),
);

/** `call`: the name says only that it is an instant, such as `timestamp`. */
export type Role = 'start' | 'end' | 'call';

/** Of which moment of the call a member tells by its name; null when it may be of something else. */
export function roleOf(path: string): Role | null {
  const [name = '', ...homes] = path.split('/').filter(Boolean).reverse();
  if (homes.some((home) => wordsOf(home).some((word) => !HOMES.has(word)))) return null;
  const words = wordsOf(name).filter((word) => !FILLING.has(word));
  if (words.length === 0) return 'call';
  if (words.every((word) => START.has(word))) return 'start';
  return words.every((word) => END.has(word)) ? 'end' : null;
}

const ID = /^(id|uid|uuid|guid|sid|call_?(id|uid|uuid|guid|sid))$/i;

/** At the top or one level below: an id further down is more likely one of a customer. */
export function isIdName(path: string): boolean {
  const names = path.split('/').filter(Boolean);
  return names.length <= 2 && ID.test(names.at(-1) ?? '');
}
