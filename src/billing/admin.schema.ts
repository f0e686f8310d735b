import { z } from 'zod';
import { id, text } from '../http/fields.ts';
import { FEATURES, MAX_AMOUNT, perFeature } from './features.ts';

const reason = text(1, 500).optional().meta({ description: 'For the ledger, at most 500 characters' });

export const topUpBody = z.strictObject({
  featureType: z.enum(FEATURES),
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .meta({ description: 'Added to this month’s limit, in the feature’s unit; lapses with the month' }),
  referenceId: id()
    .optional()
    .meta({ description: 'Your own id of this top-up: sent again it is made once' }),
  reason,
});

const monthlyLimit = z
  .int()
  .min(0)
  .max(MAX_AMOUNT)
  .nullable()
  .optional()
  .meta({ description: 'Limit of this and every month to come, in the feature’s unit; null: unlimited' });

const limits = perFeature(() => monthlyLimit);
const NOTHING = { error: 'must name at least one feature: analysis, alert, attribute or vlm' };

export const userQuotaBody = z
  .strictObject({ ...limits, reason })
  .refine((body) => FEATURES.some((feature) => body[feature] !== undefined), NOTHING);

export const deviceQuotaBody = z
  .strictObject({
    ...limits,
    isDisabled: z.boolean().optional().meta({ description: 'Analysis of a disabled device does not start' }),
    reason,
  })
  .refine(
    (body) => body.isDisabled !== undefined || FEATURES.some((feature) => body[feature] !== undefined),
    { error: `${NOTHING.error}, or isDisabled` },
  );
