import { useCallback } from 'react';
import { api } from '../api.ts';
import { Problem } from '../problem.tsx';
import { useResponse } from '../use-response.ts';

interface SitePickerProps {
  readonly siteId: string;
  readonly onPick: (siteId: string) => void;
  /** The words for no site at all; without them one must be picked. */
  readonly all?: string;
}

export function SitePicker({ siteId, onPick, all }: SitePickerProps) {
  const [sites, retry] = useResponse(useCallback((signal) => api.listSites({}, { signal }), []));
  if (sites.state === 'failed') return <Problem error={sites.error} retry={retry} />;
  return (
    <label>
      Site{' '}
      <select value={siteId} onChange={(event) => onPick(event.target.value)}>
        <option value="" disabled={all === undefined}>
          {all ?? 'Pick a site'}
        </option>
        {sites.state === 'ready' &&
          sites.value.data.map(({ id, name, domain }) => (
            <option key={id} value={id}>
              {name} ({domain})
            </option>
          ))}
      </select>
    </label>
  );
}
