import type { webhook as en } from '../en/webhook.ts';

export const webhook: typeof en = {
  title: 'Webhook',
};
