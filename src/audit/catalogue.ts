/** Every action of the audit log, with its meaning for the documentation. A room adds its own actions here. */
export const AUDIT_ACTIONS = {
  signed_in: 'a session began',
  sign_in_failed: 'a wrong password; one entry per network address and hour, at most 100 per hour',
  signed_out: 'a session ended by itself',
  session_revoked: 'a session was revoked by another session or a key',
  login_code_created: 'a one-time code was made',
  password_changed: 'the password was set',
  account_changed: 'name, time zone, language or another setting of the account was changed',
  user_created: 'the user was created',
  administrator_created: 'the first administrator was created',
  administrator_granted: 'the user became an administrator',
  networks_changed: 'the networks of the camera streams were set',
  quota_changed: 'a limit of the user or of a device was set, or added to',
  device_disabled: 'a device was disabled by an administrator',
  device_enabled: 'a device was enabled by an administrator',
  compute_node_drained: 'a compute node was told to take no further cameras',
  compute_node_resumed: 'a compute node was told to take cameras again',
  api_key_created: 'an API key was created',
  api_key_revoked: 'an API key was revoked, with the keys that it has created',
  masks_changed: 'masks of a device, scene or recording were changed, or a scene with masks was deleted',
  blur_people_changed: 'what pictures hide of people was changed',
  attribute_groups_changed:
    'the estimation of gender or age was switched on or off, for the account, a device or a recording',
  recording_deleted: 'a recording was deleted, with everything that was derived from it',
  check_started: 'a check of a scene was started: stills are kept, on which people count',
  check_finished: 'a check of a scene was finished, and pictures of it were erased',
  check_deleted: 'a check of a scene was deleted, with its stills',
  pictures_viewed:
    'somebody looked at live pictures, the current image or stills of a check of a device; one entry per session or key, device and hour',
  image_viewed:
    'somebody opened a signed address of an image; one entry per network address and hour, at most 500 per hour',
  export_requested: 'an export of a time range was requested',
  export_completed: 'the file of an export is complete',
  export_downloaded: 'the file of an export was downloaded',
  export_cancelled: 'an export was cancelled',
  erasure_requested: 'an erasure of a time range was requested',
  erasure_completed: 'an erasure is complete',
  erasure_cancelled: 'an erasure was cancelled before it began',
  notification_channel_created: 'an e-mail address or browser was registered for notifications',
  notification_channel_confirmed: 'an e-mail address was confirmed for notifications',
  notification_channel_removed: 'a channel for notifications was deleted',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];
