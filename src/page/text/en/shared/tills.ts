/** Texts about tills: what they do now, and what they did. */
export const tills = {
  title: 'Tills',
  states: { serving: 'Serving', free: 'Free', closed: 'Closed', unknown: 'Unknown' },
  unsure: (state: string) => `Probably ${state.toLowerCase()}`,
  stateFor: (state: string, time: string) => `${state} for ${time}`,

  ofScene: 'Choose an area: tills belong to one.',
  none: 'This area has no tills',
  noneText: 'Draw them in the zones of the camera, and their times stand here.',
  avgOpen: 'Tills open on average',
  utilization: 'Share of the open time in which they served',
  waitedWithFree: 'Somebody waited although a till was free',
  bands: 'What each till did',
  hint: 'Point at a band to see what the till did then.',
  hintShares:
    'Each column shows shares of the time. Point at a band for the numbers; a single day shows every change.',
  asTable: 'Show every change as a table',
  from: 'From',
  to: 'Until',
  state: 'State',
  length: 'Length',
  table: 'Tills in this time',
  till: 'Till',
  services: 'Services',
  average: 'Service on average',
  p90: '9 of 10 less than',
  download: 'Tills (CSV)',
};
