import { useSyncExternalStore } from 'react';
import type { Texts } from './en/all.ts';

const LANGUAGES = {
  en: () => import('./en/all.ts').then(({ texts }) => texts),
  de: () => import('./de/all.ts').then(({ texts }) => texts),
} satisfies Record<string, () => Promise<Texts>>;

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const KEPT = 'language';
let language: Language = 'en';
let texts: Texts | undefined;
const listeners = new Set<() => void>();

const known = (tag: string | null | undefined): Language | undefined => {
  const [start = ''] = (tag ?? '').toLowerCase().split('-');
  return start in LANGUAGES ? (start as Language) : undefined;
};

/** The language of the account, else the one chosen here before, else the first of the browser that the page has. */
export function preferredLanguage(locale: string | null): Language {
  const wishes = [locale, localStorage.getItem(KEPT), ...navigator.languages];
  return wishes.map(known).find((each) => each !== undefined) ?? 'en';
}

/** Loads the texts of a language and shows the page in it. */
export async function loadLanguage(wanted: Language): Promise<void> {
  if (texts && wanted === language) return;
  texts = await LANGUAGES[wanted]();
  language = wanted;
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

/** Keeps a choice that was made in this browser. */
export const keepLanguage = (chosen: Language): void => localStorage.setItem(KEPT, chosen);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The texts of one screen in the language of the person: `const t = useText('now')`. */
export function useText<Screen extends keyof Texts>(screen: Screen): Texts[Screen] {
  return useSyncExternalStore(subscribe, () => texts!)[screen];
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, () => language);

/** For code outside React: the texts as they are now. */
export const textNow = <Screen extends keyof Texts>(screen: Screen): Texts[Screen] => texts![screen];

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
