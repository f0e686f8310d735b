export const wall = {
  title: 'Wall',
  waiting: 'waiting',
  wait: 'wait',
  waitWithTarget: (target: string) => `target ${target}`,
  minutes: (seconds: number): string => (seconds < 60 ? '<1 min' : `${Math.round(seconds / 60)} min`),
  since: (age: string) => `for ${age}`,
  turn: (from: number, to: number, count: number): string =>
    `${from === to ? from : `${from}–${to}`} of ${count}`,
  empty: 'Nothing is being counted now',
  leave: 'Leave the wall',
  fullscreen: 'Full screen',
  site: 'Site',
  everySite: 'All sites',
};
