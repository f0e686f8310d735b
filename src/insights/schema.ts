import { z } from 'zod';
import { firedFields } from '../alerts/schema.ts';
import { flag, id, orderedRange, rangeFields, text, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { RiskLevel, Severity, VlmStatus } from '../platform/prisma-client/enums.ts';

export const severity = z.enum(Severity);
export const riskLevel = z.enum(RiskLevel);
const vlmStatus = z.enum(VlmStatus);

/** What a visual language model says about an alert’s images. */
export const structuredResult = z
  .strictObject({
    summary: z.string().max(500),
    personCount: z.int().min(0).meta({ description: 'People in the images' }),
    riskLevel,
    activities: z.array(z.string()).max(5),
    suggestions: z.array(z.string()).max(3),
    environment: z.string().max(50),
  })
  .meta({ id: 'VlmStructuredResult' });

const q = text(1, 200).optional().meta({
  description: 'Words of the VLM summary. All must occur; "a phrase", `or` and `-without` are understood',
});
const place = { deviceId: id().optional(), sceneId: id().optional() };

export const listInsightsQuery = z
  .object({
    ...pageFields(),
    q,
    ...place,
    severity: severity.optional(),
    vlmStatus: vlmStatus.optional(),
    ...rangeFields,
    hasVlmSummary: flag().default(false).meta({ description: 'Only insights with a VLM summary' }),
    hasAttributes: flag().default(false).meta({ description: 'Only insights with attribute data' }),
  })
  .superRefine(orderedRange);
export type ListInsights = z.output<typeof listInsightsQuery>;

export const listSummariesQuery = z
  .object({ ...pageFields(), q, ...place, ...rangeFields })
  .superRefine(orderedRange);
export type ListSummaries = z.output<typeof listSummariesQuery>;

const where = { deviceId: id(), deviceName: z.string(), sceneId: id(), sceneName: z.string() };
const thumbnailUrl = z
  .url()
  .nullable()
  .meta({ description: 'Signed, valid for an hour; null after 30 days' });

const genders = z.strictObject({ female: z.int().nullable(), male: z.int().nullable() });
export const attributesSummary = z.strictObject({
  totalPersons: z.int(),
  genderDistribution: genders.meta({
    description:
      'Number of people by gender; null where it is switched off (`attributeGroups` of the account and the device)',
  }),
  known: genders.nullable().meta({
    description: 'For how many of `totalPersons` the gender could be told',
  }),
});

const listed = {
  id: id(),
  alertId: id().meta({ description: 'Alert event of the insight' }),
  ...where,
  severity,
  ...firedFields,
  vlmStatus,
  vlmSummary: z.string().nullable().meta({ description: 'At most 500 characters' }),
  vlmStructuredResult: structuredResult.nullable(),
  thumbnailUrl,
  snapshotCount: z.int(),
  attributesSummary: attributesSummary.nullable(),
  hasAttributes: z.boolean(),
  hasVlmSummary: z.boolean(),
  createdAt: timestamp(),
};

export const insight = z.strictObject(listed).meta({ id: 'Insight' });

const tokens = z.int().nullable();

export const insightDetail = z
  .strictObject({
    ...listed,
    computeNodeId: id().nullable(),
    snapshotUrls: z.array(z.url()).meta({
      description: 'Signed, valid for an hour; empty until the images are stored, and after 30 days',
    }),
    vlmProvider: z.string().nullable().meta({
      description: 'Writer of the summary; `rules` is the built-in writer, which uses no model',
    }),
    vlmRequestedAt: timestamp().nullable(),
    vlmCompletedAt: timestamp().nullable(),
    vlmError: z
      .string()
      .optional()
      .meta({ description: 'Only for a failed insight: VLM_TIMEOUT, SNAPSHOT_MISSING, …' }),
    vlmTokensUsed: tokens.meta({ description: 'Input and output tokens together' }),
    vlmInputTokensUsed: tokens,
    vlmOutputTokensUsed: tokens,
  })
  .meta({ id: 'InsightDetail' });

export const insightSnapshot = z
  .strictObject({
    index: z.int().meta({ description: 'Number of the image; the first is 0' }),
    url: z.url().meta({ description: 'Signed, valid for an hour' }),
  })
  .meta({ id: 'InsightSnapshot' });

export const vlmSummary = z
  .strictObject({
    insightId: id(),
    triggeredAt: timestamp(),
    severity,
    vlmSummary: z.string(),
    thumbnailUrl,
    ...where,
  })
  .meta({ id: 'VlmSummary' });
