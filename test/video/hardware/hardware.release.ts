import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LIVE_VIDEO, scratchFolder } from '../../support/ffmpeg.ts';
import { type StreamServer, serveLive } from '../../support/servers/stream-server.ts';
import { fakeHardware, frames, open } from './fake-hardware.ts';

const folder = scratchFolder();
let camera: StreamServer;
beforeAll(async () => {
  camera = await serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);
});
afterAll(async () => {
  await camera.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a stream that the hardware refuses is decoded by software, and says why once', async () => {
  // The real ffmpeg with the real options: there is no such hardware.
  const { source, reasons } = open(camera.url, undefined, 'vaapi');
  try {
    expect(await frames(source, 5)).toBe(5);
    expect(reasons).toEqual([expect.stringContaining('is decoded by software, because vaapi has failed')]);
    expect(source.stats.restarts).toBe(0);
  } finally {
    await source.close();
  }
});

test.each([
  ['ends', 'echo "[h264 @ 0x1] [error] hardware accelerator failed to decode picture" >&2; exit 1'],
  [
    'hangs',
    'for i in $(seq 40); do echo "[h264 @ 0x1] [error] Failed to end picture decode issue: 23" >&2; done; exec sleep 100',
  ],
])('hardware that disappears in mid-stream, where ffmpeg %s: software goes on', async (how, commands) => {
  const path = await fakeHardware(folder, how, `"$real" -t 1 "\${args[@]}"; ${commands}`);
  const { source, reasons } = open(camera.url, path, 'vaapi');
  try {
    expect(await frames(source, 20)).toBe(20);
    expect(reasons).toHaveLength(1);
  } finally {
    await source.close();
  }
});
