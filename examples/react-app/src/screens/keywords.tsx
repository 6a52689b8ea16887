import { useCallback, useState } from 'react';
import { api } from '../api.ts';
import { Loading, Problem } from '../problem.tsx';
import { useResponse } from '../use-response.ts';
import { SitePicker } from './site-picker.tsx';

export function Keywords() {
  const [siteId, setSiteId] = useState('');
  return (
    <>
      <h1>Keywords</h1>
      <SitePicker siteId={siteId} onPick={setSiteId} />
      {siteId && <KeywordTable siteId={siteId} />}
    </>
  );
}

function KeywordTable({ siteId }: { siteId: string }) {
  const [keywords, retry] = useResponse(useCallback((signal) => api.listKeywords({ siteId }, { signal }), [siteId]));
  if (keywords.state === 'loading') return <Loading />;
  if (keywords.state === 'failed') return <Problem error={keywords.error} retry={retry} />;
  if (keywords.value.data.length === 0) return <p className="quiet">This site has no keywords.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th>Keyword</th>
          <th>Volume</th>
          <th>Difficulty</th>
          <th>Intent</th>
        </tr>
      </thead>
      <tbody>
        {keywords.value.data.map(({ id, keyword, searchVolume, difficulty, intent }) => (
          <tr key={id}>
            <td>{keyword}</td>
            <td>{searchVolume ?? '–'}</td>
            <td>{difficulty ?? '–'}</td>
            <td>{intent ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
