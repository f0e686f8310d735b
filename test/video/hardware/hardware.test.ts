import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { findHardware } from '../../../src/video/hardware/find-hardware.ts';
import { HARDWARE, type Hardware, isHardwareFault } from '../../../src/video/hardware/hardware.ts';
import { FFMPEG_PATHS, LIVE_VIDEO, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { type StreamServer, serveLive } from '../../support/servers/stream-server.ts';

const folder = scratchFolder();
let camera: StreamServer;
const clip = join(folder, 'clip.mp4');
const motionJpeg = join(folder, 'clip.avi');

beforeAll(async () => {
  camera = await serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);
  const drawn = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=5', '-t', '2'];
  await runFfmpeg(...drawn, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', clip);
  await runFfmpeg(...drawn, '-c:v', 'mjpeg', motionJpeg);
});
afterAll(async () => {
  await camera.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * The real ffmpeg, behind a script that says that it knows vaapi. No test machine has such hardware, so the script takes the
 * options of the hardware away.
 * @param onHardware shell commands that run instead while the options ask for hardware
 */
async function fakeHardware(name: string, onHardware = ''): Promise<string> {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  const script = join(folder, name);
  writeFileSync(
    script,
    `#!/bin/bash
[[ " $* " == *" -hwaccels "* ]] && { echo vaapi; exit 0; }
real="${ffmpeg.path}"
asked=no
args=()
while [ $# -gt 0 ]; do
  case "$1" in
    -hwaccel | -hwaccel_output_format) asked=yes; shift ;;
    *) args+=("\${1//hwdownload,format=nv12|p010le/null}") ;;
  esac
  shift
done
if [ $asked = yes ]; then :; ${onHardware}
fi
exec "$real" "\${args[@]}"
`,
  );
  chmodSync(script, 0o755);
  return script;
}

function open(url: string, ffmpegPath: string | undefined, hardware: Hardware | undefined) {
  const reasons: string[] = [];
  const source = new FfmpegSource({
    ...{ url, fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime', ...FFMPEG_PATHS },
    ...{ backoffMinMs: 20, backoffMaxMs: 100, watchdogMs: 60_000, killAfterMs: 300 },
    ...(ffmpegPath && { ffmpegPath }),
    hardware,
    onHardwareFault: (reason) => reasons.push(reason),
  });
  return { source, reasons };
}

async function frames(source: FfmpegSource, count: number): Promise<number> {
  let taken = 0;
  while (taken < count && (await source.next())) taken++;
  return taken;
}

test('a real ffmpeg without such hardware: software, with the reason', async () => {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  expect(await findHardware(ffmpeg, 'none')).toEqual({ hardware: null, reason: null });
  for (const wish of ['auto', ...HARDWARE] as const) {
    const { hardware, reason } = await findHardware(ffmpeg, wish);
    expect(hardware).toBeNull();
    expect(reason).toMatch(/^Video is decoded by software \(.+\)\.$/);
    if (wish !== 'auto') expect(reason).toContain(wish);
  }
});

test('the hardware is taken that decodes a clip; one that ffmpeg only lists is not', async () => {
  const works = await findFfmpeg({ ...FFMPEG_PATHS, ffmpegPath: await fakeHardware('works') });
  expect(await findHardware(works.ffmpeg, 'auto')).toEqual({ hardware: 'vaapi', reason: null });
  expect((await findHardware(works.ffmpeg, 'cuda')).reason).toContain('cuda: ffmpeg was built without it');
  const broken = await findFfmpeg({
    ...FFMPEG_PATHS,
    ffmpegPath: await fakeHardware('broken', 'echo "Device creation failed: -5." >&2; exit 1'),
  });
  const { hardware, reason } = await findHardware(broken.ffmpeg, 'auto');
  expect(hardware).toBeNull();
  expect(reason).toContain('vaapi: Device creation failed: -5');
});

test('an ffmpeg that does not run at all is software too', async () => {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  const { hardware, reason } = await findHardware({ ...ffmpeg, path: join(folder, 'missing') }, 'auto');
  expect(hardware).toBeNull();
  expect(reason).not.toBeNull();
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

test('a file whose hardware fails before its first frame is read whole', async () => {
  const { source, reasons } = open(clip, undefined, 'vaapi');
  expect(await frames(source, 100)).toBe(10);
  expect(reasons).toHaveLength(1);
  await source.close();
});

test.each([
  ['ends', 'echo "[h264 @ 0x1] [error] hardware accelerator failed to decode picture" >&2; exit 1'],
  [
    'hangs',
    'for i in $(seq 40); do echo "[h264 @ 0x1] [error] Failed to end picture decode issue: 23" >&2; done; exec sleep 100',
  ],
])('hardware that disappears in mid-stream, where ffmpeg %s: software goes on', async (how, commands) => {
  const path = await fakeHardware(how, `"$real" -t 1 "\${args[@]}"; ${commands}`);
  const { source, reasons } = open(camera.url, path, 'vaapi');
  try {
    expect(await frames(source, 20)).toBe(20);
    expect(reasons).toHaveLength(1);
  } finally {
    await source.close();
  }
});

test('hardware that works stays, also when the stream ends; other codecs never get it', async () => {
  const works = open(clip, await fakeHardware('works'), 'vaapi');
  expect(await frames(works.source, 100)).toBe(10);
  expect(works.reasons).toEqual([]);
  await works.source.close();
  const other = open(motionJpeg, await fakeHardware('broken', 'exit 1'), 'vaapi');
  expect(await frames(other.source, 100)).toBe(10);
  expect(other.reasons).toEqual([]);
  await other.source.close();
});

test.each([
  ['Device setup failed for decoder on input stream #0:0 : Invalid argument', true],
  ['[AVHWDeviceContext @ 0x1] No VA display found for device: .', true],
  ['Error reinitializing filters!', true],
  ['cuvidCreateDecoder failed: CUDA_ERROR_OUT_OF_MEMORY', true],
  ['Connection refused', false],
  ['error while decoding MB 12 3, bytestream -5', false],
])('what ffmpeg writes about its hardware: %s', (line, isFault) => {
  expect(isHardwareFault(line)).toBe(isFault);
});
