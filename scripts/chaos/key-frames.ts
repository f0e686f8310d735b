import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './history.ts';
import type { Installation } from './installation.ts';
import { CAMERAS, type RunningCamera } from './key-frames/cameras.ts';
import { installedPart } from './part.ts';

interface Tried {
  /** As it was told when the device was made. */
  readonly onlineStatus: string;
  /** From the request until it was accepted; null: it was refused. */
  readonly acceptedSeconds: number | null;
  /** From the request until the first frame was analysed; null: it never came. */
  readonly firstFrameSeconds: number | null;
  /** Frames that came in the ten seconds after the first. */
  readonly isFlowing: boolean;
}

export interface KeyFramesResult {
  readonly keyFrameSeconds: number;
  readonly tried: Readonly<Record<string, Tried>>;
  /** What a device without a publisher is told to be; null where no server has such a thing. */
  readonly withoutPublisher: string | null;
  /** Servers that are not installed: the part does not count as passed then. */
  readonly notRun: readonly string[];
  readonly passed: boolean;
}

/** What a start may take beyond the wait for a key frame. */
const BEYOND_KEY_FRAME_SECONDS = 15;
const FLOW_SECONDS = 10;
const WANTED_FPS = 2;

export const keyFrames = installedPart({
  name: 'key-frames',
  description: "Cameras of other makers' servers with rare key frames: RTSP over TCP and UDP, RTMP, HLS.",
  options: { keyFrameSeconds: ['seconds between two key frames', 10] },
  needs: { workers: 1 },
  run: runKeyFrames,
});

/** Starts each kind of camera between two of its key frames. */
async function runKeyFrames(
  installation: Installation,
  { keyFrameSeconds }: { keyFrameSeconds: number },
): Promise<KeyFramesResult> {
  const opened = await Promise.all(
    Object.entries(CAMERAS).map(async ([name, open]) => ({ name, camera: await open(keyFrameSeconds) })),
  );
  const cameras = opened.flatMap(({ camera }) => (camera ? [camera] : []));
  try {
    // The first key frame of all is over.
    await pause(3_000);
    const addresses = cameras.flatMap(({ addresses }) => Object.entries(addresses));
    const tried: Record<string, Tried> = {};
    for (const [name, url] of addresses) {
      tried[name] = await tryCamera(installation, { name, url, keyFrameSeconds });
    }
    const withoutPublisher = await statusWithoutPublisher(installation, cameras);
    const notRun = opened.flatMap(({ name, camera }) => (camera ? [] : [name]));
    const isRight = ({ onlineStatus, firstFrameSeconds, isFlowing }: Tried) =>
      onlineStatus === 'online' && firstFrameSeconds !== null && isFlowing;
    return {
      ...{ keyFrameSeconds, tried, withoutPublisher, notRun },
      passed: notRun.length === 0 && withoutPublisher !== 'online' && Object.values(tried).every(isRight),
    };
  } finally {
    await Promise.all(cameras.map((camera) => camera.close()));
  }
}

async function tryCamera(
  installation: Installation,
  { name, url, keyFrameSeconds }: { name: string; url: string; keyFrameSeconds: number },
): Promise<Tried> {
  const camera = await installation.addCamera(name, url, WANTED_FPS);
  const { onlineStatus } = await readDevice(installation, camera.deviceId);
  const sinceMs = performance.now();
  const taskId = await installation.start(camera).catch(() => null);
  if (taskId === null)
    return { onlineStatus, acceptedSeconds: null, firstFrameSeconds: null, isFlowing: false };
  const acceptedSeconds = secondsSince(sinceMs);
  const frameAfter = (ms: number, withinSeconds: number) =>
    installation
      .until(`${name} gives frames`, () => hasFrameAfter(installation, taskId, ms), withinSeconds)
      .then(() => true)
      .catch(() => false);
  const came = await frameAfter(0, keyFrameSeconds + BEYOND_KEY_FRAME_SECONDS);
  const firstFrameSeconds = came ? secondsSince(sinceMs) : null;
  const isFlowing = came && (await frameAfter(Date.now() + FLOW_SECONDS * 1000, 3 * FLOW_SECONDS));
  await installation.stop(camera);
  return { onlineStatus, acceptedSeconds, firstFrameSeconds, isFlowing };
}

async function hasFrameAfter({ databaseUrl }: Installation, taskId: string, ms: number): Promise<boolean> {
  const rows = await ask(
    databaseUrl,
    'SELECT 1 FROM "AnalysisTask" WHERE id = $1 AND "lastFrameAt" > to_timestamp($2::float8 / 1000)',
    [taskId, ms],
  );
  return rows.length > 0;
}

async function statusWithoutPublisher(
  installation: Installation,
  cameras: readonly RunningCamera[],
): Promise<string | null> {
  const url = cameras.find(({ emptyAddress }) => emptyAddress !== null)?.emptyAddress;
  if (url === undefined || url === null) return null;
  const { deviceId } = await installation.addCamera('Nobody publishes', url, WANTED_FPS);
  return (await readDevice(installation, deviceId)).onlineStatus;
}

const readDevice = (installation: Installation, id: string) =>
  installation.client.get<{ onlineStatus: string }>(`/devices/${id}`);

const secondsSince = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10;
