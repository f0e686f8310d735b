import { describe, expect, test } from '@jest/globals';
import { Presence } from '../../../../src/runs/record/cameras/presence.ts';

const FRAME_MS = 1_700_000_000_000;

describe('the online status of a camera', () => {
  test('is online from the first frame on and offline after 30 s without a frame, each stored once', () => {
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

  test('is not stored as online again without a new frame; the last frame is stored', () => {
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

  test('is stored with the time of the last frame every 5 s, not with every frame', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    let written = 0;
    for (let atMs = 0; atMs < 60_000; atMs += 200) {
      presence.frame('a', FRAME_MS + atMs, atMs);
      written += presence.take(atMs).length;
    }
    expect(written).toBe(12);
  });

  test('is offline 30 s after the start when no frame has come', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    expect(presence.take(29_999)).toEqual([]);
    expect(presence.take(30_000)).toEqual([
      { deviceId: 'a', lastFrameMs: null, onlineStatus: 'offline', silentMs: 30_000 },
    ]);
  });

  test('is no longer stored after the camera was removed', () => {
    const presence = new Presence();
    presence.add('a', 0, FRAME_MS);
    presence.remove('a');
    presence.frame('a', FRAME_MS, 1_000);
    expect(presence.take(60_000)).toEqual([]);
  });
});
