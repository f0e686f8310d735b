export const now = {
  title: 'Now',
};
