import { count, number } from './settings.ts';

/** The environment variables of what a user may have at most. */
export const LIMIT_VARIABLES = {
  MAX_KEYS_PER_USER: count(100, 1, 1_000_000).describe('most API keys of a user'),
  MAX_DEVICES_PER_USER: count(1_000, 1, 1_000_000).describe('most devices of a user'),
  MAX_SCENES_PER_USER: count(2_000, 1, 1_000_000).describe('most scenes of a user'),
  MAX_SITES_PER_USER: count(200, 1, 1_000_000).describe('most sites of a user'),
  MAX_RECORDINGS_PER_USER: count(200, 1, 1_000_000).describe('most recordings of a user'),
  MAX_RECORDING_BYTES_PER_USER: count(100 * 1024 ** 3, 1, 1024 ** 5).describe(
    'bytes that all recordings of a user may have together',
  ),
  RECORDING_MAX_BYTES: count(4 * 1024 ** 3, 1, 1024 ** 4).describe('size of the largest recording, bytes'),
  RECORDING_MAX_HOURS: number(24, 0.01, 240).describe('length of the longest recording, hours'),
  MAX_RULES_PER_USER: count(5_000, 1, 1_000_000).describe('most alert rules of a user'),
  MAX_CHANNELS_PER_USER: count(50, 1, 1_000_000).describe('most notification channels of a user'),
  MAX_SUBSCRIPTIONS_PER_USER: count(200, 1, 1_000_000).describe('most notification subscriptions of a user'),
  MAX_IDEMPOTENCY_KEYS_PER_USER: count(10_000, 1, 1_000_000).describe(
    'most Idempotency-Keys of a user that are stored, each for a day; a call with one more is answered 429',
  ),
};
