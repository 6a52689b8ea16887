import type { Article } from 'casa-kit/api';
import { useCallback, useState } from 'react';
import { api } from '../api.ts';
import { Loading, Problem } from '../problem.tsx';
import { usePages } from '../use-pages.ts';
import { SitePicker } from './site-picker.tsx';

export function Articles() {
  const [siteId, setSiteId] = useState('');
  const read = useCallback(
    async (cursor: string | null, signal: AbortSignal) => {
      const filter = { ...(siteId && { siteId }), ...(cursor !== null && { cursor }) };
      const { data, cursor: next } = await api.listArticles(filter, { signal });
      return { items: data, cursor: next };
    },
    [siteId],
  );
  const { items, isLoading, error, more } = usePages<Article>(read);
  return (
    <>
      <h1>Articles</h1>
      <SitePicker siteId={siteId} onPick={setSiteId} all="All sites" />
      {error !== null && <Problem error={error} />}
      <ul className="cards">
        {items.map((article) => (
          <li key={article.id} data-status={article.status}>
            <strong>{article.title}</strong>
            <span className="badge">{article.status}</span>
            <span className="quiet">
              {article.wordCount} words{article.seoScore !== null && `, score ${article.seoScore}`}
            </span>
          </li>
        ))}
      </ul>
      {isLoading && <Loading />}
      {!isLoading && error === null && items.length === 0 && <p className="quiet">There are no articles yet.</p>}
      {more && (
        <button type="button" onClick={more}>
          More articles
        </button>
      )}
    </>
  );
}
