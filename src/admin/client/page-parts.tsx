// What the pages of the admin API have in common: the theme, and what the page tells.
import { useState } from 'preact/hooks';
import { Act, Copy, Empty } from './parts.tsx';
import { useAppState } from './use-app.ts';

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
    <button type="button" class="plain" id="theme" onClick={turn} title="Light, dark or as the system says">
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

// What the request log shows before the first request came: how to send one.
export function FirstRequest() {
  const { health, organizations } = useAppState();
  const usable = organizations.flatMap(({ keys }) => keys).find(({ revoked }) => !revoked);
  const url = `${health?.baseUrl ?? ''}/articles?limit=3`;
  const key = usable?.key ?? '<key>';
  const command = `curl -H "Authorization: Bearer ${key}" "${url}"`;
  return (
    <Empty>
      <strong>No request came yet.</strong> Point your app at <code>{health?.baseUrl}</code>, or send a first request:
      <code class="block" id="curl">
        {command}
      </code>
      <span class="row">
        <Copy text={command} label="Copy the command">
          Copy
        </Copy>
        {usable && (
          <Act kind="primary" does={() => fetch(url, { headers: { authorization: `Bearer ${usable.key}` } })}>
            Send it from here
          </Act>
        )}
      </span>
    </Empty>
  );
}
