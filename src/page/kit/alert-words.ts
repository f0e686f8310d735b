import { alertSentence, type MeasuredAlert } from '../../catalogue/words/alert-words.ts';
import { localeNow, useText } from '../text/text.ts';

/** Says an alert in the language of the page, e.g. "Till 3: people waiting 7, limit 5". */
export function useAlertSentence(): (place: string, alert: MeasuredAlert) => string {
  const words = useText('metrics');
  return (place, alert) => alertSentence(place, alert, { words, locale: localeNow() });
}
