import { execFile } from 'node:child_process';
import { z } from 'zod';
import { childEnvironment } from '../../platform/processes/child-environment.ts';
import { NO_VIDEO, streamFault } from '../camera-fault.ts';
import { inputOptions } from '../ffmpeg/ffmpeg-arguments.ts';
import type { Binary, FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import { readFfmpegSummary } from '../ffmpeg/ffmpeg-summary.ts';
import { StreamError } from '../frame-source.ts';
import type { StreamAddress } from '../stream-url.ts';
import { fpsValue, MAX_PLAUSIBLE_FPS, type ProbedStream } from './probed-stream.ts';
import { shownSize } from './shown-size.ts';

export interface ProbeOptions {
  readonly address: StreamAddress;
  readonly binaries: FfmpegBinaries;
  readonly timeoutMs: number;
  readonly httpProxy?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const numeric = z.string().transform(Number).pipe(z.number()).optional().catch(undefined);
const streamSchema = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().default('unknown'),
  width: z.number().int().nonnegative().default(0),
  height: z.number().int().nonnegative().default(0),
  sample_aspect_ratio: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  color_space: z.string().optional(),
  color_range: z.string().optional(),
  pix_fmt: z.string().optional(),
  start_time: numeric,
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  tags: z.object({ rotate: numeric }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
const outputSchema = z.object({
  streams: z.array(streamSchema).default([]),
  format: z
    .object({ format_name: z.string().default(''), duration: numeric, start_time: numeric })
    .optional(),
});
type RawStream = z.infer<typeof streamSchema>;

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Asks ffprobe about a stream.
 * @throws StreamError refused, timed out, not found, access denied, no video, not a video
 */
export async function probeWithFfprobe(options: ProbeOptions): Promise<ProbedStream> {
  const { address, binaries } = options;
  const asked = await ask(
    binaries.ffprobe,
    ['-print_format', 'json', '-show_format', '-show_streams'],
    options,
  );
  if (asked.crashed) return probeByFfmpeg(options);
  if (asked.fault !== null) throw streamFault(address, asked.fault);
  return describe(asked.stdout, address);
}

/** The static ffprobe of npm crashes on MPEG-TS, and so on most HLS. ffmpeg tells nearly as much, as text. */
async function probeByFfmpeg(options: ProbeOptions): Promise<ProbedStream> {
  const { address, binaries } = options;
  const { stderr, fault, crashed } = await ask(binaries.ffmpeg, ['-nostdin'], options);
  const summary = crashed ? null : readFfmpegSummary(stderr);
  if (summary) return summary;
  if (/^Input #0/m.test(stderr)) throw noVideo(address);
  throw streamFault(address, fault ?? '');
}

const noVideo = ({ shown }: StreamAddress) => new StreamError(`${shown} ${NO_VIDEO}`, 'no_video');

function describe(output: string, address: StreamAddress): ProbedStream {
  let parsed: z.infer<typeof outputSchema>;
  try {
    parsed = outputSchema.parse(JSON.parse(output));
  } catch {
    throw new StreamError(`ffprobe said nothing readable about ${address.shown}.`);
  }
  const videos = parsed.streams.filter((s) => s.codec_type === 'video');
  const video = videos.find((s) => s.disposition?.attached_pic !== 1);
  if (!video || video.width === 0 || video.height === 0) throw noVideo(address);
  const duration = parsed.format?.duration;
  return {
    ...shownSize({
      width: video.width,
      height: video.height,
      pixelAspect: video.sample_aspect_ratio,
      rotationDegrees:
        video.side_data_list?.find((s) => s.rotation !== undefined)?.rotation ?? video.tags?.rotate ?? 0,
    }),
    codec: video.codec_name,
    fps: frameRate(video),
    durationSeconds: duration !== undefined && duration > 0 ? duration : null,
    videoIndex: videos.indexOf(video),
    startMs: Math.max(0, (video.start_time ?? 0) - (parsed.format?.start_time ?? 0)) * 1000,
    colourMatrix: video.color_space === 'bt709' ? 'bt709' : 'bt601',
    isPictureFormat: video.pix_fmt === 'yuv420p' && video.color_range !== 'pc',
    format: parsed.format?.format_name ?? '',
  };
}

/** The faster of average and nominal rate: where a recording has gaps, the average says little. */
function frameRate(video: RawStream): string | null {
  const rates = [video.avg_frame_rate, video.r_frame_rate].filter((rate) => rate !== undefined);
  const plausible = rates.filter((rate) => fpsValue(rate) > 0 && fpsValue(rate) <= MAX_PLAUSIBLE_FPS);
  return plausible.sort((a, b) => fpsValue(b) - fpsValue(a))[0] ?? null;
}

interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  /** What it said about its failure; null if it succeeded. */
  readonly fault: string | null;
  /** By a signal that was not ours. */
  readonly crashed: boolean;
}

function ask(binary: Binary, argv: readonly string[], options: ProbeOptions): Promise<Answer> {
  const { address, timeoutMs, httpProxy, signal } = options;
  const env = childEnvironment(httpProxy);
  const limits = {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    signal,
    env,
  } as const;
  const input = [...PATIENCE, ...inputOptions({ address, ioTimeoutMs: timeoutMs, httpProxy }, binary)];
  const all = ['-hide_banner', '-loglevel', 'info', ...argv, ...input, '-i', address.input];
  return new Promise((resolve, reject) => {
    execFile(binary.path, all, limits, (error, stdout, stderr) => {
      if (signal?.aborted) return reject(new StreamError(`Reading ${address.shown} was given up.`));
      const fault = error && (error.killed ? 'timed out' : stderr.trim() || 'it gives no reason');
      resolve({ stdout, stderr, fault, crashed: error?.killed === false && error.signal !== null });
    });
  });
}

/** Long enough for the next key frame of most cameras; a rate is believed after a few frames. */
const PATIENCE = ['-analyzeduration', '3000000', '-probesize', '5000000', '-fpsprobesize', '3'];
