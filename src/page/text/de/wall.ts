import type { wall as en } from '../en/wall.ts';

export const wall: typeof en = {
  title: 'Wandanzeige',
  wait: (time) => `Wartezeit ${time}`,
  hidden: (count) => `und ${count} weitere`,
  empty: 'Es gibt keine Szenen zu zeigen',
  leave: 'Wandanzeige verlassen',
  fullscreen: 'Vollbild',
  site: 'Standort',
  everySite: 'Alle Standorte',
};
