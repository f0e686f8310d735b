import { GERMAN_METRICS } from '../../../catalogue/metrics/german.ts';
import type { InsightWords, Seen } from './words.ts';

/** `niemand`, `1 Person`, `7 Personen`. */
function people(count: number, seen: Seen): string {
  if (seen === 'vehicle') return count === 1 ? '1 Fahrzeug' : `${count === 0 ? 'keine' : count} Fahrzeuge`;
  return count === 0 ? 'niemand' : count === 1 ? '1 Person' : `${count} Personen`;
}

/** One verb for one, another for several; `niemand` is one. */
const byNumber = (count: number, seen: Seen, one: string, many: string): string =>
  count === 1 || (count === 0 && seen === 'person') ? one : many;

const WHICH = { one: 'So ist es', all: 'Alle Bedingungen der Regel gelten', any: 'So ist es' };

export const GERMAN: InsightWords = {
  words: GERMAN_METRICS,
  locale: 'de',
  held: {
    before: (time, lasted) =>
      `So war es schon, als die Regel um ${time}${lasted ? `, vor ${lasted},` : ''} zu beobachten begann.`,
    since: (which, time, lasted) => `${WHICH[which]} seit ${time}${lasted ? `, also seit ${lasted}` : ''}.`,
  },
  usual: (value, days) => `Um diese Zeit sind es sonst etwa ${value} (letzte ${days} Tage)`,
  compared: {
    times: (factor) => `jetzt das ${factor}-Fache davon`,
    only: (percent) => `jetzt nur ${percent} davon`,
    same: 'heute ist nichts ungewöhnlich',
  },
  lastHour: (value) =>
    `In der letzten Stunde waren es ${value}; mehr Verlauf zum Vergleichen gibt es noch nicht.`,
  waiting: (count, seen, longest) =>
    `${people(count, seen)} ${byNumber(count, seen, 'wartet', 'warten')}${longest ? `, am längsten seit ${longest}` : ''}`,
  served: (count, seen) => `${people(count, seen)} ${byNumber(count, seen, 'wird', 'werden')} bedient`,
  inService: (count) => `${count === 0 ? 'niemand' : count} in Bedienung`,
  recent: ({ arrivals, completed, gaveUp }, isServed) => {
    const ended = isServed
      ? `${completed} ${completed === 1 ? 'wurde' : 'wurden'} bedient`
      : `${completed} ${completed === 1 ? 'verließ' : 'verließen'} die Schlange`;
    const left = gaveUp > 0 ? `, ${gaveUp} ${gaveUp === 1 ? 'gab' : 'gaben'} auf` : '';
    return `In den letzten 5 Minuten ${arrivals === 1 ? 'kam' : 'kamen'} ${arrivals}, ${ended}${left}.`;
  },
  activities: {
    waiting: (count, seen) => `${people(count, seen)} in der Schlange`,
    served: (count, seen) => `${people(count, seen)} in Bedienung`,
    gaveUp: (count, seen) => `${people(count, seen)} ohne Bedienung gegangen`,
    growing: (isServed) => `es kommen mehr, als ${isServed ? 'bedient werden' : 'gehen'}`,
  },
  suggestions: {
    checkCamera: 'Die Kamera prüfen: Es fehlen Bilder',
    whyNobodyServed: 'Nachsehen, warum niemand bedient wird, obwohl Leute warten',
    sendStaff: 'Jemanden an die Kasse schicken',
    otherWork: 'Das Personal kann gerade anderes tun',
    askCheckout: 'An der Kasse fragen, ob Hilfe nötig ist',
    openIfGrowing: 'Eine weitere Kasse öffnen, wenn die Schlange wächst',
    serveWaiting: 'Jemanden an die Kasse schicken: Leute warten, und niemand wird bedient',
    openCheckout: 'Eine weitere Kasse öffnen',
    speakToLine: 'Mit den Wartenden sprechen: Einige geben auf',
    lookAgain: 'In fünf Minuten nachsehen, ob die Schlange kürzer wird',
  },
  environment: (at, seen) => {
    const place = { both: 'Schlange und Kasse', checkout: 'Kasse', queue: 'Schlange' }[at];
    return seen === 'vehicle' ? `${place} für Fahrzeuge` : place;
  },
};
