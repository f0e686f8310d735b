import { spawnSync } from 'node:child_process';

const MIB = 1024 ** 2;

/** Pixels of the largest frame: 8192 × 8192. A small file may claim frames that fill the memory. */
export const MOST_PIXELS = 8192 ** 2;
/** The largest block that ffmpeg may ask for: a plane of the largest frame, or the index of two days. */
const MOST_BLOCK_BYTES = 128 * MIB;
/** Address space, of which a program uses a part: its libraries alone are mapped with half a GiB. */
export const ADDRESS_SPACE = {
  /** Reads what a stream says of itself, and decodes at most a few frames. */
  glance: 2048 * MIB,
  /** Reads a stream for days, with several threads and frames of any allowed size. */
  stream: 4096 * MIB,
} as const;

/**
 * The decoders that cameras, phones and recorders need. ffmpeg has some 250 more, of formats that nobody sends any more, and
 * most faults that lead to a foreign machine are found in those.
 */
const VIDEO_DECODERS = `
  h264 h264_qsv hevc hevc_qsv vp8 vp9 libvpx libvpx-vp9 av1 libdav1d libaom-av1 av1_qsv
  mjpeg mjpegb mxpeg jpegls jpeg2000 png mpeg4 msmpeg4 msmpeg4v1 msmpeg4v2 mpeg1video mpeg2video mpegvideo
  h261 h263 h263p h263i flv wmv1 wmv2 wmv3 vc1 theora dvvideo dnxhd prores rawvideo ffv1 huffyuv ffvhuff`
  .trim()
  .split(/\s+/)
  .join();

/** Options before all others of ffmpeg and ffprobe; those of 2018 know them too. */
export const BLOCK_LIMIT = ['-max_alloc', String(MOST_BLOCK_BYTES)];

/** Options before `-i`. */
export const DECODER_LIMITS = [
  ...['-max_pixels:v', String(MOST_PIXELS), '-codec_whitelist:v', VIDEO_DECODERS],
];

/** Of each video frame a file has at least its place in the index. */
const LEAST_FRAME_BYTES = 4;
/** So many are no danger. */
const FREE_FRAMES = 10_000;

/** Whether a file of this size can have so many video frames. */
export const isPlausible = (frames: number, sizeBytes: number): boolean =>
  frames <= FREE_FRAMES || frames * LEAST_FRAME_BYTES <= sizeBytes;

let hasPrlimit: boolean | null = null;

/** `prlimit` of Linux replaces itself by the program, which keeps its process id. */
const asPrlimit = (bytes: number, command: readonly string[]): [string, string[]] => [
  'prlimit',
  [`--as=${bytes}:`, ...command],
];

/**
 * A command that has this much address space at most, where the system has the program for it, and where the limit of this
 * process is not lower already.
 */
export function withinMemory(
  program: string,
  argv: readonly string[],
  bytes: number,
): [program: string, argv: readonly string[]] {
  hasPrlimit ??=
    process.platform === 'linux' &&
    spawnSync(...asPrlimit(ADDRESS_SPACE.stream, ['true']), { stdio: 'ignore' }).status === 0;
  return hasPrlimit ? asPrlimit(bytes, [program, ...argv]) : [program, argv];
}
