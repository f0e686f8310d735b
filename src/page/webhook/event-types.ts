import type { EventType } from './use-webhook.ts';

/** The types of events as people look for them. */
export const EVENT_GROUPS = {
  alert: ['alert_triggered', 'staffing_advice', 'unusual_activity'],
  analysis: ['analysis_started', 'analysis_stopped', 'analysis_error', 'analysis_waiting'],
  device: ['device_offline', 'device_online', 'device_analysis_error', 'device_warning'],
  node: ['node_offline', 'node_online', 'node_error', 'node_warning'],
  billing: ['quota_warning', 'quota_exceeded', 'billing_cycle_completed'],
  system: ['maintenance_scheduled', 'system_announcement'],
} as const satisfies Record<string, readonly EventType[]>;

export type EventGroup = keyof typeof EVENT_GROUPS;
export const GROUP_NAMES = Object.keys(EVENT_GROUPS) as EventGroup[];
export const ALL_TYPES: readonly EventType[] = GROUP_NAMES.flatMap((name) => [...EVENT_GROUPS[name]]);
