import type { now as en } from '../en/now.ts';

export const now: typeof en = {
  title: 'Jetzt',
  waiting: 'Wartend',
  estimatedWait: 'Wartezeit etwa',
  trend: { growing: 'wächst', shrinking: 'wird kürzer' },
  waitWithTarget: (target) => `Warten (Ziel ${target})`,
  against: {
    longest: (wait, target) => `Am längsten wartet jemand seit ${wait}; das Ziel ist ${target}.`,
    joining: (wait, target) => `Wer jetzt kommt, wartet etwa ${wait}; das Ziel ist ${target}.`,
    atMost: (wait, target) => `Wer jetzt kommt, wartet vielleicht bis zu ${wait}; das Ziel ist ${target}.`,
  },
  tillsOpen: (open, all) => `${open} von ${all} ${all === 1 ? 'Kasse' : 'Kassen'} offen`,
  inService: 'Werden bedient',
  lastHour: 'Schlange, letzte 60 Minuten',
  sparkOf: (values) =>
    `Mittlere Schlange der letzten Stunde in Schritten von fünf Minuten: ${values.join(', ')}`,
  pictureOf: (camera) => `Was ${camera} zuletzt sah`,
  noNumbersYet: 'noch keine Zahlen',
  site: 'Standort',
  everySite: 'Alle',
  leadLabel: 'Was jetzt zu tun ist',
  lead: {
    send: (place, waiting, wait) =>
      `Schicken Sie jemanden zu ${place}: ${waiting} ${waiting === 1 ? 'wartet' : 'warten'}${wait === null ? '' : `, ${wait}`}`,
    lookAt: (place) => `Sehen Sie bei ${place} nach`,
    within: (queues) =>
      queues === 1 ? 'Die Schlange ist im Ziel.' : `Alle ${queues} Schlangen sind im Ziel.`,
    calm: (fine, of) =>
      fine < of
        ? fine === 1
          ? 'Die Schlange, die zu sehen ist, braucht niemanden.'
          : `Die ${fine} Schlangen, die zu sehen sind, brauchen niemanden.`
        : fine === 1
          ? 'Die Schlange braucht niemanden.'
          : `Keine der ${fine} Schlangen braucht jemanden.`,
    blind: 'Gerade ist keine Schlange zu sehen: Kümmern Sie sich um die Kameras.',
    starting: 'Das Zählen beginnt.',
    stopped: 'Gerade wird nicht gezählt.',
  },
  show: 'Zeigen',
  facts: {
    waiting: (count) => `${count} ${count === 1 ? 'wartet' : 'warten'}`,
    inService: (count) => (count === 1 ? '1 wird bedient' : `${count} werden bedient`),
    fine: (count) => `${count} in Ordnung`,
    close: (count) => `${count} nahe am Ziel`,
    attention: (count) => `${count} zu beachten`,
    down: (count) => (count === 1 ? '1 Kamera ausgefallen' : `${count} Kameras ausgefallen`),
  },
  lastWaiting: (waiting, age) => `zuletzt ${waiting} wartend, vor ${age}`,
  stoppedPlaces: (count) =>
    count === 1 ? '1 Bereich wird gerade nicht gezählt' : `${count} Bereiche werden gerade nicht gezählt`,
  why: 'Warum?',
  said: (message) => `Einzelheiten: ${message}`,
  restart: 'Neu starten',
  reasons: {
    critical: 'Jetzt handeln',
    over: 'Über dem Ziel',
    warning: 'Beachten',
    fault: 'Kamerastörung',
    offline: 'Kamera offline',
    failed: 'Zählen nicht möglich',
    old: 'Keine neuen Zahlen',
    close: 'Nahe am Ziel',
    fine: 'Im Ziel',
    counting: 'Zählt',
    uncertain: 'Unsicher',
    starting: 'Startet',
    waiting: 'Startet bald',
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
