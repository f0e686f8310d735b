import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openJpegCamera } from '../../scripts/chaos/cameras/jpeg-camera.ts';
import { processTree } from '../../scripts/support/process-tree.ts';
import { Camera } from '../../src/lanes/host/camera.ts';
import type { CameraStats } from '../../src/lanes/lane-protocol.ts';
import { Turns } from '../../src/lanes/turns.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { createSource } from '../../src/video/create-source.ts';
import { CameraProxies } from '../../src/video/proxy/camera-proxies.ts';
import { Budget } from '../../src/vision/attributes/budget.ts';
import type { Detector } from '../../src/vision/detect/detector.ts';
import { NO_PRIVACY } from '../../src/vision/privacy.ts';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { TestNode } from '../support/test-node.ts';

// A real stream through a real ffmpeg and a detector that looks at one frame of ten: what is counted of a few seconds is played on for
// more than a minute of the node's clock.

const INPUT = { inputWidth: 64, inputHeight: 64 };
const FPS = 10;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Lets the ffmpegs of this process run for a moment only of each half second, as on a machine without free cores. */
function starveDecoders(): () => void {
  const send = (signal: NodeJS.Signals) => {
    for (const { pid, name } of processTree(process.pid)) {
      if (!name.startsWith('ffmpeg')) continue;
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  };
  const timer = setInterval(() => {
    send('SIGCONT');
    setTimeout(() => send('SIGSTOP'), 5);
  }, 500);
  return () => {
    clearInterval(timer);
    setTimeout(() => send('SIGCONT'), 10);
  };
}

/**
 * @param detectFrames how many frames come while the detector looks at one
 * @param isStarved the decoder gets hardly any time
 * @returns what a lane counts of it, at two moments
 */
async function counted(
  sentFps: number,
  detectFrames: number,
  isStarved = false,
): Promise<[CameraStats, CameraStats, number]> {
  const server = await openJpegCamera(sentFps);
  const url = `http://127.0.0.1:${server.port}/stream`;
  if (isStarved) server.size = 'large';
  const proxies = new CameraProxies({ networks: ['none'], allowedHosts: ['127.0.0.1'], ownHosts: [] });
  const cameraProxy = proxies.of([]);
  const source = createSource(url, { ...INPUT, fps: FPS, pace: 'realtime', cameraProxy });
  const detector: Detector = {
    ...{
      ...INPUT,
      name: 'slow',
      executionProvider: 'cpu',
      sizes: [{ width: 64, height: 64 }],
      prepare: async () => undefined,
    },
    async detect() {
      const enough = camera.stats().deliveredFrames + detectFrames;
      await eventually('frames come', () => isClosing || camera.stats().deliveredFrames >= enough);
      return [];
    },
    dispose: async () => undefined,
  };
  const config = sceneConfigSchema.parse({ zones: SHOP_ZONES, parameters: {} });
  const scenes = [{ sceneId: 's', runId: 'r', config, checkpoint: null }];
  const wanted = {
    deviceId: 'd',
    url,
    networks: [],
    fps: FPS,
    attributes: false,
    privacy: NO_PRIVACY,
    scenes,
  };
  let isClosing = false;
  const camera: Camera = new Camera(wanted, source, {
    ...{
      detector,
      turns: new Turns(),
      keepsUp: () => true,
      isOpen: () => false,
      limitFps: () => null,
      minFps: 2,
      now: Date.now,
    },
    ...{ onObservations: () => undefined, onRunEnded: () => undefined, onFailed: () => undefined },
    ...{ onOpened: () => undefined, onLivePicture: () => undefined },
    people: {
      attributeModels: () => null,
      budget: new Budget(0.04),
      onPeople: () => undefined,
      onError: () => undefined,
    },
  });
  let endStarving = () => {};
  try {
    const until = (frames: number) =>
      eventually('frames come', () => camera.stats().deliveredFrames >= frames && camera.stats());
    const opened = await until(5);
    if (isStarved) endStarving = starveDecoders();
    // It takes seconds until the buffers on the way are full.
    const first = isStarved
      ? await eventually('bytes wait', () => camera.stats().isDecoderBehind && camera.stats())
      : opened;
    const sinceMs = performance.now();
    const frames = isStarved ? 5 : 3 * sentFps;
    const last = await until(first.deliveredFrames + frames);
    // The camera sends in its own time, which passes more slowly on a busy machine.
    const cameraSeconds = (last.deliveredFrames - first.deliveredFrames) / sentFps;
    return [first, last, isStarved ? (performance.now() - sinceMs) / 1000 : cameraSeconds];
  } finally {
    isClosing = true;
    endStarving();
    await camera.close(false);
    await proxies.close();
    await server.close();
  }
}

/** What the device says once the node has heard that for more than a minute. */
async function warnings(
  name: string,
  [first, last, seconds]: [CameraStats, CameraStats, number],
): Promise<unknown> {
  const node = await TestNode.join(database.db, name);
  const device = await addDevice(database.db, 'sim:shop?seed=1', FPS);
  await queueScene(database.db, device);
  await node.supervisor.claim();
  const perSecond = (name: 'processedFrames' | 'droppedFrames' | 'deliveredFrames') =>
    (last[name] - first[name]) / seconds;
  for (node.seconds = 1; node.seconds <= 75; node.seconds++) {
    const at = (name: Parameters<typeof perSecond>[0]) => first[name] + perSecond(name) * node.seconds;
    node.frame(device.id);
    node.events.onStats({
      ...last,
      deviceId: device.id,
      processedFrames: at('processedFrames'),
      droppedFrames: at('droppedFrames'),
      deliveredFrames: at('deliveredFrames'),
    });
  }
  await node.supervisor.record();
  return (await database.db.device.findUniqueOrThrow({ where: { id: device.id } })).warnings;
}

test('a lane with a slow detector counts dropped frames, and its node reports overload', async () => {
  const [first, last, seconds] = await counted(FPS, FPS);
  expect(last.droppedFrames).toBeGreaterThan(first.droppedFrames);
  expect(last.lagMs).toBeGreaterThan(0);
  expect(last.ownFps).toBeNull();
  expect(await warnings('slow detector', [first, last, seconds])).toMatchObject([{ reason: 'overloaded' }]);
});

test('a camera that sends too few frames is reported as slow_camera', async () => {
  const [first, last, seconds] = await counted(2, 0);
  expect(last.isDecoderBehind).toBe(false);
  expect(await warnings('slow camera', [first, last, seconds])).toMatchObject([{ reason: 'slow_camera' }]);
});

test('a decoder that gets too little time is overload, and no fault of the camera', async () => {
  const [first, last, seconds] = await counted(FPS, 0, true);
  expect(last.isDecoderBehind).toBe(true);
  expect(await warnings('slow decoder', [first, last, seconds])).toMatchObject([
    {
      reason: 'overloaded',
      message: expect.stringMatching(/decodes .* of 10 frames per second, and video .* waits/),
    },
  ]);
});
