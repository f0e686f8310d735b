import { z } from 'zod';
import { SENSITIVE_GROUPS, type SensitiveGroup } from './attributes/keys.ts';
import { polygonOf } from './polygon-schema.ts';
import type { Polygon } from './types.ts';

/** What is hidden of people in pictures. */
export const BLUR_PEOPLE = ['none', 'faces', 'bodies'] as const;
export type BlurPeople = (typeof BLUR_PEOPLE)[number];

/** What pictures of a device may show, and what may be determined of the people in them. */
export interface Privacy {
  /** Grows by one with each change. */
  readonly revision: number;
  /** The masks of the device and of its scenes. */
  readonly masks: readonly Polygon[];
  /** The masks are black in the analysed frames too. */
  readonly maskAnalysis: boolean;
  readonly blurPeople: BlurPeople;
  /** The sensitive attributes that are determined. */
  readonly attributeGroups: readonly SensitiveGroup[];
}

/** Nothing is hidden. */
export const NO_PRIVACY: Privacy = {
  revision: 1,
  masks: [],
  maskAnalysis: false,
  blurPeople: 'none',
  attributeGroups: SENSITIVE_GROUPS,
};

/** How the OpenAPI document shows `attributeGroupsSchema`, also in answers. */
export const ATTRIBUTE_GROUPS_JSON = {
  type: 'array',
  items: { type: 'string', enum: [...SENSITIVE_GROUPS] },
  maxItems: SENSITIVE_GROUPS.length,
} as const;

/** `attributeGroups` of an account and of a device. */
export const attributeGroupsSchema = z
  .array(z.enum(SENSITIVE_GROUPS))
  .max(SENSITIVE_GROUPS.length)
  .transform((groups) => SENSITIVE_GROUPS.filter((group) => groups.includes(group)));

const MOST_MASKS = 20;

/** `privacyMask` of a device and of a scene's configuration. */
export const privacyMaskSchema = z
  .array(polygonOf('draw it larger, or leave it out'))
  .max(MOST_MASKS, `must hold at most ${MOST_MASKS} polygons: draw one polygon around several areas`);
