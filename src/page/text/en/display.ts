export const display = {
  title: 'Waiting time',
  fastest: 'Fastest',
  leave: 'Leave the display',
};
