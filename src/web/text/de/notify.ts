import type { notify as en } from '../en/notify.ts';

export const notify: typeof en = {
  title: 'Benachrichtigungen',
};
