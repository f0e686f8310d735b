import { z } from 'zod';

/** The environment variables of ffmpeg. */
export const VIDEO_VARIABLES = {
  FFMPEG_PATH: z
    .string()
    .optional()
    .describe('path of ffmpeg; by default the one on PATH, otherwise the one from npm'),
  FFPROBE_PATH: z
    .string()
    .optional()
    .describe('path of ffprobe; by default the one on PATH, otherwise the one from npm'),
  HWACCEL: z
    .enum(['auto', 'cuda', 'vaapi', 'qsv', 'videotoolbox', 'none'])
    .default('auto')
    .describe(
      'hardware that decodes the video of cameras (H.264, HEVC), by the name of ffmpeg; `auto` takes the first that decodes a short clip at the start; `none`: software. What the hardware cannot decode is decoded by software',
    ),
  ALLOW_OLD_FFMPEG: z
    .stringbool()
    .default(false)
    .describe(
      'whether an ffmpeg older than release 5, such as the one from npm, may read network streams in production; its old decoders are less safe against hostile video',
    ),
};
