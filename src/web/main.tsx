import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { reloadOnce } from './shell/new-version.ts';
import { loadLanguage, preferredLanguage } from './text/text.ts';
import './kit/tokens.css';
import './kit/base.css';

// A chunk of an older build is gone: the page of the present build has it.
addEventListener('vite:preloadError', () => reloadOnce('chunk'));

await loadLanguage(preferredLanguage(null));
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
