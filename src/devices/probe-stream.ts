import type { Config } from '../config.ts';
import { type FfmpegBinaries, findFfmpeg } from '../video/ffmpeg/ffmpeg-binaries.ts';
import { probeWithFfprobe } from '../video/probe/ffprobe.ts';
import { fpsValue } from '../video/probe/probed-stream.ts';
import { quickProbe } from '../video/probe/quick-probe.ts';
import { type CameraProxy, connectCamera } from '../video/proxy/camera-proxy.ts';
import { StreamError, type StreamFault, type StreamFaultReason } from '../video/stream-error.ts';
import { parseStreamUrl, type StreamAddress } from '../video/stream-url.ts';
import { cameraProxyFor } from './camera-network.ts';

/** What a stream sends. Pixels; frames a second, null where it does not say. */
export interface StreamFacts {
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  readonly sourceFps: number | null;
}

export interface ProbedPresence {
  readonly onlineStatus: 'online' | 'offline';
  /** Null where it was described without them, or not at all. */
  readonly info: StreamFacts | null;
  /** Null when it is online. */
  readonly fault: StreamFault | null;
}

/** Somebody waits for the answer: together less than the ten seconds within which it is promised. */
const LIMITS = { probeMs: 6_000, lookMs: 2_500 };
/** ffprobe may have waited in vain for a key frame, or may not be asked; the camera itself may say more. */
const NOT_THE_LAST_WORD: readonly StreamFaultReason[] = ['timeout', 'broken_off', 'unreadable', 'old_ffmpeg'];
/** What ffprobe could not find otherwise. */
const CERTAIN: readonly StreamFaultReason[] = [
  ...(['host_unknown', 'unreachable', 'connection_refused', 'wrong_credentials', 'access_denied'] as const),
  ...(['no_such_stream', 'address_not_allowed', 'tls_failed'] as const),
];

/** What is wanted: whether a video is there, or its size and rate as well, which may take until its next key frame. */
export type ProbedFor = 'presence' | 'facts';

/**
 * Looks whether a stream can be read now, through the cameraProxy: first by the small question, then by ffprobe.
 * @param url as it is kept; @param asked the networks of its user, what is wanted, and limits in milliseconds
 * @throws Error when ffprobe itself does not work
 */
export async function probeStream(
  url: string,
  config: Config,
  asked: { networks: readonly string[]; wanted?: ProbedFor; limits?: typeof LIMITS },
): Promise<ProbedPresence> {
  const { networks, wanted = 'facts', limits = LIMITS } = asked;
  const cameraProxy = cameraProxyFor(config, networks);
  const address = parseStreamUrl(url);
  // A simulation is drawn here: it is always there.
  if (address.scheme === 'sim') return { onlineStatus: 'online', info: null, fault: null };
  const isFile = address.scheme === 'file';
  const look = { guard: cameraProxy.guard, timeoutMs: limits.lookMs };
  const seen = isFile ? null : await quickProbe(url, look);
  const isDescribed = seen?.onlineStatus === 'online';
  if (isDescribed && wanted === 'presence') return { onlineStatus: 'online', info: null, fault: null };
  if (seen?.fault && CERTAIN.includes(seen.fault.reason)) return offline(seen.fault);
  try {
    const binaries = await binariesOf(config);
    const info = await askFfprobe(address, { cameraProxy, binaries, timeoutMs: limits.probeMs });
    return { onlineStatus: 'online', info, fault: null };
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    if (isLastWord(error.reason, address)) return offline(error.fault);
    // A camera that describes a video has one, even where its next key frame takes a while.
    if (isDescribed) return { onlineStatus: 'online', info: null, fault: null };
    const isClearer = seen?.fault && !NOT_THE_LAST_WORD.includes(seen.fault.reason);
    return offline(isClearer ? seen.fault : error.fault);
  }
}

const offline = (fault: StreamFault): ProbedPresence => ({ onlineStatus: 'offline', info: null, fault });

/** Without a key frame ffprobe sees no video in RTSP, whatever the camera has described. */
function isLastWord(reason: StreamFaultReason, { scheme }: StreamAddress): boolean {
  const isRtsp = scheme === 'rtsp' || scheme === 'rtsps';
  return !NOT_THE_LAST_WORD.includes(reason) && !(isRtsp && reason === 'no_video');
}

async function askFfprobe(
  address: StreamAddress,
  {
    cameraProxy,
    binaries,
    timeoutMs,
  }: { cameraProxy: CameraProxy; binaries: FfmpegBinaries; timeoutMs: number },
): Promise<StreamFacts> {
  const deadlineMs = performance.now() + timeoutMs;
  const { close, ...connection } = await connectCamera(address, { cameraProxy, binaries, timeoutMs });
  try {
    const leftMs = Math.max(500, Math.round(deadlineMs - performance.now()));
    const { width, height, codec, fps } = await probeWithFfprobe({
      ...connection,
      binaries,
      timeoutMs: leftMs,
    });
    return { width, height, codec, sourceFps: fps === null ? null : fpsValue(fps) };
  } finally {
    close();
  }
}

const found = new WeakMap<Config, Promise<FfmpegBinaries>>();

/** Looked for once per program, until they are found. */
function binariesOf(config: Config): Promise<FfmpegBinaries> {
  const known = found.get(config);
  if (known) return known;
  const search = findFfmpeg({ ffmpegPath: config.ffmpegPath, ffprobePath: config.ffprobePath });
  found.set(config, search);
  search.catch(() => found.delete(config));
  return search;
}
