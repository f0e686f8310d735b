export const scene = {
  title: 'Scene',
};
