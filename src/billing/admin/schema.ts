import { z } from 'zod';
import { id, text } from '../../http/fields.ts';
import { API_NAMES, FEATURES, MAX_AMOUNT, perFeature } from '../features.ts';

const reason = text(1, 500).optional().meta({ description: 'Stored in the ledger, at most 500 characters' });

export const topUpBody = z.strictObject({
  featureType: z.enum(FEATURES),
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT)
    .meta({ description: 'Added to this month’s limit, in the feature’s unit; ends with the month' }),
  referenceId: id()
    .optional()
    .meta({ description: 'Your own id of this top-up: a second top-up with the same id changes nothing' }),
  reason,
});

const monthlyLimit = z.int().min(0).max(MAX_AMOUNT).nullable().optional();

type Limit = z.output<typeof monthlyLimit>;

const FOREVER = 'for this and every later month; null: unlimited';
/** Limits by the names of the reports, and by their older names, which are those of `featureType`. */
const limits = {
  analysisSeconds: monthlyLimit.meta({
    description: `Limit of analysis, seconds over all scenes, ${FOREVER}`,
  }),
  alertCount: monthlyLimit.meta({ description: `Limit of alerts, ${FOREVER}` }),
  attributeCount: monthlyLimit.meta({ description: `Limit of attribute records, ${FOREVER}` }),
  vlmTokens: monthlyLimit.meta({ description: `Limit of tokens of the visual language model, ${FOREVER}` }),
  ...perFeature((feature) =>
    monthlyLimit.meta({
      deprecated: true,
      description: `The same as \`${API_NAMES[feature]}\`, its older name`,
    }),
  ),
};
type Limits = { readonly [Name in keyof typeof limits]?: Limit };

const named = (body: Limits) => Object.keys(limits).some((name) => body[name as keyof Limits] !== undefined);
const NOTHING = `must name at least one limit: ${Object.values(API_NAMES).join(', ')}`;

/** Adds a fault for each limit that is sent under both of its names. */
function oncePerLimit(body: Limits, context: z.core.$RefinementCtx): void {
  for (const feature of FEATURES) {
    if (body[feature] === undefined || body[API_NAMES[feature]] === undefined) continue;
    const message = `is the same limit as ${API_NAMES[feature]}: send only ${API_NAMES[feature]}`;
    context.addIssue({ code: 'custom', path: [feature], message, input: body[feature] });
  }
}

const limitsOf = (body: Limits) =>
  perFeature((feature) => (body[feature] === undefined ? body[API_NAMES[feature]] : body[feature]));

export const userQuotaBody = z
  .strictObject({ ...limits, reason })
  .refine(named, { error: NOTHING })
  .superRefine(oncePerLimit)
  .transform((body) => ({ reason: body.reason, limits: limitsOf(body) }));

export const deviceQuotaBody = z
  .strictObject({
    ...limits,
    isDisabled: z.boolean().optional().meta({ description: 'Analysis of a disabled device does not start' }),
    reason,
  })
  .refine((body) => body.isDisabled !== undefined || named(body), { error: `${NOTHING}, or isDisabled` })
  .superRefine(oncePerLimit)
  .transform((body) => ({ reason: body.reason, isDisabled: body.isDisabled, limits: limitsOf(body) }));
