import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readAhead } from './api/live-store.ts';
import { queryClient } from './api/query.ts';
import { App } from './app.tsx';
import { linkOf } from './enter/link.ts';
import { SESSION_QUERY, signInAhead } from './enter/sign-in.ts';
import { onMissingPart } from './shell/new-version.ts';
import { loadLanguage, preferredLanguage } from './text/text.ts';
import './kit/tokens.css';
import './kit/base.css';

addEventListener('vite:preloadError', () => void onMissingPart());

// The frame and the feed scroll to the right place themselves.
history.scrollRestoration = 'manual';

/** At once, because all wait for the network: who is signed in, or signs in by a link, and what is now, beside the words. */
async function readFirst(): Promise<void> {
  const [place = '', query] = location.hash.slice(1).split('?');
  const { code, isSetup } = linkOf(place, query ?? '');
  if (isSetup) return;
  if (await (code ? signInAhead(code) : queryClient.fetchQuery(SESSION_QUERY))) await readAhead();
}

// No `await` outside of a function: the chunks of other screens import this one, and would wait for it.
// The screens hear of a fault themselves.
void loadLanguage(
  preferredLanguage(null),
  readFirst().catch(() => {}),
).then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
