import type { NodeReason } from '../../platform/processes/node-reason.ts';
import type { Binary } from '../ffmpeg/ffmpeg-binaries.ts';
import { runToEnd } from '../ffmpeg/run-to-end.ts';
import { HARDWARE, HARDWARE_DOWNLOAD, type Hardware, type HardwareWish, hardwareInput } from './hardware.ts';

export interface FoundHardware {
  /** Null: video is decoded by software. */
  readonly hardware: Hardware | null;
  /** Why it is not what was wanted; null when it is. */
  readonly reason: NodeReason | null;
}

/** A hanging driver must not hold up the start. */
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 100_000;
const MAX_FAULT_CHARS = 200;
/** H.264, 320 × 240, three grey frames. */
const CLIP =
  'AAAAAWdNQAzsoKD9gIgAAAMACAAAAwBQeKFMsAAAAAFo6+PLIAAAAWWIhAAR//73iB8yiNq13IR560urR9Q7kZxXqS9/iACEfI2jX6z0HzdOgR0AAA5AbYBWymSzeLCSczkAAAABQZoibEP//qmWAABvwAAAAAEBnkF5D/8AACgh';

/**
 * Finds out what decodes video on this machine: asks ffmpeg which hardware it knows, and decodes a short clip with it.
 * @param wish `auto`: the first that works
 */
export async function findHardware(ffmpeg: Binary, wish: HardwareWish): Promise<FoundHardware> {
  if (wish === 'none') return { hardware: null, reason: null };
  const known = await hardwareOf(ffmpeg);
  const faults: string[] = [];
  for (const hardware of wish === 'auto' ? HARDWARE.filter((each) => known.has(each)) : [wish]) {
    const fault = known.has(hardware) ? await faultOf(ffmpeg, hardware) : 'ffmpeg was built without it';
    if (fault === null) return { hardware, reason: null };
    faults.push(`${hardware}: ${fault}`);
  }
  const detail = faults.join('; ') || `ffmpeg was built without ${HARDWARE.join(', ')}`;
  const sentence = `Video is decoded by software (${detail}).`;
  return {
    hardware: null,
    reason:
      wish === 'auto'
        ? { sentence, cause: { code: 'no_decoder', detail } }
        : { sentence, cause: { code: 'decoder_unusable', hardware: wish, detail } },
  };
}

/** The names of `-hwaccels`. Being listed says that ffmpeg was built with it, not that there is such hardware. */
async function hardwareOf(ffmpeg: Binary): Promise<ReadonlySet<string>> {
  const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const { stdout } = await runToEnd(ffmpeg, ['-hide_banner', '-hwaccels'], limits);
  return new Set(stdout.toString().split(/\s+/));
}

/** @returns why the clip cannot be decoded; null when it can */
async function faultOf(ffmpeg: Binary, hardware: Hardware): Promise<string | null> {
  const argv = [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', ...hardwareInput(hardware)],
    ...['-protocol_whitelist', 'data', '-f', 'h264', '-i', `data:video/h264;base64,${CLIP}`],
    ...['-frames:v', '2', '-vf', HARDWARE_DOWNLOAD, '-f', 'null', '-'],
  ];
  const { fault } = await runToEnd(ffmpeg, argv, {
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    mayOpenHardware: true,
  });
  if (fault === null) return null;
  const [line = ''] = fault.split('\n');
  return (
    line
      .replace(/^\[[^\]]*\] */, '')
      .replace(/[.\s]+$/, '')
      .slice(0, MAX_FAULT_CHARS) || 'ffmpeg failed'
  );
}
