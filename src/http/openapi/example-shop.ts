/** Ids for the examples of the documentation, which are all about one shop. */
export const EXAMPLE_ID = {
  event: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d00',
  analysis: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01',
  scene: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d02',
  device: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d03',
  node: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d04',
  rule: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d05',
  user: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d06',
  alert: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d07',
  insight: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d08',
  attributes: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d09',
  snapshot: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d0a',
  rolling: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d0b',
  delivery: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d0c',
  usage: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d0d',
  transaction: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d0e',
  key: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d0f',
  webhook: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d10',
  announcement: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d11',
  request: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d12',
  image: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d13',
} as const;

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
