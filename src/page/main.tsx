import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readAhead } from './api/live-store.ts';
import { queryClient } from './api/query.ts';
import { App } from './app.tsx';
import { SESSION_QUERY } from './enter/sign-in.ts';
import { onMissingPart } from './shell/new-version.ts';
import { loadLanguage, preferredLanguage } from './text/text.ts';
import './kit/tokens.css';
import './kit/base.css';

addEventListener('vite:preloadError', () => void onMissingPart());

// The frame and the feed scroll to the right place themselves.
history.scrollRestoration = 'manual';

const ignore = () => {};
// At once, because both wait for the network: who is signed in, and the words. A link with a code signs in first.
if (!location.hash.includes('code='))
  void queryClient.fetchQuery(SESSION_QUERY).then((who) => who && readAhead(), ignore);
// No `await` outside of a function: the chunks of other screens import this one, and would wait for it.
void loadLanguage(preferredLanguage(null)).then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
