import type { operations, Resource } from '../../client/client.ts';

export type AuditEntry = Resource<'AuditEntry'>;
type Query = NonNullable<operations['listAuditEntries']['parameters']['query']>;

/** The names of all actions of the audit log. */
export type AuditAction = NonNullable<Query['action']>;

/** The details of an audit entry as texts and numbers. What an entry does not have is null or empty. */
export interface AuditFacts {
  readonly name: string | null;
  readonly label: string | null;
  readonly email: string | null;
  readonly method: string | null;
  readonly role: string | null;
  readonly kind: string | null;
  readonly address: string | null;
  readonly reason: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly isAdmin: boolean;
  readonly fields: readonly string[];
  readonly networks: readonly string[];
  /** Sensitive attributes that are on. */
  readonly groups: readonly string[];
  readonly deviceCount: number;
  readonly polygons: number;
  readonly keys: number;
  /** Changed limits: the feature, and `+5` for an addition, a number for a new limit, null for no limit. */
  readonly limits: readonly (readonly [feature: string, value: string | null])[];
  /** Numbers of rows by kind, of exports and erasures. */
  readonly rows: number;
}

const FEATURES = ['analysis', 'alert', 'attribute', 'vlm'] as const;

const isLimit = (value: unknown) => value === null || typeof value === 'string' || typeof value === 'number';

/** Reads the free-form details of an entry. Values of unexpected types are left out. */
export function factsOf({ details }: Pick<AuditEntry, 'details'>): AuditFacts {
  const text = (key: string) => {
    const value = details[key];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const texts = (key: string) => {
    const value = details[key];
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  };
  const count = (key: string) => {
    const value = details[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : 0;
  };
  return {
    name: text('name'),
    label: text('label'),
    email: text('email'),
    method: text('method'),
    role: text('role'),
    kind: text('kind'),
    address: text('address'),
    reason: text('reason'),
    from: text('from'),
    to: text('to'),
    isAdmin: details.isAdmin === true,
    fields: texts('fields'),
    networks: texts('networks'),
    groups: texts('groups'),
    deviceCount: texts('deviceIds').length,
    polygons: count('polygons'),
    keys: count('keys'),
    limits: FEATURES.filter((feature) => isLimit(details[feature])).map(
      (feature) => [feature, details[feature] === null ? null : String(details[feature])] as const,
    ),
    rows: Object.values(details).reduce<number>(
      (sum, value) => (typeof value === 'number' ? sum + value : sum),
      0,
    ),
  };
}

/** Groups of actions for the filter, in the order in which they are offered. */
export const ACTION_GROUPS = {
  signIn: ['signed_in', 'sign_in_failed', 'signed_out', 'session_revoked', 'login_code_created'],
  account: [
    'account_changed',
    'password_changed',
    'user_created',
    'administrator_created',
    'administrator_granted',
  ],
  keys: ['api_key_created', 'api_key_revoked'],
  pictures: [
    'pictures_viewed',
    'image_viewed',
    'check_started',
    'check_finished',
    'check_deleted',
    'masks_changed',
    'blur_people_changed',
    'attribute_groups_changed',
  ],
  data: [
    'export_requested',
    'export_completed',
    'export_downloaded',
    'export_cancelled',
    'erasure_requested',
    'erasure_completed',
    'erasure_cancelled',
    'recording_deleted',
  ],
  operation: [
    'quota_changed',
    'device_disabled',
    'device_enabled',
    'networks_changed',
    'compute_node_drained',
    'compute_node_resumed',
  ],
  notifications: [
    'notification_channel_created',
    'notification_channel_confirmed',
    'notification_channel_removed',
  ],
} as const satisfies Readonly<Record<string, readonly AuditAction[]>>;

export type ActionGroup = keyof typeof ACTION_GROUPS;

export const isAuditAction = (name: string): name is AuditAction =>
  Object.values(ACTION_GROUPS).some((actions) => (actions as readonly string[]).includes(name));
