import { z } from 'zod';
import { faultError, faultFromLog } from '../camera-fault.ts';
import { inputOptions } from '../ffmpeg/ffmpeg-arguments.ts';
import type { Binary, FfmpegBinaries } from '../ffmpeg/ffmpeg-binaries.ts';
import { readFfmpegSummary } from '../ffmpeg/ffmpeg-summary.ts';
import { BLOCK_LIMIT, isPlausible } from '../ffmpeg/media-limits.ts';
import { type ProgramOutput, runToEnd } from '../ffmpeg/run-to-end.ts';
import { StreamError } from '../stream-error.ts';
import type { StreamAddress } from '../stream-url.ts';
import {
  chosenTrack,
  fpsValue,
  JPEG_DEMUXER,
  MAX_PLAUSIBLE_FPS,
  type ProbedStream,
  readableTracks,
  type VideoTrack,
} from './probed-stream.ts';
import { shownSize } from './shown-size.ts';
import { type VideoLength, videoLength } from './video-length.ts';

export interface ProbeOptions {
  readonly address: StreamAddress;
  readonly binaries: FfmpegBinaries;
  readonly timeoutMs: number;
  /** The video to read, by its number among those of the input; default the largest. */
  readonly videoTrack?: number | undefined;
  /** See `RunToEndOptions`. */
  readonly followsProgress?: boolean | undefined;
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
  duration: numeric,
  nb_frames: numeric,
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  tags: z.object({ rotate: numeric, DURATION: z.string().optional().catch(undefined) }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
const outputSchema = z.object({
  streams: z.array(streamSchema).default([]),
  format: z
    .object({ format_name: z.string().default(''), duration: numeric, start_time: numeric, size: numeric })
    .optional(),
});
const packetsSchema = z.object({ packets: z.array(z.object({ pts_time: numeric })).default([]) });
type RawStream = z.infer<typeof streamSchema>;

/** Of a file that is no MP4 at all ffprobe writes the same. */
const NO_INDEX = /moov atom not found/i;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Long enough for the next key frame of most cameras. The frame rate is taken from three frames. */
const LONG_ANALYSIS = ['-analyzeduration', '3000000', '-probesize', '5000000', '-fpsprobesize', '3'];

/** Asks ffprobe about a stream. @throws StreamError */
export async function probeWithFfprobe(options: ProbeOptions): Promise<ProbedStream> {
  const startMs = performance.now();
  try {
    return await probe(options);
  } catch (error) {
    const timeoutMs = Math.round(options.timeoutMs - (performance.now() - startMs));
    if (!mayBeJpegs(options.address, error) || options.demuxer !== undefined || timeoutMs <= 0) throw error;
    const jpegs = await probe({ ...options, demuxer: JPEG_DEMUXER, timeoutMs }).catch(() => null);
    if (jpegs?.codec !== JPEG_DEMUXER) throw error;
    // Its rate is an invention of the demuxer.
    return { ...jpegs, fps: null, durationSeconds: null, demuxer: JPEG_DEMUXER };
  }
}

/** Whether an answer in which ffmpeg found no video may still be a sequence of JPEGs. */
export const mayBeJpegs = ({ scheme }: StreamAddress, error: unknown): boolean =>
  scheme.startsWith('http') && error instanceof StreamError && error.kind === 'not_a_video';

async function probe(options: ProbeOptions): Promise<ProbedStream> {
  const { address, binaries } = options;
  const argv = ['-print_format', 'json', '-show_format', '-show_streams'];
  const { stdout, fault, crashed } = await ask(binaries.ffprobe, argv, options);
  if (crashed) return probeWithFfmpeg(options);
  if (fault !== null && options.demuxer === 'mov' && NO_INDEX.test(fault))
    throw faultError(address, 'no_index');
  if (fault !== null) throw faultFromLog(address, fault);
  const { length, ...probed } = describe(stdout.toString(), options);
  return { ...probed, durationSeconds: await secondsOf(length, probed.videoIndex, options) };
}

/** Where a Matroska file may say its end or its length, its last frames tell. @returns null where the length is not known */
async function secondsOf(
  length: VideoLength,
  videoIndex: number,
  options: ProbeOptions,
): Promise<number | null> {
  if ('seconds' in length) return length.seconds;
  const { ifEnd, ifLength, start } = length;
  const argv = [
    ...['-print_format', 'json', '-select_streams', `v:${videoIndex}`, '-show_entries', 'packet=pts_time'],
    ...['-read_intervals', `${start + ifLength}%`],
  ];
  const { stdout, fault } = await ask(options.binaries.ffprobe, argv, options);
  const read = fault === null ? packetsSchema.safeParse(readJson(stdout.toString())) : null;
  const lastTime = Math.max(...(read?.data?.packets ?? []).map(({ pts_time }) => pts_time ?? 0), 0);
  // A file that was broken off has no frame after either; most programs write the end.
  return lastTime > ifLength ? ifLength : ifEnd;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The static ffprobe of npm crashes on MPEG-TS, and so on most HLS. ffmpeg writes nearly the same facts as text. */
async function probeWithFfmpeg(options: ProbeOptions): Promise<ProbedStream> {
  const { address, binaries } = options;
  const { stderr, fault, crashed } = await ask(binaries.ffmpeg, ['-nostdin'], options);
  const summary = crashed ? null : readFfmpegSummary(stderr, options.videoTrack);
  if (Array.isArray(summary)) throw noSuchTrack(address, summary);
  if (summary) return summary;
  throw /^Input #0/m.test(stderr) ? faultError(address, 'no_video') : faultFromLog(address, fault ?? '');
}

function describe(
  output: string,
  { address, videoTrack }: ProbeOptions,
): Omit<ProbedStream, 'durationSeconds'> & { length: VideoLength } {
  const { data: parsed } = outputSchema.safeParse(readJson(output));
  if (!parsed) throw new StreamError(`ffprobe wrote nothing readable about ${address.shown}.`);
  const videos = parsed.streams.filter((s) => s.codec_type === 'video');
  const claimed = videos.reduce((sum, { nb_frames = 0 }) => sum + nb_frames, 0);
  if (!isPlausible(claimed, parsed.format?.size ?? Number.POSITIVE_INFINITY))
    throw faultError(address, 'too_many_frames');
  const videoTracks = readableTracks(videos.map(trackOf));
  const track = chosenTrack(videoTracks, videoTrack);
  const { format_name: format = '', start_time: fileStart, duration: fileDuration } = parsed.format ?? {};
  // Of a multipart message with images that it does not understand ffprobe says only the format.
  if (!track && videoTracks.length > 0) throw noSuchTrack(address, videoTracks);
  if (!track) throw faultError(address, format === 'mpjpeg' ? 'not_a_video' : 'no_video');
  const video = videos[track.number]!;
  const { width, height, codec } = track;
  return {
    ...{ width, height, codec, videoTracks },
    fps: frameRate(video),
    length: videoLength({
      ...{ format, fileStart, fileDuration },
      ...{ videoStart: video.start_time, videoDuration: video.duration, durationTag: video.tags?.DURATION },
      ...{ frames: video.nb_frames, fps: video.avg_frame_rate },
    }),
    videoIndex: track.number,
    startMs: Math.max(0, (video.start_time ?? 0) - (fileStart ?? 0)) * 1000,
    colourMatrix: video.color_space === 'bt709' ? 'bt709' : 'bt601',
    isFullFormat: video.pix_fmt === 'yuv420p' && video.color_range !== 'pc',
    format,
  };
}

const trackOf = (video: RawStream, number: number): VideoTrack & { isCover: boolean } => {
  const fps = fpsValue(frameRate(video) ?? '');
  return {
    number,
    ...shownSize({
      width: video.width,
      height: video.height,
      pixelAspect: video.sample_aspect_ratio,
      rotationDegrees:
        video.side_data_list?.find((s) => s.rotation !== undefined)?.rotation ?? video.tags?.rotate ?? 0,
    }),
    codec: video.codec_name,
    fps: Number.isFinite(fps) ? fps : null,
    isCover: video.disposition?.attached_pic === 1,
  };
};

const noSuchTrack = (address: StreamAddress, tracks: readonly VideoTrack[]): StreamError =>
  faultError(
    address,
    'no_such_track',
    tracks.map(({ number, width, height }) => `${number} (${width} × ${height})`).join(', '),
  );

/** The faster of average and nominal rate: gaps in a recording lower the average. */
function frameRate(video: RawStream): string | null {
  const rates = [video.avg_frame_rate, video.r_frame_rate].filter((rate) => rate !== undefined);
  const plausible = rates.filter((rate) => fpsValue(rate) > 0 && fpsValue(rate) <= MAX_PLAUSIBLE_FPS);
  return plausible.sort((a, b) => fpsValue(b) - fpsValue(a))[0] ?? null;
}

async function ask(binary: Binary, argv: readonly string[], options: ProbeOptions): Promise<ProgramOutput> {
  const { address, timeoutMs, followsProgress, httpProxy, formats, demuxer, signal } = options;
  const forced = ['-threads', '1', ...(demuxer === undefined ? [] : ['-f', demuxer])];
  const reading = inputOptions({ address, ioTimeoutMs: timeoutMs, httpProxy, formats }, binary);
  const input = [...LONG_ANALYSIS, ...reading, ...forced];
  const all = [...BLOCK_LIMIT, '-hide_banner', '-loglevel', 'info', ...argv, ...input, '-i', address.input];
  const output = await runToEnd(binary, all, {
    timeoutMs,
    followsProgress,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    httpProxy,
    signal,
  });
  if (signal?.aborted) throw new StreamError(`Reading ${address.shown} was given up.`);
  return output;
}
