import { describe, expect, test } from '@jest/globals';
import { Presence } from '../../../src/recording/cameras/presence.ts';

const FRAME_MS = 1_700_000_000_000;

describe('presence', () => {
  test('online with the first frame, offline after 30 s without one, each told once', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    expect(presence.take(1_000)).toEqual([]);
    presence.frame('a', FRAME_MS, 2_000);
    const seen = { deviceId: 'a', lastFrameMs: FRAME_MS };
    expect(presence.take(2_000)).toEqual([{ ...seen, onlineStatus: 'online', silentMs: 0 }]);
    expect(presence.take(3_000)).toEqual([]);
    expect(presence.take(31_999)).toEqual([]);
    expect(presence.take(32_500)).toEqual([{ ...seen, onlineStatus: 'offline', silentMs: 30_500 }]);
    expect(presence.take(60_000)).toEqual([]);
    presence.frame('a', FRAME_MS + 60_000, 61_000);
    expect(presence.take(61_000)).toMatchObject([{ onlineStatus: 'online' }]);
  });

  test('a camera without a new frame is not written as online again; its last frame is written', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    for (const atMs of [1_000, 2_000]) {
      presence.frame('a', FRAME_MS + atMs, atMs);
      presence.take(atMs);
    }
    expect(presence.take(5_999)).toEqual([]);
    expect(presence.take(6_000)).toMatchObject([{ lastFrameMs: FRAME_MS + 2_000, onlineStatus: 'online' }]);
    for (let atMs = 7_000; atMs < 32_000; atMs += 1_000) expect(presence.take(atMs)).toEqual([]);
    expect(presence.take(32_000)).toMatchObject([{ onlineStatus: 'offline' }]);
  });

  test('the time of the last frame is written every few seconds, not with every frame', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    let written = 0;
    for (let atMs = 0; atMs < 60_000; atMs += 200) {
      presence.frame('a', FRAME_MS + atMs, atMs);
      written += presence.take(atMs).length;
    }
    expect(written).toBe(12);
  });

  test('a camera that never gave a frame is offline after 30 s', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    expect(presence.take(29_999)).toEqual([]);
    expect(presence.take(30_000)).toEqual([
      { deviceId: 'a', lastFrameMs: null, onlineStatus: 'offline', silentMs: 30_000 },
    ]);
  });

  test('of a forgotten camera nothing is told', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    presence.remove('a');
    presence.frame('a', FRAME_MS, 1_000);
    expect(presence.take(60_000)).toEqual([]);
  });
});
