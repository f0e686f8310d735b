export const cameras = {
  title: 'Cameras',
};
