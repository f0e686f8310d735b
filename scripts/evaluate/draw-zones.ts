import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import sharp from 'sharp';
import { zonePolygons } from '../../src/devices/images/draw-zones.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { probeWithFfprobe } from '../../src/video/probe/ffprobe.ts';
import { parseStreamUrl } from '../../src/video/stream-url.ts';
import type { QueueZones } from '../../src/vision/types.ts';
import { readScene } from '../replay/scene-file.ts';
import { requireVideo } from '../support/footage/video-frames.ts';
import { printing } from '../support/printing.ts';
import { evaluation } from './options.ts';

const PROBE_TIMEOUT_MS = 15_000;
/** ffmpeg writes much about a damaged video. */
const MOST_LOG_BYTES = 64 * 1024 * 1024;

interface Options {
  readonly scene: string;
  readonly out: string;
}

export const drawZonesCommand = (): Command =>
  evaluation(
    'draw-zones',
    'Writes a copy of a video with the zones of a scene drawn on it, for labelling visits.',
  )
    .argument('<video>', 'a video file')
    .requiredOption('--scene <file.json>', '{ "zones": …, "parameters": … } as in the API')
    .requiredOption('--out <file.mp4>', 'the copy; it has the times of the video')
    .addHelpText(
      'after',
      '\nThe outline of the queue zone is dashed, that of the checkout zone is solid, that of the staff zone is dotted.\n\nExample:\n  npm run -s evaluate -- draw-zones till.mp4 --scene scene.json --out till.zones.mp4',
    )
    .action(
      printing(
        async (video: string, { scene, out }: Options) => {
          const { zones } = await readScene(scene);
          await drawOnVideo(video, zones, out);
          return { video: out };
        },
        ({ video }) => video,
      ),
    );

/** @throws Error that says what to do: video missing or unreadable, copy not writable */
async function drawOnVideo(video: string, zones: QueueZones, out: string): Promise<void> {
  await requireVideo(video);
  if (resolve(video) === resolve(out)) throw new Error('--out is the video itself; give another file.');
  const { ffmpegPath, ffprobePath } = loadConfig();
  const binaries = await findFfmpeg({ ffmpegPath, ffprobePath });
  const address = parseStreamUrl(video);
  const { videoIndex, ...shown } = await probeWithFfprobe({ address, binaries, timeoutMs: PROBE_TIMEOUT_MS });
  // The encoder accepts only even sizes.
  const [width, height] = [even(shown.width), even(shown.height)];
  const folder = await mkdtemp(join(tmpdir(), 'draw-zones-'));
  try {
    const drawing = join(folder, 'zones.png');
    const polygons = zonePolygons(zones, { width, height });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${polygons}</svg>`;
    await sharp(Buffer.from(svg)).png().toFile(drawing);
    const drawn = `[0:v:${videoIndex}]scale=${width}:${height},setsar=1[video];[video][1:v]overlay`;
    const argv = [
      ...['-nostdin', '-loglevel', 'error', '-y', '-i', address.input, '-i', drawing],
      ...['-filter_complex', drawn, '-an', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20'],
      ...['-pix_fmt', 'yuv420p', out],
    ];
    const run = promisify(execFile)(binaries.ffmpeg.path, argv, { maxBuffer: MOST_LOG_BYTES });
    await run.catch(({ stderr = '', message }: Error & { stderr?: string }) => {
      throw new Error(`ffmpeg could not write ${out}: ${stderr.trim().slice(-500) || message}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const even = (pixels: number): number => pixels - (pixels % 2);
