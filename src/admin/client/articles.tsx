// Articles to publish while an application is running. Opening the list loads them.
import { useState } from 'preact/hooks';
import { Act } from './parts.tsx';
import { useApp } from './use-app.ts';

interface Article {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

const shownMax = 50;

export function Articles({ organizationId, total }: { organizationId: string; total: number }) {
  const app = useApp();
  const [articles, setArticles] = useState<readonly Article[]>([]);
  const path = `/organizations/${encodeURIComponent(organizationId)}/articles`;
  const load = async () => setArticles((await app.ask<{ articles: readonly Article[] }>('GET', path)).articles);
  const publish = async (id: string) => {
    await app.ask('POST', `${path}/${encodeURIComponent(id)}/publish`);
    await load();
  };
  if (total === 0) return null;
  return (
    <details onToggle={(event) => event.currentTarget.open && app.act(load)}>
      <summary>Publish an article</summary>
      <ul class="list">
        {articles.slice(0, shownMax).map(({ id, title, status }) => (
          <li key={id} class="spread">
            <span>
              {title} <span class="chip">{status}</span>
            </span>
            <Act label={`Publish ${title}`} disabled={status === 'published'} does={() => publish(id)}>
              Publish
            </Act>
          </li>
        ))}
      </ul>
    </details>
  );
}
