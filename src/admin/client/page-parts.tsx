// What the pages of the control plane have in common: the theme, and what the page tells.
import { useState } from 'preact/hooks';
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
