import { noteNoAnswer } from '../api/connection.ts';
import { createStore } from '../api/store.ts';

const KEY = 'reloaded';
/** A page that would reload again within this time shows what it has instead. */
const QUIET_MS = 10 * 60_000;
const LOOK_EVERY_MS = 5 * 60_000;

/** Whether the service has another build of the page than this one. */
export const newVersion = createStore(false);

/**
 * Loads the page again, at most once in ten minutes for each reason, so that a fault that a reload does not mend never
 * becomes a loop.
 * @returns whether it reloads
 */
export function reloadOnce(reason: string): boolean {
  const key = `${KEY}:${reason}`;
  const last = Number(sessionStorage.getItem(key) ?? Number.NaN);
  if (Date.now() - last < QUIET_MS) return false;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return true;
}

let isPartMissing = false;

/**
 * A part of the page could not be loaded. Where the service answers, it has another build, which the page loads; where it
 * does not, the page stays, because a reload would leave nothing of it.
 */
export async function onMissingPart(): Promise<void> {
  isPartMissing = true;
  const answer = await fetch('.', { cache: 'no-cache' }).catch(() => null);
  if (answer?.ok) reloadOnce('chunk');
  else noteNoAnswer();
}

/** What "try again" does after a fault of a screen: a part that could not be loaded comes only with the whole page. */
export function tryAgain(showScreen: () => void): void {
  if (isPartMissing) location.reload();
  else showScreen();
}

/** The names of the scripts of a build have its hash. */
const ownScript = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src.split('/').at(-1);

async function look(): Promise<void> {
  const own = ownScript();
  if (own === undefined) return;
  const answer = await fetch('.', { cache: 'no-cache' }).catch(() => null);
  if (answer?.ok) newVersion.set(!(await answer.text()).includes(own));
}

/** Looks for a new build now and then, and whenever the service may have been restarted. @returns what ends it */
export function watchVersion(onGap: (listener: () => void) => () => void): () => void {
  const timer = setInterval(() => document.visibilityState === 'visible' && void look(), LOOK_EVERY_MS);
  const unhear = onGap(() => void look());
  return () => {
    clearInterval(timer);
    unhear();
  };
}
