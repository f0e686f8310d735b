// First, so that a screen's own rules come after those of all.
import './kit/tokens.css';
import './kit/base.css';
import './kit/parts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readAhead } from './api/live-store.ts';
import { queryClient } from './api/query.ts';
import { App } from './app.tsx';
import { linkOf } from './enter/link.ts';
import { SESSION_QUERY, signInAhead } from './enter/sign-in.ts';
import { onMissingPart } from './shell/new-version.ts';
import { loadLanguage, preferredLanguage } from './text/text.ts';

addEventListener('vite:preloadError', () => void onMissingPart());

// The frame and the feed scroll to the right place themselves.
history.scrollRestoration = 'manual';

/** At once, because all wait for the network: who is signed in, or signs in by a link, and what is now. */
async function readFirst(): Promise<void> {
  const [place = '', query] = location.hash.slice(1).split('?');
  const { code, isSetup } = linkOf(place, query ?? '');
  if (isSetup) return;
  if (await (code ? signInAhead(code) : queryClient.fetchQuery(SESSION_QUERY))) await readAhead();
}

/** Numbers that come so soon are painted at once, which is quicker than a frame without them and then another. */
const SOON_MS = 400;

// The screens hear of a fault themselves.
const first = readFirst()
  .catch(() => {})
  // What nobody has taken will be old.
  .finally(() => globalThis.ahead?.clear());
void loadLanguage(preferredLanguage(null), first);
// No `await` outside of a function: the chunks of other screens import this one, and would wait for it.
void Promise.race([first, new Promise((resolve) => setTimeout(resolve, SOON_MS))]).then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
