/** Weekly hours, of cameras, rules and quiet hours. */
export const schedule = {
  timezone: 'Time zone of the schedule',
  times: 'Times',
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  from: 'From',
  to: 'To',
  overnight: 'ends on the next day',
  addWindow: 'Add times',
  removeWindow: 'Remove these times',
  noDays: 'Choose at least one day.',
};
