import { execFile } from 'node:child_process';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../../src/platform/config.ts';
import { newObjectKey } from '../../../src/platform/images/object-store.ts';
import { ShopFrames } from '../../../src/simulator/shop-frames.ts';
import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { Installation } from '../installation.ts';
import { progress } from '../terminal.ts';
import { encodeVideo } from './start-encoder.ts';

/** From then on people queue in the simulated shop. */
const SHOP_START_MS = 120_000;
const RECORDED_AT = '2024-03-01T09:00:00Z';

export interface ShopVideo {
  /** Seconds that are drawn. */
  readonly seconds: number;
  readonly fps: number;
  readonly seed: number;
  /** How often they follow each other in the file. */
  readonly times?: number;
  /** Time of the film → time of the shop, which never goes back. By default the same. */
  readonly shopMs?: (filmMs: number) => number;
}

/** Writes a video of the simulated shop, 640 × 360. */
export async function writeShopVideo(
  path: string,
  { seconds, fps, seed, times = 1, shopMs = (filmMs) => filmMs }: ShopVideo,
): Promise<void> {
  const { ffmpegPath, ffprobePath } = loadConfig();
  const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath });
  const shop = new ShopFrames({ seed, fps, scenario: 'classic' });
  const frames = seconds * fps;
  const bar = progress('Drawing', frames, 'frames');
  const drawn = times === 1 ? path : `${path}.once.mp4`;
  const format = { width: shop.width, height: shop.height, fps, frames };
  try {
    await encodeVideo(ffmpeg.path, drawn, format, async (filmMs, pixels) => {
      const timeMs = SHOP_START_MS + shopMs(filmMs);
      await shop.prepare(timeMs);
      shop.frame(timeMs, pixels);
      bar.step();
    });
  } finally {
    bar.stop();
  }
  if (times === 1) return;
  await promisify(execFile)(ffmpeg.path, repeat(drawn, ['-stream_loop', String(times - 1)], path));
}

/** A copy of a video that is repeated until it is so long. @param folder of the copy @returns its path */
export async function repeatedVideo(video: string, folder: string, seconds: number): Promise<string> {
  const { ffmpegPath, ffprobePath } = loadConfig();
  const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath });
  const long = join(folder, 'long.mp4');
  const argv = repeat(video, ['-stream_loop', '-1'], long, ['-t', String(seconds)]);
  await promisify(execFile)(ffmpeg.path, argv);
  return long;
}

const repeat = (
  video: string,
  loop: readonly string[],
  out: string,
  until: readonly string[] = [],
): string[] => [
  ...[
    '-nostdin',
    '-loglevel',
    'error',
    '-y',
    ...loop,
    '-i',
    video,
    ...until,
    '-map',
    '0:v:0',
    '-c',
    'copy',
    out,
  ],
];

/** A recording whose analysis is queued. */
export interface QueuedRecording {
  readonly sceneId: string;
  readonly taskId: string;
}

/** Adds a recording with its file to the folder of images of an installation, and queues its analysis. */
export async function queueRecording(
  installation: Installation,
  video: string,
  seconds: number,
): Promise<QueuedRecording> {
  const [user] = await installation.query<{ id: string }>('SELECT id FROM "User" LIMIT 1');
  const userId = user!.id;
  const objectKey = newObjectKey('recordings', userId);
  const file = join(installation.folder, 'images', objectKey);
  await mkdir(dirname(file), { recursive: true });
  await copyFile(video, file);
  const config = { zones: SHOP_ZONES, parameters: parametersSchema.parse({}) };
  const [queued] = await installation.query<QueuedRecording>(
    `WITH device AS (
       INSERT INTO "Device" ("userId", kind, name, "streamUrlEncrypted", "onlineStatus", "nextProbeAt", "updatedAt")
       VALUES ($1, 'recording', 'Recording', 'none', 'online', NULL, now()) RETURNING id),
     scene AS (
       INSERT INTO "Scene" ("userId", "deviceId", name, "analysisStatus", config, "updatedAt")
       SELECT $1, id, 'Recording', 'starting', $2, now() FROM device RETURNING id, "deviceId"),
     recording AS (
       INSERT INTO "Recording" ("userId", "deviceId", "sceneId", name, "objectKey", "sizeBytes", format, codec, "durationMs",
                                width, height, "sourceFps", "recordedAt", timezone, "updatedAt")
       SELECT $1, "deviceId", id, 'Recording', $3, $4, 'mp4', 'h264', $5, 640, 360, 25, $6, 'UTC', now() FROM scene)
     INSERT INTO "AnalysisTask" ("userId", "deviceId", "sceneId", "updatedAt")
     SELECT $1, "deviceId", id, now() FROM scene RETURNING id AS "taskId", "sceneId"`,
    [userId, JSON.stringify(config), objectKey, (await stat(video)).size, seconds * 1000, RECORDED_AT],
  );
  installation.note(`analysis ${queued!.taskId} of a recording queued`);
  return queued!;
}

export interface RecordingState {
  readonly status: string;
  readonly positionMs: number | null;
  readonly epoch: number;
  readonly nodeId: string | null;
  readonly errorMessage: string | null;
  /** From the first claim to the end; null before. */
  readonly tookMs: number | null;
}

export async function recordingState(
  installation: Installation,
  { taskId }: Pick<QueuedRecording, 'taskId'>,
): Promise<RecordingState> {
  const [state] = await installation.query<RecordingState>(
    `SELECT status::text, "positionMs", epoch, "computeNodeId" AS "nodeId", "errorMessage", "processingTimeMs" AS "tookMs"
     FROM "AnalysisTask" WHERE id = $1`,
    [taskId],
  );
  return state!;
}

/** Waits for the end. @throws Error when it did not end as it should */
export async function untilAnalysed(
  installation: Installation,
  recording: QueuedRecording,
  seconds: number,
): Promise<RecordingState> {
  const isOver = async () =>
    !['QUEUED', 'PROCESSING'].includes((await recordingState(installation, recording)).status);
  await installation.until('the recording is analysed', isOver, seconds);
  const state = await recordingState(installation, recording);
  if (state.status !== 'COMPLETED')
    throw new Error(`The analysis ended as ${state.status}: ${state.errorMessage}`);
  return state;
}
