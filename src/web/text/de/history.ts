import type { history as en } from '../en/history.ts';

export const history: typeof en = {
  title: 'Verlauf',
};
