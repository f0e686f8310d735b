import type { wall as en } from '../en/wall.ts';

export const wall: typeof en = {
  title: 'Wandanzeige',
  waiting: 'warten',
  wait: 'Wartezeit',
  waitWithTarget: (target) => `Ziel ${target}`,
  minutes: (seconds) => (seconds < 60 ? '<1 min' : `${Math.round(seconds / 60)} min`),
  since: (age) => `seit ${age}`,
  turn: (from, to, count) => `${from === to ? from : `${from}–${to}`} von ${count}`,
  empty: 'Zurzeit wird nichts gezählt',
  leave: 'Wandanzeige verlassen',
  fullscreen: 'Vollbild',
  site: 'Standort',
  everySite: 'Alle Standorte',
};
