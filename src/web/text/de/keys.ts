import type { keys as en } from '../en/keys.ts';

export const keys: typeof en = {
  title: 'Schlüssel und Sitzungen',
};
