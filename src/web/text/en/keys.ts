export const keys = {
  title: 'Keys and sessions',
};
