import type { display as en } from '../en/display.ts';

export const display: typeof en = {
  title: 'Wartezeit',
  fastest: 'Am schnellsten',
  leave: 'Anzeige verlassen',
};
