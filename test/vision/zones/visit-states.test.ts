import { describe, expect, test } from '@jest/globals';
import { closeVisit, enterQueue, startService, waitSeconds } from '../../../src/vision/zones/visit-states.ts';

const queued = () => enterQueue({ id: 1, trackId: 1, decidedAtMs: 13_000 }, 10_000);

describe('times of a visit', () => {
  test('the service begins after the queue was entered', () => {
    const served = startService(queued(), { queueLeftAtMs: 8_000, startedAtMs: 9_000 });
    expect(served).toMatchObject({ queueLeftAtMs: 10_000, serviceStartedAtMs: 10_000 });
    expect(waitSeconds(served)).toBe(0);
  });

  test('the queue is left after it was entered', () => {
    const closed = closeVisit(queued(), 'abandoned', { endedAtMs: 7_000, decidedAtMs: 15_000 });
    expect(closed).toMatchObject({ queueLeftAtMs: 10_000, outcomeDecidedAtMs: 15_000 });
    expect(waitSeconds(closed)).toBe(0);
  });

  test('times in order are not changed', () => {
    const served = startService(queued(), { queueLeftAtMs: 20_000, startedAtMs: 21_000 });
    expect(served).toMatchObject({ queueLeftAtMs: 20_000, serviceStartedAtMs: 21_000 });
    expect(waitSeconds(served)).toBe(11);
  });
});
