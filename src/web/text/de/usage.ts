import type { usage as en } from '../en/usage.ts';

export const usage: typeof en = {
  title: 'Verbrauch',
};
