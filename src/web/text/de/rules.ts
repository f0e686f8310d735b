import type { rules as en } from '../en/rules.ts';

export const rules: typeof en = {
  title: 'Regeln',
};
