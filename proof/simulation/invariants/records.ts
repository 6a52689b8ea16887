// Articles, sites and keywords are read only: each row that an answer shows is the row of the world, member by member.
// Cites 2.article.*, 2.site.*, 2.keyword.*.
import { parseInstant } from '../../../src/contract/instants.ts';
import type { Exchange } from '../exchange.ts';
import type { KnownOrganization, Ledger } from '../ledger.ts';
import { hold } from '../violation.ts';

/** A record as an answer shows it. */
type Row = Readonly<Record<string, unknown>>;

/** Looks at every row of every success, so that a page is judged like a single record. */
export function watchRecords({ byKey, greased }: Ledger): (exchange: Exchange) => void {
  return ({ operation, request, response, json }) => {
    if (response.status !== 200) return;
    const organization = byKey.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    const find = organization && finders[operation ?? ''];
    if (!find) return;
    for (const row of [json.data].flat() as Row[]) {
      const known = (find(organization, String(row.id)) ?? null) as Row | null;
      holdRow(greased && known !== null ? listed(row, known) : row, known, String(operation));
    }
  };
}

/** Looks a row up in what the organization is known to have. */
type Find = (organization: KnownOrganization, id: string) => object | undefined;

const article: Find = ({ articles }, id) => articles.get(id);
const site: Find = ({ sites }, id) => sites.get(id);

/** By operation; those that write or show calls have invariants of their own. */
const finders: Readonly<Record<string, Find>> = {
  listArticles: article,
  getArticle: article,
  listSites: site,
  getSite: site,
  listKeywords: ({ keywords }, id) => keywords.find((keyword) => keyword.id === id),
};

/** Rulings R12: a greased mock may show further members. */
function listed(row: Row, known: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name in known));
}

/** Members of both sides: one that is missing is as wrong as one too many. */
function holdRow(row: Row, known: Row | null, operation: string): void {
  hold('records', known !== null, () => `${operation} shows ${row.id}, which the organization does not have`);
  const expected: Row = known ?? {};
  const names = new Set([...Object.keys(row), ...Object.keys(expected)]);
  for (const name of names) {
    const told = () => `${operation}: ${name} of ${row.id} is ${row[name]}, not ${expected[name]}`;
    hold('records', isSame(name, row[name], expected[name]), told);
  }
}

// One instant has many spellings (rulings R8).
function isSame(name: string, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return name.endsWith('At') && typeof a === 'string' && typeof b === 'string' && parseInstant(a) === parseInstant(b);
}
