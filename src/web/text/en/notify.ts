export const notify = {
  title: 'Notifications',
};
