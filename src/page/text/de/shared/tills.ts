import type { tills as en } from '../../en/shared/tills.ts';

export const tills: typeof en = {
  title: 'Kassen',
  states: { serving: 'Bedient', free: 'Frei', closed: 'Geschlossen', unknown: 'Unbekannt' },
  unsure: (state) => `Wohl ${state.toLowerCase()}`,
  stateFor: (state, time) => `${state} seit ${time}`,

  ofScene: 'Wählen Sie einen Bereich: Kassen gehören zu einem.',
  none: 'Dieser Bereich hat keine Kassen',
  noneText: 'Zeichnen Sie sie in den Zonen der Kamera, dann stehen ihre Zeiten hier.',
  avgOpen: 'Offene Kassen im Mittel',
  utilization: 'Anteil der offenen Zeit, in dem sie bedienten',
  waitedWithFree: 'Jemand wartete, obwohl eine Kasse frei war',
  bands: 'Was jede Kasse tat',
  hint: 'Zeigen Sie auf ein Band, um zu sehen, was die Kasse dann tat.',
  hintShares:
    'Jede Säule zeigt Anteile der Zeit. Zeigen Sie auf ein Band für die Zahlen; ein einzelner Tag zeigt jeden Wechsel.',
  asTable: 'Jeden Wechsel als Tabelle zeigen',
  from: 'Von',
  to: 'Bis',
  state: 'Zustand',
  length: 'Dauer',
  table: 'Kassen in dieser Zeit',
  till: 'Kasse',
  services: 'Bedienungen',
  average: 'Bedienzeit im Mittel',
  p90: '9 von 10 weniger als',
  download: 'Kassen (CSV)',
};
