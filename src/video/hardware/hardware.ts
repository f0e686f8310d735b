import type { NodeReason } from '../../platform/processes/node-reason.ts';

/** Hardware that decodes video, by ffmpeg's name; in the order in which they are tried. */
export const HARDWARE = ['cuda', 'vaapi', 'qsv', 'videotoolbox'] as const;
export type Hardware = (typeof HARDWARE)[number];

/** What the operator wants (HWACCEL): `auto` is the first that works, `none` is software. */
export type HardwareWish = Hardware | 'auto' | 'none';

/** What the hardware of graphics chips decodes for certain; everything else is decoded by software. */
const CODECS = new Set(['h264', 'hevc']);

/** ffmpeg's name for a frame in the memory of the hardware. */
const FRAME_FORMATS: Readonly<Record<Hardware, string>> = {
  cuda: 'cuda',
  vaapi: 'vaapi',
  qsv: 'qsv',
  videotoolbox: 'videotoolbox_vld',
};

export const decodesInHardware = (codec: string): boolean => CODECS.has(codec);

/** Options before `-i`: decoded frames stay in the hardware, so that only those that are analysed are copied out. */
export const hardwareInput = (hardware: Hardware): string[] => [
  ...['-hwaccel', hardware],
  ...['-hwaccel_output_format', FRAME_FORMATS[hardware]],
];

/**
 * The filters that copy a frame out of the hardware. Where ffmpeg has silently decoded by software they fail, so that a
 * fallback is always noticed.
 */
export const HARDWARE_DOWNLOAD = 'hwdownload,format=nv12|p010le';

/** What ffmpeg writes when its hardware fails; the same at the start and in mid-stream. */
const FAULT =
  /hwaccel|hwdownload|hwframe|hardware|AVHWDevice|Device (?:creation|setup) failed|(?:re)?initializing filter|Impossible to convert between|vaapi|libva|cuda|cuvid|nvdec|\bMFX\b|\bqsv\b|videotoolbox|Failed to (?:begin|end|sync|create|allocate) .*(?:picture|surface|decode)/i;

export const hardwareFailed = (camera: string, hardware: Hardware, detail: string): NodeReason => ({
  sentence: `${camera} is decoded by software, because ${hardware} has failed: ${detail}`,
  cause: { code: 'decoder_failed', hardware, camera, detail },
});

export const isHardwareFault = (line: string): boolean => FAULT.test(line);
