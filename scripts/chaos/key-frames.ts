import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../support/installation.ts';
import { CAMERAS, type KeyFrameCamera } from './cameras/key-frame-cameras.ts';
import { installedPart } from './part.ts';
import { type Promised, verdict } from './verdict.ts';

/** How a camera behaved. */
interface Trial {
  /** The device's status in the answer that created it. */
  readonly onlineStatus: string;
  /** From the start request until it was accepted; null: it was refused. */
  readonly acceptedSeconds: number | null;
  /** From the start request until the first frame was analysed; null: it never came. */
  readonly firstFrameSeconds: number | null;
  /** Whether a frame came at least ten seconds after the first. */
  readonly isFlowing: boolean;
}

/** A start may take so long beyond the wait for a key frame. */
const BEYOND_KEY_FRAME_SECONDS = 15;
const FLOW_SECONDS = 10;
const ANALYSIS_FPS = 2;

export const keyFrames = installedPart({
  name: 'key-frames',
  description:
    "Starts cameras of other people's servers between two rare key frames: RTSP over TCP and UDP, RTMP, HLS.",
  options: { keyFrameSeconds: ['seconds between two key frames', 10] },
  needs: { workers: 1 },
  /** Starts each kind of camera between two of its key frames. */
  async run(installation, { keyFrameSeconds }) {
    const opened = await Promise.all(
      Object.entries(CAMERAS).map(async ([name, open]) => ({ name, camera: await open(keyFrameSeconds) })),
    );
    const cameras = opened.flatMap(({ camera }) => camera ?? []);
    try {
      // By then each camera has sent its very first key frame.
      await pause(3_000);
      const tried: Record<string, Trial> = {};
      for (const [name, url] of cameras.flatMap(({ addresses }) => Object.entries(addresses))) {
        tried[name] = await tryCamera(installation, { name, url, keyFrameSeconds });
      }
      const withoutPublisher = await statusWithoutPublisher(installation, cameras);
      const notRun = opened.flatMap(({ name, camera }) => (camera ? [] : [name]));
      const promises = Object.entries(tried).flatMap(([name, trial]) =>
        promisedOf(name, trial, keyFrameSeconds),
      );
      return {
        keyFrameSeconds,
        tried,
        /** The status of a device to whose address nobody publishes; null where no server has such an address. */
        withoutPublisher,
        /** Servers that are not installed. With one of them missing the part has not passed. */
        notRun,
        ...verdict({
          ...Object.fromEntries(promises),
          'servers that are not installed': { is: notRun.length, exactly: 0 },
          'devices online without a publisher': { is: withoutPublisher === 'online' ? 1 : 0, exactly: 0 },
        }),
      };
    } finally {
      await Promise.all(cameras.map((camera) => camera.close()));
    }
  },
});

const promisedOf = (
  name: string,
  { onlineStatus, firstFrameSeconds, isFlowing }: Trial,
  keyFrameSeconds: number,
): [string, Promised][] => [
  [`${name}: onlineStatus`, { is: onlineStatus, exactly: 'online' }],
  [
    `${name}: firstFrameSeconds`,
    { is: firstFrameSeconds, atMost: keyFrameSeconds + BEYOND_KEY_FRAME_SECONDS },
  ],
  [`${name}: frames ${FLOW_SECONDS} s after the first`, { is: isFlowing ? 'flow' : 'none', exactly: 'flow' }],
];

async function tryCamera(
  installation: Installation,
  { name, url, keyFrameSeconds }: { name: string; url: string; keyFrameSeconds: number },
): Promise<Trial> {
  const camera = await installation.addCamera(name, url, ANALYSIS_FPS);
  const { onlineStatus } = await readDevice(installation, camera.deviceId);
  const sinceMs = performance.now();
  const taskId = await installation.start(camera).catch(() => null);
  if (taskId === null)
    return { onlineStatus, acceptedSeconds: null, firstFrameSeconds: null, isFlowing: false };
  const acceptedSeconds = secondsSince(sinceMs);
  const frameAfter = (ms: number, seconds: number) =>
    installation.untilFrames([taskId], ms, seconds).then(
      () => true,
      () => false,
    );
  const came = await frameAfter(0, keyFrameSeconds + BEYOND_KEY_FRAME_SECONDS);
  const firstFrameSeconds = came ? secondsSince(sinceMs) : null;
  const isFlowing = came && (await frameAfter(Date.now() + FLOW_SECONDS * 1000, 3 * FLOW_SECONDS));
  await installation.stop(camera);
  return { onlineStatus, acceptedSeconds, firstFrameSeconds, isFlowing };
}

async function statusWithoutPublisher(
  installation: Installation,
  cameras: readonly KeyFrameCamera[],
): Promise<string | null> {
  const url = cameras.find(({ emptyAddress }) => emptyAddress !== null)?.emptyAddress;
  if (!url) return null;
  const { deviceId } = await installation.addCamera('No publisher', url, ANALYSIS_FPS);
  return (await readDevice(installation, deviceId)).onlineStatus;
}

const readDevice = (installation: Installation, id: string) =>
  installation.client.get<{ onlineStatus: string }>(`/devices/${id}`);

const secondsSince = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10;
