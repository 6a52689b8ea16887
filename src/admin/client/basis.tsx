// How the mock knows each field of a response: colors of the names in its JSON, and a list.
import { type BasisTable, basisIn } from '../../contract/basis.ts';

const tones: Readonly<Record<string, string>> = { contract: '', learnt: 'good', assumed: 'warn' };
const kindOf = (basis: string) => basis.split(' ')[0] ?? '';

/** Each kind with its fields; assumed ones first, because a client must not rely on them. */
export function BasisOfFields({ basis }: { basis: BasisTable }) {
  const rows = Object.entries(basis);
  const kinds = ['assumed', 'learnt', 'contract'].map(
    (kind) => [kind, rows.filter(([, text]) => kindOf(text) === kind)] as const,
  );
  if (rows.length === 0) return null;
  return (
    <details class="basis">
      <summary>
        Basis of each field:{' '}
        {kinds.map(([kind, found]) => (
          <span key={kind} class={`chip ${tones[kind]}`}>
            {found.length} {kind}
          </span>
        ))}
      </summary>
      <dl class="headers mono">
        {kinds.flatMap(([kind, found]) =>
          found.map(([path, text]) => (
            <div key={path}>
              <dt>{path}</dt>
              <dd>
                <span class={`chip ${tones[kind]}`}>{text}</span>
              </dd>
            </div>
          )),
        )}
      </dl>
    </details>
  );
}

interface Piece {
  readonly kind: string;
  readonly text: string;
}

/** Returns the basis of each piece that names a field; null for all others. */
export function basisOfPieces(pieces: readonly Piece[], table: BasisTable): (string | null)[] {
  if (Object.keys(table).length === 0) return pieces.map(() => null);
  // The name of the open field of each open object; `*` for a list.
  const open: string[] = [];
  return pieces.map(({ kind, text }) => {
    if (kind === 'key') {
      open[open.length - 1] = text.slice(1, -1);
      return basisIn(table, `/${open.join('/')}`);
    }
    if (kind !== 'plain') return null;
    for (const sign of text) {
      if (sign === '{' || sign === '[') open.push('*');
      else if (sign === '}' || sign === ']') open.pop();
    }
    return null;
  });
}

export const basisClass = (basis: string | null) => (basis === null ? '' : ` basis-${kindOf(basis)}`);
