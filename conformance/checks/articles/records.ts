// An article is one record, on whichever page it stands: pages of the run that show it in two ways are read again.
import { fields } from '../../../src/contract/generated/members.ts';
import { type Read, readAgain, readsOf } from '../../assertions/article-reads.ts';
import { about } from '../../assertions/claims.ts';
import { agree } from '../../assertions/same-record.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { ArticleRow } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const FIXED = ['createdAt'] as const;
/** With one updatedAt nothing else may have changed. */
const DATED = fields.Article.filter((name) => !/^(id|createdAt|updatedAt)$/.test(name));

interface Contradiction {
  readonly one: Read;
  readonly other: Read;
  readonly id: string;
  readonly name: string;
}

const oneRecord: CheckRow = {
  id: 'articles/one-record',
  title: 'Every page of GET /articles that shows an article shows the same of it',
  cites: ['4.articles.list.endpoint', '4.articles.get.same-id'],
  unless: ['articles/by-id'],
  // Both pages that contradict each other, again.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const { found, compared } = contradictionIn(readsOf(probe));
    if (compared === 0) return probe.stop('vacuous', 'no article was shown by two pages');
    const claim = { clause: '4.articles.list.endpoint', expected: 'one record of each article' } as const;
    if (found !== null) return judgeContradiction(probe, found);
    probe.holds(true, { ...claim, actual: `${compared} shown twice or more often` });
  },
};

/** The first article that two pages show in two ways, and how many were compared. */
function contradictionIn(reads: readonly Read[]): { found: Contradiction | null; compared: number } {
  const known = new Map<string, { readonly row: ArticleRow; readonly read: Read }>();
  let compared = 0;
  for (const read of reads) {
    for (const row of read.rows) {
      const id = row.id.toLowerCase();
      const first = known.get(id);
      if (first === undefined) known.set(id, { row, read });
      if (first === undefined || first.read === read) continue;
      compared += 1;
      const name = oddMember(first.row, row);
      if (name !== null) return { found: { one: first.read, other: read, id, name }, compared };
    }
  }
  return { found: null, compared };
}

function oddMember(one: ArticleRow, other: ArticleRow): string | null {
  const isUnchanged = one.updatedAt !== undefined && agree(one, other, 'updatedAt') && other.updatedAt !== undefined;
  const names = [...FIXED, ...(isUnchanged ? DATED : [])];
  return names.find((name) => !agree(one, other, name)) ?? null;
}

async function judgeContradiction(probe: Probe, { one, other, id, name }: Contradiction): Promise<void> {
  const rowOf = (read: Read | null) => read?.rows.find((row) => row.id.toLowerCase() === id);
  const [before, after] = [rowOf(one), rowOf(other)];
  const [again, afterAgain] = [rowOf(await readAgain(probe, one)), rowOf(await readAgain(probe, other))];
  if (!before || !after || !again || !afterAgain) return probe.stop('interference', 'the article is gone meanwhile');
  // It may have been changed between the two pages: then the first one has changed as well.
  const isStill = agree(before, again, name) && agree(after, afterAgain, name);
  if (!isStill) return probe.stop('interference', 'the article was changed while it was read');
  probe.holds(false, {
    ...about(other.exchange, '4.articles.list.endpoint', `/data/${other.rows.indexOf(after)}/${name}`),
    expected: `${show(before[name])} of article ${id}, as in ${one.exchange.id}`,
    actual: show(after[name]),
    message: 'both pages show the same again when they are read once more',
  });
}

export const articleRecords = defineChecks({ phase: 'log' }, [oneRecord]);
