// Parts of all pages of the admin API: the theme and the notice.
import { useState } from 'preact/hooks';
import { fetchFrom } from './control-plane.ts';
import { Act, Copy, Empty } from './parts.tsx';
import { useApp, useAppState } from './use-app.ts';

const themes = ['auto', 'light', 'dark'] as const;
const themeKey = 'casa-theme';

export function Theme() {
  const [theme, setTheme] = useState(localStorage.getItem(themeKey) ?? 'auto');
  const turn = () => {
    const next = themes[(themes.indexOf(theme as 'auto') + 1) % themes.length] ?? 'auto';
    localStorage.setItem(themeKey, next);
    setTheme(next);
  };
  document.documentElement.dataset.theme = theme;
  return (
    <button type="button" class="plain" id="theme" onClick={turn} title="Light, dark or system theme">
      Theme: {theme}
    </button>
  );
}

export function Notice() {
  const { notice } = useAppState();
  return (
    <div id="note" role="status" class={notice?.isBad ? 'bad' : ''} hidden={notice === null}>
      {notice?.text}
    </div>
  );
}

/** The request log before the first request: how to send one. */
export function FirstRequest() {
  const { hasServer } = useApp();
  const { health, organizations } = useAppState();
  const usable = organizations.flatMap(({ keys }) => keys).find(({ revoked }) => !revoked);
  const url = `${health?.baseUrl ?? ''}/articles?limit=3`;
  const key = usable?.key ?? '<key>';
  const command = `curl -H "Authorization: Bearer ${key}" "${url}"`;
  return (
    <Empty>
      <strong>No requests yet.</strong>{' '}
      {hasServer ? (
        <>
          Set the base URL of your app to <code>{health?.baseUrl}</code>, or send this request:
          <code class="block" id="curl">
            {command}
          </code>
        </>
      ) : (
        'This mock runs in the page, so other programs cannot reach it. Send a first request from here: '
      )}
      <span class="row">
        {hasServer && (
          <Copy text={command} label="Copy the command">
            Copy
          </Copy>
        )}
        {usable && (
          <Act kind="primary" does={() => fetchFrom(url, { headers: { authorization: `Bearer ${usable.key}` } })}>
            Send request
          </Act>
        )}
      </span>
    </Empty>
  );
}
