const NAMES = [
  ...['event', 'analysis', 'scene', 'device', 'node', 'rule', 'user'],
  ...['alert', 'insight', 'attributes', 'snapshot', 'rolling', 'delivery', 'usage'],
  ...['transaction', 'key', 'webhook', 'announcement', 'request', 'image', 'site'],
  ...['session', 'loginCode', 'audit', 'dataJob', 'recording'],
  ...['channel', 'subscription', 'message', 'attempt'],
  'reports',
  'advice',
  'check',
  'still',
  'unusual',
] as const;

/** Ids for the examples of the documentation, which are all about one shop. */
export const EXAMPLE_ID = Object.fromEntries(
  NAMES.map((name, at) => [name, `0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d${at.toString(16).padStart(2, '0')}`]),
) as Record<(typeof NAMES)[number], string>;

/** Times for the examples: analysis started at 07:15 UTC, and an alert fired an hour later. */
export const EXAMPLE_TIME = {
  created: '2026-01-05T09:00:00.000Z',
  updated: '2026-01-20T10:30:00.000Z',
  queued: '2026-01-31T07:14:58.900Z',
  started: '2026-01-31T07:14:59.750Z',
  alert: '2026-01-31T08:15:00.000Z',
  stored: '2026-01-31T08:15:00.080Z',
  answered: '2026-01-31T08:15:00.250Z',
} as const;
