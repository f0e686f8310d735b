import type { common as en } from '../../en/shared/common.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const common: typeof en = {
  save: 'Speichern',
  cancel: 'Abbrechen',
  done: 'Fertig',
  close: 'Schließen',
  back: 'Zurück',
  remove: 'Entfernen',
  retry: 'Erneut versuchen',
  more: 'Mehr anzeigen',
  loading: 'Wird geladen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  no: 'Nein',
  optional: 'freiwillig',
  none: 'keine',
  notMeasured: 'nicht gemessen',
  stale: (age) => `Stand: ${age}`,
  ago: (age) => `vor ${age}`,
  justNow: 'gerade eben',
  tryAgainIn: (seconds) => `Erneut möglich in ${plural(seconds, 'Sekunde', 'Sekunden')}`,
  forbiddenTitle: 'Das dürfen Sie nicht sehen',
  forbiddenScope: (scope) =>
    `Ihrer Anmeldung fehlt das Recht „${scope}“. Wem das Konto gehört, kann es geben.`,
  failedTitle: 'Das konnte nicht geladen werden',
  signedOut: 'Sie sind abgemeldet. Melden Sie sich wieder an, um es zu sehen.',
  seeUsage: 'Verbrauch und Grenzen ansehen',
  zoneOf: (zone) => `Zeiten in ${zone}`,
  status: {
    good: 'in Ordnung',
    warn: 'beachten',
    bad: 'jetzt handeln',
    off: 'nicht gemessen',
    info: 'Hinweis',
  },
  rotation: 'Bild drehen',
  rotationHint:
    'Für eine Kamera, die auf dem Kopf oder auf der Seite hängt. Zeichnen Sie danach die Zonen neu.',
  rotations: {
    0: 'Nicht gedreht',
    90: 'Um 90° im Uhrzeigersinn',
    180: 'Um 180°, auf dem Kopf',
    270: 'Um 90° gegen den Uhrzeigersinn',
  },
};
