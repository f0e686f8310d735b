export const usage = {
  title: 'Usage',
};
