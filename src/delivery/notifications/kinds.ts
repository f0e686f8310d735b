import type { NotificationKind } from '../../platform/prisma-client/client.ts';
import type { EventType } from '../events/catalogue.ts';

/** The types of events that users are told of, where they are not looking. */
export const TOLD_KINDS = [
  'alert_triggered',
  'device_offline',
  'device_online',
  'analysis_error',
  'quota_warning',
  'quota_exceeded',
  'staffing_advice',
  'unusual_activity',
] as const satisfies readonly (EventType & NotificationKind)[];

export type ToldKind = (typeof TOLD_KINDS)[number];

/** What every message can be about. */
export const NOTIFICATION_KINDS = [
  ...TOLD_KINDS,
  'confirmation',
  'test',
  'report',
] as const satisfies readonly NotificationKind[];
