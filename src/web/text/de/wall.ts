import type { wall as en } from '../en/wall.ts';

export const wall: typeof en = {
  title: 'Wandanzeige',
};
