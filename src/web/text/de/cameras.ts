import type { cameras as en } from '../en/cameras.ts';

export const cameras: typeof en = {
  title: 'Kameras',
};
