import { patientMs } from '../../platform/processes/patience.ts';
import type { FfmpegBinaries } from '../../video/ffmpeg/ffmpeg-binaries.ts';
import { probeWithFfprobe } from '../../video/probe/ffprobe.ts';
import { fpsValue } from '../../video/probe/probed-stream.ts';
import { quickProbe } from '../../video/probe/quick-probe.ts';
import { type CameraProxy, connectCamera } from '../../video/proxy/camera-proxy.ts';
import { StreamError, type StreamFault, type StreamFaultReason } from '../../video/stream-error.ts';
import { parseStreamUrl, type StreamAddress } from '../../video/stream-url.ts';
import type { CameraAccess } from './camera-access.ts';

/** What a stream sends. Pixels; frames per second, null if the stream does not say. */
export interface StreamFacts {
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  readonly sourceFps: number | null;
}

export interface ProbedPresence {
  readonly onlineStatus: 'online' | 'offline';
  /** Null if the probe did not learn them. */
  readonly info: StreamFacts | null;
  /** Null when the stream is online. */
  readonly fault: StreamFault | null;
}

/**
 * Milliseconds. A caller waits for the answer: with the look-up both stay within ten seconds where the machine has time, and
 * always below the usual REQUEST_TIMEOUT_SECONDS: else the answer is 503 although the device was created.
 */
const LIMITS = { ffprobeMs: 6_000, quickMs: 2_500, allMs: 25_000 };
/** After these reasons of ffprobe the quick probe may know more: ffprobe may lack a key frame, or may not be used. */
const VAGUE: readonly StreamFaultReason[] = ['timeout', 'broken_off', 'unreadable', 'old_ffmpeg'];
/** Reasons of the quick probe that ffprobe could only confirm. */
const CERTAIN: readonly StreamFaultReason[] = [
  ...(['host_unknown', 'unreachable', 'connection_refused', 'wrong_credentials', 'access_denied'] as const),
  ...(['no_such_stream', 'address_not_allowed', 'tls_failed'] as const),
];

/** `presence`: only whether there is a video. `facts`: also size and rate, which may take until the next key frame. */
export type ProbedFor = 'presence' | 'facts';

/**
 * Whether a stream can be read now: first by the quick probe, then by ffprobe, both through the camera proxy.
 * @param asked the networks of the user, what the caller needs, and limits in milliseconds
 * @throws Error when ffprobe itself does not work
 */
export async function probeStream(
  url: string,
  cameras: CameraAccess,
  asked: { networks: readonly string[]; wanted?: ProbedFor; limits?: typeof LIMITS },
): Promise<ProbedPresence> {
  const { networks, wanted = 'facts', limits = patientLimits() } = asked;
  const deadlineMs = performance.now() + limits.allMs;
  const cameraProxy = cameras.proxyFor(networks);
  const address = parseStreamUrl(url);
  // A simulated camera is always there.
  if (address.scheme === 'sim') return ONLINE;
  const { guard } = cameraProxy;
  const quick =
    address.scheme === 'file' ? null : await quickProbe(url, { guard, timeoutMs: limits.quickMs });
  const isDescribed = quick?.onlineStatus === 'online';
  if (isDescribed && wanted === 'presence') return ONLINE;
  if (quick?.fault && CERTAIN.includes(quick.fault.reason)) return offline(quick.fault);
  try {
    const binaries = await cameras.binaries();
    const timeoutMs = Math.min(limits.ffprobeMs, deadlineMs - performance.now());
    const info = await readFacts(address, { cameraProxy, binaries, timeoutMs });
    return { ...ONLINE, info };
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    if (isFinal(error.reason, address)) return offline(error.fault);
    // A camera that describes a video has one, even if its next key frame takes a while.
    if (isDescribed) return ONLINE;
    const isClearer = quick?.fault && !VAGUE.includes(quick.fault.reason);
    return offline(isClearer ? quick.fault : error.fault);
  }
}

/** A camera is not to blame where this machine is too busy to ask it. */
const patientLimits = (): typeof LIMITS => ({
  ...LIMITS,
  ffprobeMs: patientMs(LIMITS.ffprobeMs),
  quickMs: patientMs(LIMITS.quickMs),
});

const ONLINE: ProbedPresence = { onlineStatus: 'online', info: null, fault: null };
const offline = (fault: StreamFault): ProbedPresence => ({ onlineStatus: 'offline', info: null, fault });

/** Without a key frame ffprobe finds no video in RTSP, whatever the camera has described. */
function isFinal(reason: StreamFaultReason, { scheme }: StreamAddress): boolean {
  const isRtsp = scheme === 'rtsp' || scheme === 'rtsps';
  return !VAGUE.includes(reason) && !(isRtsp && reason === 'no_video');
}

async function readFacts(
  address: StreamAddress,
  options: { cameraProxy: CameraProxy; binaries: FfmpegBinaries; timeoutMs: number },
): Promise<StreamFacts> {
  const { binaries, timeoutMs } = options;
  const deadlineMs = performance.now() + timeoutMs;
  const connection = await connectCamera(address, options);
  try {
    const leftMs = Math.max(500, Math.round(deadlineMs - performance.now()));
    const probed = await probeWithFfprobe({ ...connection, binaries, timeoutMs: leftMs });
    const { width, height, codec, fps } = probed;
    return { width, height, codec, sourceFps: fps === null ? null : fpsValue(fps) };
  } catch (error) {
    throw connection.faultOf(error);
  } finally {
    connection.close();
  }
}
