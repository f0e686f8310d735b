import { alertSentence, alertWords, type MeasuredAlert } from '../../../catalogue/words/alert-words.ts';
import { localeNow, useText } from '../../text/text.ts';

/** Says an alert in the language of the page, e.g. "Till 3: people waiting 7, limit 5"; without the place where it is null. */
export function useAlertSentence(): (place: string | null, alert: MeasuredAlert) => string {
  const words = useText('metrics');
  return (place, alert) => {
    const reader = { words, locale: localeNow() };
    if (place !== null) return alertSentence(place, alert, reader);
    const said = alertWords(alert, reader);
    return said.charAt(0).toUpperCase() + said.slice(1);
  };
}
