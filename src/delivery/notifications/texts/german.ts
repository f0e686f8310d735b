import { GERMAN_METRICS } from '../../../catalogue/metrics/german.ts';
import type { Texts } from './texts.ts';

export const GERMAN: Texts = {
  severity: { warning: 'Warnung', critical: 'Kritisch' },
  metrics: GERMAN_METRICS,
  perHour: '/h',
  minutes: 'min',
  feature: {
    analysis: 'Analyse',
    alert: 'Alarme',
    attribute: 'Merkmalsdatensätze',
    vlm: 'Token der Beschreibungen',
  },
  offline: {
    title: (device) => `${device} ist offline`,
    sentence: 'Vom Gerät kommen keine Bilder, es wird nichts gemessen.',
  },
  online: {
    title: (device) => `${device} ist wieder online`,
    sentence: (minutes) => `Nach ${minutes} kommen wieder Bilder.`,
  },
  failed: {
    title: (scene) => `Die Analyse von ${scene} ist fehlgeschlagen`,
    sentence: 'Sie läuft nicht von selbst weiter.',
  },
  quota: {
    title: (feature, percent) => `${feature}: ${percent} des Kontingents verbraucht`,
    sentence: (used, limit, period) => `${used} von ${limit} im Monat ${period}.`,
    exceeded: 'Das Kontingent ist aufgebraucht.',
  },
  advice: { title: (scene) => `Kassen: ${scene}`, language: 'de' },
  where: 'Wo',
  when: 'Seit',
  also: 'Außerdem',
  more: (count, since) => `${count} weitere seit ${since}`,
  open: 'Öffnen',
  why: 'Sie erhalten diese Nachricht, weil Sie sie abonniert haben.',
  unsubscribe: 'Abbestellen',
  confirmation: {
    title: 'Ihr Bestätigungscode',
    sentence: (code, minutes) =>
      `Der Code, der diese Adresse bestätigt, ist ${code}. Er gilt ${minutes} Minuten.`,
    ignore: 'Haben Sie ihn nicht angefordert, ignorieren Sie diese Nachricht: es kommt keine weitere.',
  },
  test: { title: 'Testnachricht', sentence: 'Nachrichten kommen auf diesem Kanal an.' },
  unsubscribePage: {
    title: 'Abbestellen',
    question: 'Möchten Sie keine Nachrichten dieses Abonnements mehr erhalten?',
    button: 'Abbestellen',
    done: 'Sie erhalten keine Nachrichten dieses Abonnements mehr.',
  },
};
