import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query.ts';
import { App } from './app.tsx';
import { SESSION_QUERY } from './enter/sign-in.ts';
import { reloadOnce } from './shell/new-version.ts';
import { loadLanguage, preferredLanguage } from './text/text.ts';
import './kit/tokens.css';
import './kit/base.css';

// A chunk of an older build is gone: the page of the present build has it.
addEventListener('vite:preloadError', () => reloadOnce('chunk'));

// All at once, because each waits for the network: who is signed in, the words, and the screen that most people open.
void queryClient.prefetchQuery(SESSION_QUERY);
if (/^#?\/?$/.test(location.hash)) void import('./now/now-screen.tsx');
await loadLanguage(preferredLanguage(null));
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
