import { GERMAN_METRICS } from '../../../catalogue/metrics/german.ts';
import type { Texts } from './texts.ts';

export const GERMAN: Texts = {
  severity: { warning: 'Warnung', critical: 'Kritisch' },
  metrics: GERMAN_METRICS,
  feature: {
    analysis: 'Zählen',
    alert: 'Alarme',
    attribute: 'Merkmale von Personen',
    vlm: 'Beschreibungen und Suchen',
  },
  offline: {
    title: (device) => `${device} ist offline`,
    sentence: 'Von der Kamera kommen keine Bilder, es wird niemand gezählt.',
  },
  online: {
    title: (device) => `${device} ist wieder online`,
    sentence: (age) => `Nach ${age} kommen wieder Bilder.`,
  },
  failed: {
    title: (scene) => `${scene} wird nicht mehr gezählt`,
    sentence:
      'Das Zählen kann nicht laufen und beginnt nicht von selbst wieder. Sagen Sie es Ihrem Betreiber.',
  },
  quota: {
    title: (feature, percent) => `${feature}: ${percent} der Grenze verbraucht`,
    sentence: (used, limit, period) => `${used} von ${limit} im Monat ${period}.`,
    exceeded: 'Die Grenze ist erreicht.',
  },
  unusual: (scene) => `Anders als sonst: ${scene}`,
  advice: { title: (scene) => `Kassen: ${scene}`, language: 'de' },
  where: 'Wo',
  when: 'Seit',
  details: 'Einzelheiten',
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
