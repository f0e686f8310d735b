import type { Texts } from '../en/all.ts';

export const schedule: Texts['schedule'] = {
  timezone: 'Zeitzone des Zeitplans',
  times: 'Zeiten',
  days: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
  from: 'Von',
  to: 'Bis',
  overnight: 'endet am nächsten Tag',
  addWindow: 'Zeiten hinzufügen',
  removeWindow: 'Diese Zeiten entfernen',
  noDays: 'Wählen Sie mindestens einen Tag.',
};
