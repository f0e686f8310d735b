import type { ActionGroup, AuditAction, AuditFacts } from '../../privacy/audit-facts.ts';

const named = (what: string, name: string | null) => (name === null ? what : `${what} “${name}”`);
const METHODS: Readonly<Record<string, string>> = {
  password: 'with a password',
  code: 'with a one-time code',
  key: 'with an API key',
};
const FIELDS: Readonly<Record<string, string>> = { name: 'name', timezone: 'time zone', locale: 'language' };
const BLUR: Readonly<Record<string, string>> = {
  none: 'nothing',
  faces: 'faces',
  bodies: 'whole bodies',
};
const FEATURES: Readonly<Record<string, string>> = {
  analysis: 'analysis (seconds)',
  alert: 'alerts',
  attribute: 'attribute records',
  vlm: 'tokens of the language model',
};
const GROUPS: Readonly<Record<string, string>> = { gender: 'gender', age: 'age' };
const limit = ([feature, value]: readonly [string, string | null]) =>
  `${FEATURES[feature] ?? feature}: ${value ?? 'no limit'}`;
const ranged = (what: string, { deviceCount }: AuditFacts) =>
  deviceCount === 0
    ? `${what} of all cameras`
    : `${what} of ${deviceCount} camera${deviceCount === 1 ? '' : 's'}`;
const channel = ({ kind, address }: AuditFacts) =>
  kind === 'push' ? 'a browser' : (address ?? 'an e-mail address');

const actions: Readonly<Record<AuditAction, (facts: AuditFacts) => string>> = {
  signed_in: ({ method, kind, label }) =>
    `${kind === 'screen' ? named('Signed a screen in', label) : 'Signed in'}${method ? ` ${METHODS[method] ?? ''}` : ''}`.trim(),
  sign_in_failed: () => 'Tried to sign in with a wrong password',
  signed_out: () => 'Signed out',
  session_revoked: ({ label }) => named('Ended a session', label),
  login_code_created: ({ kind, role, label }) =>
    `${named(`Made a one-time code for a ${kind === 'screen' ? 'screen' : 'person'}`, label)}${role ? `, role ${role}` : ''}`,
  password_changed: () => 'Set the password',
  account_changed: ({ fields }) =>
    `Changed the account: ${fields.map((field) => FIELDS[field] ?? field).join(', ') || 'settings'}`,
  user_created: ({ isAdmin }) => (isAdmin ? 'Created the user as an administrator' : 'Created the user'),
  administrator_created: () => 'Created the first administrator',
  administrator_granted: () => 'Made the user an administrator',
  networks_changed: ({ networks }) =>
    networks.length > 0
      ? `Set the networks of the cameras: ${networks.join(', ')}`
      : 'Removed the networks of the cameras',
  quota_changed: ({ limits, reason }) =>
    `${['Changed limits', limits.map(limit).join(', ')].filter(Boolean).join(': ')}${reason ? ` (${reason})` : ''}`,
  device_disabled: ({ reason }) => `Disabled the camera${reason ? ` (${reason})` : ''}`,
  device_enabled: ({ reason }) => `Enabled the camera${reason ? ` (${reason})` : ''}`,
  compute_node_drained: ({ name }) => named('Let no further cameras go to the node', name),
  compute_node_resumed: ({ name }) => named('Let cameras go to the node again:', name),
  api_key_created: ({ name }) => named('Created the API key', name),
  api_key_revoked: ({ keys }) => (keys > 1 ? `Revoked ${keys} API keys` : 'Revoked an API key'),
  masks_changed: ({ polygons }) =>
    polygons === 0
      ? 'Removed the privacy masks'
      : `Changed privacy masks: ${polygons} ${polygons === 1 ? 'area' : 'areas'}`,
  blur_people_changed: ({ to }) => `Set what pictures hide of people: ${BLUR[to ?? ''] ?? to ?? '–'}`,
  attribute_groups_changed: ({ groups }) =>
    groups.length > 0
      ? `Set what is estimated of people: ${groups.map((group) => GROUPS[group] ?? group).join(', ')}`
      : 'Switched off the estimation of gender and age',
  recording_deleted: ({ name }) => named('Deleted the recording', name),
  check_started: () => 'Started a check of a camera',
  check_finished: () => 'Finished a check and erased its pictures',
  check_deleted: () => 'Deleted a check with its pictures',
  pictures_viewed: () => 'Looked at pictures of a camera',
  image_viewed: () => 'Opened a stored picture',
  export_requested: (facts) => ranged('Requested an export', facts),
  export_completed: ({ rows }) => `Completed an export with ${rows} entries`,
  export_downloaded: () => 'Downloaded an export',
  export_cancelled: () => 'Cancelled or removed an export',
  erasure_requested: (facts) => ranged('Requested an erasure', facts),
  erasure_completed: ({ rows }) => `Completed an erasure of ${rows} entries`,
  erasure_cancelled: () => 'Cancelled an erasure before it began',
  notification_channel_created: (facts) => `Registered ${channel(facts)} for notifications`,
  notification_channel_confirmed: (facts) => `Confirmed ${channel(facts)} for notifications`,
  notification_channel_removed: (facts) => `Removed ${channel(facts)} from notifications`,
};

const groups: Readonly<Record<ActionGroup, string>> = {
  signIn: 'Sign-in',
  account: 'Account',
  keys: 'API keys',
  pictures: 'Pictures and privacy',
  data: 'Exports and erasures',
  operation: 'Operator',
  notifications: 'Notifications',
};

const names: Readonly<Record<AuditAction, string>> = {
  signed_in: 'Sign-in',
  sign_in_failed: 'Failed sign-in',
  signed_out: 'Sign-out',
  session_revoked: 'Session ended',
  login_code_created: 'One-time code made',
  password_changed: 'Password set',
  account_changed: 'Account changed',
  user_created: 'User created',
  administrator_created: 'First administrator created',
  administrator_granted: 'Administrator granted',
  networks_changed: 'Camera networks set',
  quota_changed: 'Limits changed',
  device_disabled: 'Camera disabled',
  device_enabled: 'Camera enabled',
  compute_node_drained: 'Node drained',
  compute_node_resumed: 'Node takes cameras again',
  api_key_created: 'API key created',
  api_key_revoked: 'API key revoked',
  masks_changed: 'Privacy masks changed',
  blur_people_changed: 'Hiding of people changed',
  attribute_groups_changed: 'Estimation of gender or age switched',
  recording_deleted: 'Recording deleted',
  check_started: 'Check started',
  check_finished: 'Check finished',
  check_deleted: 'Check deleted',
  pictures_viewed: 'Pictures viewed',
  image_viewed: 'Picture opened',
  export_requested: 'Export requested',
  export_completed: 'Export completed',
  export_downloaded: 'Export downloaded',
  export_cancelled: 'Export cancelled',
  erasure_requested: 'Erasure requested',
  erasure_completed: 'Erasure completed',
  erasure_cancelled: 'Erasure cancelled',
  notification_channel_created: 'Notification channel registered',
  notification_channel_confirmed: 'Notification channel confirmed',
  notification_channel_removed: 'Notification channel removed',
};

const audit = {
  title: 'Audit log',
  hint: 'Who did what with this account, and who looked at its pictures. Nobody can change an entry.',
  allHint: 'Who did what with any account of this installation.',
  empty: 'There is no entry that matches.',
  emptyNext: 'Choose another time or all actions.',
  actions,
  names,
  groups,
  unknownAction: (action: string) => action.replaceAll('_', ' '),
  actors: {
    session: 'A signed-in person',
    key: 'An API key',
    administrator: 'An administrator',
    address: 'Somebody without sign-in',
    operator: 'The operator, on the command line',
    system: 'The service itself',
  },
  from: (address: string) => `from ${address}`,
  filterAction: 'Action',
  everyAction: 'All actions',
  filterFrom: 'From',
  filterTo: 'To',
  filterUser: 'User',
  everyUser: 'All users',
  account: 'Account',
  clear: 'Clear filter',
  more: 'Show older entries',
  csv: 'Download as CSV',
  thisSession: 'This session',
  sessionOf: (name: string) => `Session “${name}”`,
  keyOf: (name: string) => `API key “${name}”`,
  time: 'Time',
  what: 'What',
  who: 'Who',
};

/** The texts of audit log, exports, erasures and privacy. */
export const privacy = {
  title: 'Privacy and data',
  tabs: { data: 'Exports and erasures', pictures: 'People in pictures', audit: 'Audit log' },
  audit,
  export: {
    title: 'Take your data with you',
    hint: 'A zip file with all numbers, alerts, pictures and recordings of a time. It is written in the background and kept for seven days.',
    start: 'Prepare the file',
    download: 'Download',
    remove: 'Remove the file',
    cancel: 'Cancel',
    empty: 'No export yet',
    keptUntil: 'kept until',
    gone: 'The file was removed',
    heading: 'Exports',
  },
  erasure: {
    title: 'Erase a time for good',
    hint: 'Numbers, floor maps, alerts with their pictures, and recordings of that time are removed. Nothing brings them back. What was charged and the audit log stay.',
    start: 'Erase …',
    cancel: 'Cancel the erasure',
    empty: 'No erasure yet',
    heading: 'Erasures',
    confirmTitle: 'Erase this for good?',
    confirmText: (from: string, to: string) => `Everything from ${from} to ${to} is erased.`,
    confirmDevices: (count: number) =>
      count === 0
        ? 'This holds for all cameras and recordings.'
        : `This holds for ${count} ${count === 1 ? 'camera' : 'cameras'}.`,
    confirmPauses: 'These cameras may stop counting for some seconds.',
    word: 'ERASE',
    typeWord: (word: string) => `Type ${word} to confirm`,
    wrongWord: (word: string) => `Type the word ${word} in capital letters.`,
    confirm: 'Erase for good',
  },
  range: {
    from: 'From',
    to: 'To',
    toHint: (zone: string) => `Not included. Times in ${zone}.`,
    devices: 'Cameras',
    everyDevice: 'All cameras and recordings',
    chosen: 'Only these cameras',
    missing: 'Choose a date and time.',
    order: 'The end must lie after the start.',
    future: 'The end must not lie in the future.',
    noDevice: 'Choose at least one camera, or all.',
    lastDay: 'Yesterday',
    lastWeek: 'Last 7 days',
    lastMonth: 'Last 30 days',
  },
  job: {
    status: {
      queued: 'waits',
      running: 'in progress',
      completed: 'complete',
      failed: 'failed',
      cancelled: 'cancelled',
    },
    devices: (count: number) =>
      count === 0 ? 'all cameras' : `${count} ${count === 1 ? 'camera' : 'cameras'}`,
    progress: (percent: number) => `${percent}%`,
    progressLabel: 'Progress',
    rows: (count: string) => `${count} entries`,
    triedAgain: 'The last try failed. It is tried again.',
  },
  blur: {
    title: 'What pictures hide of people',
    hint: 'It holds for every picture that is stored or shown from now on. The service hides whom it detects. It does not find everybody, so this is no guarantee.',
    choices: {
      none: { title: 'Nothing', text: 'People are shown as the camera sees them.' },
      faces: { title: 'Faces', text: 'The upper part of each detected person is hidden.' },
      bodies: { title: 'Whole bodies', text: 'Each detected person is hidden completely.' },
    },
    saved: 'Saved. It holds for the next picture.',
  },
  sensitive: {
    title: 'Gender and age of people',
    account:
      'Cameras that describe people estimate both from faces. What is off is neither estimated nor stored, at any camera of the account. What was stored before stays until you erase it.',
    camera:
      'What is off is neither estimated nor stored at this camera. It needs to be on for the account too.',
    recording:
      'What is off is neither estimated nor stored at the next analysis of this recording. It needs to be on for the account too.',
    groups: { gender: 'Estimate gender', age: 'Estimate age' },
    saved: 'Saved. It holds within seconds.',
  },
};
