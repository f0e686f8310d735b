import { z } from 'zod';
import { faultError, faultFromLog } from '../camera-fault.ts';
import { inputOptions } from '../ffmpeg/ffmpeg-arguments.ts';
import type { Binary, FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import { readFfmpegSummary } from '../ffmpeg/ffmpeg-summary.ts';
import { type ProgramOutput, runToEnd } from '../ffmpeg/run-to-end.ts';
import { StreamError } from '../stream-error.ts';
import type { StreamAddress } from '../stream-url.ts';
import { fpsValue, MAX_PLAUSIBLE_FPS, type ProbedStream } from './probed-stream.ts';
import { shownSize } from './shown-size.ts';

export interface ProbeOptions {
  readonly address: StreamAddress;
  readonly binaries: FfmpegBinaries;
  readonly timeoutMs: number;
  readonly httpProxy?: string | undefined;
  /** The format to read it in; otherwise the content decides. */
  readonly demuxer?: string | undefined;
  /** See `StreamInput`. */
  readonly formats?: string | undefined;
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

/** Long enough for the next key frame of most cameras. The frame rate is taken from three frames. */
const LONG_ANALYSIS = ['-analyzeduration', '3000000', '-probesize', '5000000', '-fpsprobesize', '3'];

/** Asks ffprobe about a stream. @throws StreamError */
export async function probeWithFfprobe(options: ProbeOptions): Promise<ProbedStream> {
  const { address, binaries } = options;
  const argv = ['-print_format', 'json', '-show_format', '-show_streams'];
  const { stdout, fault, crashed } = await ask(binaries.ffprobe, argv, options);
  if (crashed) return probeWithFfmpeg(options);
  if (fault !== null) throw faultFromLog(address, fault);
  return describe(stdout.toString(), address);
}

/** The static ffprobe of npm crashes on MPEG-TS, and so on most HLS. ffmpeg writes nearly the same facts as text. */
async function probeWithFfmpeg(options: ProbeOptions): Promise<ProbedStream> {
  const { address, binaries } = options;
  const { stderr, fault, crashed } = await ask(binaries.ffmpeg, ['-nostdin'], options);
  const summary = crashed ? null : readFfmpegSummary(stderr);
  if (summary) return summary;
  throw /^Input #0/m.test(stderr) ? faultError(address, 'no_video') : faultFromLog(address, fault ?? '');
}

function describe(output: string, address: StreamAddress): ProbedStream {
  let parsed: z.infer<typeof outputSchema>;
  try {
    parsed = outputSchema.parse(JSON.parse(output));
  } catch {
    throw new StreamError(`ffprobe wrote nothing readable about ${address.shown}.`);
  }
  const videos = parsed.streams.filter((s) => s.codec_type === 'video');
  const video = videos.find((s) => s.disposition?.attached_pic !== 1);
  if (!video || video.width === 0 || video.height === 0) throw faultError(address, 'no_video');
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
    isFullFormat: video.pix_fmt === 'yuv420p' && video.color_range !== 'pc',
    format: parsed.format?.format_name ?? '',
  };
}

/** The faster of average and nominal rate: gaps in a recording lower the average. */
function frameRate(video: RawStream): string | null {
  const rates = [video.avg_frame_rate, video.r_frame_rate].filter((rate) => rate !== undefined);
  const plausible = rates.filter((rate) => fpsValue(rate) > 0 && fpsValue(rate) <= MAX_PLAUSIBLE_FPS);
  return plausible.sort((a, b) => fpsValue(b) - fpsValue(a))[0] ?? null;
}

async function ask(binary: Binary, argv: readonly string[], options: ProbeOptions): Promise<ProgramOutput> {
  const { address, timeoutMs, httpProxy, formats, demuxer, signal } = options;
  const forced = demuxer === undefined ? [] : ['-f', demuxer];
  const reading = inputOptions({ address, ioTimeoutMs: timeoutMs, httpProxy, formats }, binary);
  const input = [...LONG_ANALYSIS, ...reading, ...forced];
  const all = ['-hide_banner', '-loglevel', 'info', ...argv, ...input, '-i', address.input];
  const output = await runToEnd(binary, all, {
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    httpProxy,
    signal,
  });
  if (signal?.aborted) throw new StreamError(`Reading ${address.shown} was given up.`);
  return output;
}
