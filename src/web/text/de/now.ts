import type { now as en } from '../en/now.ts';

export const now: typeof en = {
  title: 'Jetzt',
};
