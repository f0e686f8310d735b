export const wall = {
  title: 'Wall',
};
