import { use, useSyncExternalStore } from 'react';
import { first as german } from './de/shared/first.ts';
import type { Rest, Texts } from './en/all.ts';
import { first as english, type First } from './en/shared/first.ts';

interface Words {
  /** In the first script, because a file of its own would cost a round trip. */
  readonly first: First;
  readonly rest: () => Promise<Rest>;
}

const LANGUAGES = {
  en: {
    first: english,
    rest: () => import('./en/all.ts').then(({ texts }) => texts),
  },
  de: {
    first: german,
    rest: () => import('./de/all.ts').then(({ texts }) => texts),
  },
} satisfies Record<string, Words>;

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

let language: Language = 'en';
let texts: (First & Partial<Rest>) | undefined;
/** Screens wait for it. */
let rest: Promise<void> = Promise.resolve();
/** Ends as soon as a screen waits for them. */
let need = () => {};
const needed = new Promise<void>((resolve) => {
  need = resolve;
});
const listeners = new Set<() => void>();

const known = (tag: string | null | undefined): Language | undefined => {
  const [start = ''] = (tag ?? '').toLowerCase().split('-');
  return start in LANGUAGES ? (start as Language) : undefined;
};

/** The language of the account, else the first of the browser that the page has. */
export function preferredLanguage(locale: string | null): Language {
  const wishes = [locale, ...navigator.languages];
  return wishes.map(known).find((each) => each !== undefined) ?? 'en';
}

/**
 * Loads the texts of a language and shows the page in it: at once those of the first screens, soon the others.
 * @param before what the others must not take the network from
 */
export async function loadLanguage(wanted: Language, before?: Promise<unknown>): Promise<void> {
  if (texts && wanted === language) return;
  const { first, rest: loadRest } = LANGUAGES[wanted];
  // A change of the language shows nothing half.
  const others = texts && (await loadRest());
  show(wanted, { ...first, ...others });
  if (!others) {
    rest = (async () => {
      await Promise.race([before, needed]);
      const read = await loadRest();
      // Another language may have been chosen meanwhile.
      if (language === wanted) show(wanted, { ...first, ...read });
    })();
  }
}

function show(shown: Language, read: First & Partial<Rest>): void {
  texts = read;
  language = shown;
  document.documentElement.lang = shown;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The texts of one screen in the language of the person: `const t = useText('now')`. */
export function useText<Screen extends keyof Texts>(screen: Screen): Texts[Screen] {
  const read: Partial<Texts> | undefined = useSyncExternalStore(subscribe, () => texts);
  const words = read?.[screen];
  if (words) return words;
  need();
  use(rest);
  return textNow(screen);
}

/** For code outside React: the texts as they are now. Those that are not in `first.ts` only below a component that uses them. */
export const textNow = <Screen extends keyof Texts>(screen: Screen): Texts[Screen] =>
  (texts as Texts)[screen];

export const languageNow = (): Language => language;

/** The language and region for Intl: the one of the browser where it has the same language, because it knows the region. */
export function localeNow(): string {
  return navigator.languages.find((tag) => known(tag) === language && isLocale(tag)) ?? language;
}

/** Some browsers without a desktop name a language that Intl refuses: en-US@posix. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
