/**
 * Some browsers without a desktop name a language that Intl refuses: en-US@posix. uPlot gives it to Intl when it is loaded,
 * and would not load. Import this before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
