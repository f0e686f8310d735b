export const recordings = {
  title: 'Recordings',
};
