import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style.css';

// A bundle for another backend holds nothing of the mock.
if (import.meta.env.VITE_API === 'msw') {
  const { startMockInPage } = await import('./mock-in-page.ts');
  await startMockInPage();
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
