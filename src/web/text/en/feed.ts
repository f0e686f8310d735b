export const feed = {
  title: 'Alerts',
};
