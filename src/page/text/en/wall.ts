export const wall = {
  title: 'Wall',
  wait: (time: string): string => `wait ${time}`,
  hidden: (count: number): string => `and ${count} more`,
  empty: 'There are no scenes to show',
  leave: 'Leave the wall',
  fullscreen: 'Full screen',
  site: 'Site',
  everySite: 'All sites',
};
