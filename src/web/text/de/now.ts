import type { now as en } from '../en/now.ts';

export const now: typeof en = {
  title: 'Jetzt',
  waiting: 'Wartend',
  estimatedWait: 'Neue Wartezeit',
  inService: 'Bedient',
  lastHour: 'Schlange, letzte 60 Minuten',
  sparkOf: (values) =>
    `Mittlere Schlange der letzten Stunde in Schritten von fünf Minuten: ${values.join(', ')}`,
  noNumbersYet: 'noch keine Zahlen',
  site: 'Standort',
  everySite: 'Alle',
  totalWaiting: 'Wartend',
  totalInService: 'In Bedienung',
  longestWait: 'Längste Wartezeit',
  needAttention: 'Zu beachten',
  unmeasured: 'Nicht gemessen',
  reasons: {
    critical: 'Jetzt handeln',
    warning: 'Beachten',
    fault: 'Kamerastörung',
    offline: 'Kamera offline',
    failed: 'Fehlgeschlagen',
    old: 'Keine neuen Zahlen',
    fine: 'In Ordnung',
    uncertain: 'Unsicher',
    starting: 'Startet',
    waiting: 'Wartet auf Rechner',
    stopped: 'Angehalten',
  },
  noCameras: 'Verbinden Sie Ihre erste Kamera',
  noCamerasText: 'Sobald eine Kamera verbunden ist und ihre Zonen gezeichnet sind, steht die Schlange hier.',
  addCamera: 'Kamera verbinden',
  noZones: 'Zeichnen Sie die Schlange ein',
  noZonesText:
    'Ihre Kameras haben noch keine Zonen. Zeichnen Sie ein, wo Menschen warten und bedient werden.',
  drawZones: 'Zu den Kameras',
};
