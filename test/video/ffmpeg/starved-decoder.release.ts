import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { StreamEvent } from '../../../src/video/frame-source.ts';
import { DecoderControl, type DecoderState } from '../../../src/video/health/decoder-control.ts';
import { CameraProxies } from '../../../src/video/proxy/camera-proxies.ts';
import { eventually } from '../../support/eventually.ts';
import { FFMPEG_PATHS, frameReaders, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { serveHttp } from '../../support/servers/stream-server.ts';

// A real stream and a real ffmpeg that gets too little processor time.

const FPS = 25;
const SECONDS = 10;
const folder = scratchFolder();
let video: Buffer;
beforeAll(async () => {
  const file = join(folder, 'camera.ts');
  await runFfmpeg(
    ...['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${FPS}`, '-t', String(SECONDS), '-c:v', 'libx264'],
    // Two of three frames are needed by no other.
    ...['-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-bf', '2', '-b_strategy', '0'],
    ...['-x264-params', 'b-pyramid=none:nal-hrd=cbr', '-b:v', '4M', '-maxrate', '4M', '-bufsize', '1M', file],
  );
  video = await readFile(file);
});
afterAll(() => rm(folder, { recursive: true }));

/** A camera that sends the video again and again at 1×: who connects gets what it shows now. */
const serveCamera = () => {
  const bytesPerMs = video.length / SECONDS / 1000;
  const beganMs = performance.now();
  const position = () => Math.floor(((performance.now() - beganMs) * bytesPerMs) / 188) * 188;
  return serveHttp(async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp2t' });
    for (let at = position(); !response.destroyed; await sleep(20)) {
      for (const now = position(); at < now; ) {
        const from = at % video.length;
        const bytes = video.subarray(from, Math.min(video.length, from + now - at));
        response.write(bytes);
        at += bytes.length;
      }
    }
  });
};

/** Gives the oldest ffmpeg so much time that it decodes about this many frames a second, however fast the machine is. */
function starve(source: FfmpegSource, decodedFps: number): () => void {
  const stopped = new Set<number>();
  const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT') => {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  };
  let last = source.counts.decoded;
  let allowed = 0;
  const timer = setInterval(() => {
    const { decoded } = source.counts;
    // Another ffmpeg begins at 0.
    allowed = Math.min(decodedFps, allowed + decodedFps / 20) - Math.max(0, decoded - last);
    last = decoded;
    const pid = Math.min(...frameReaders());
    if (allowed > 0) signal(pid, 'SIGCONT');
    setTimeout(() => signal(pid, 'SIGSTOP'), 10);
    stopped.add(pid);
  }, 50);
  return () => {
    clearInterval(timer);
    setTimeout(() => {
      for (const pid of stopped) signal(pid, 'SIGCONT');
    }, 20);
  };
}

test('a decoder with too little time leaves out frames, so that no delay grows, and decodes all of them again later', async () => {
  const server = await serveCamera();
  const proxies = new CameraProxies({ networks: ['none'], allowedHosts: ['127.0.0.1'], ownHosts: [] });
  const events: StreamEvent[] = [];
  const source = new FfmpegSource({
    ...{ url: server.url, fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime', ...FFMPEG_PATHS },
    ...{ cameraProxy: proxies.of([]), onEvent: (event) => events.push(event) },
  });
  const control = new DecoderControl(source);
  let taken = 0;
  let aheadMs = 0;
  let state: DecoderState | null = null;
  let endStarving = () => {};
  const looks = setInterval(() => {
    state = control.look({ requestedFps: 5, minFps: 2 }, performance.now() + aheadMs);
  }, 200);
  const reading = (async () => {
    while (await source.next()) taken++;
  })();
  const waitingSeconds = () => source.backlog().unreadBytes / (video.length / SECONDS);
  const comes = (what: string, wanted: Partial<DecoderState>) =>
    eventually(
      what,
      () =>
        state && Object.entries(wanted).every(([key, value]) => state![key as keyof DecoderState] === value),
    );
  try {
    await eventually('frames come', () => taken > 10);
    expect(state).toEqual({ isDecoderBehind: false, decoding: 'all', isDecodingLeast: false });
    const whole = source.counts;
    endStarving = starve(source, 14);
    await eventually('video waits', () => waitingSeconds() > 1);
    await comes('frames are left out', { decoding: 'needed', isDecoderBehind: true });
    await eventually('another ffmpeg reads', () => source.counts !== whole);
    const before = taken;
    await eventually('it reads for seconds', () => source.counts.received > 6 * FPS);
    const reduced = source.counts;
    const { decoded, received } = reduced;
    expect(decoded / received).toBeLessThan(0.45);
    // It has caught up, and all frames come that are analysed.
    await eventually('nothing waits', () => waitingSeconds() < 0.5);
    expect(state).toMatchObject({ decoding: 'needed', isDecodingLeast: false });
    expect(taken - before).toBeGreaterThan((0.7 * reduced.received * 5) / FPS);

    endStarving();
    // A calm minute.
    aheadMs += 70_000;
    await comes('all frames are decoded again', { decoding: 'all', isDecoderBehind: false });
    await eventually('another ffmpeg reads', () => source.counts !== reduced);
    await eventually('all are decoded', () => source.counts.received > 3 * FPS);
    expect(source.counts.decoded / source.counts.received).toBeGreaterThan(0.9);
    expect(events.map(({ type }) => type)).toEqual(['started']);
  } finally {
    endStarving();
    clearInterval(looks);
    await source.close();
    await reading;
    await proxies.close();
    await server.close();
  }
});
