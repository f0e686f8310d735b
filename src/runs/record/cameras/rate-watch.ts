/** Below this share of the requested rate a camera is analysed too slowly. */
const TOO_SLOW = 0.7;
/** From this share on the rate is normal again, so that a camera near the limit does not change all the time. */
const NORMAL_AGAIN = 0.85;
/** The other cause has to lose this much more of the frames before it replaces the named one. */
const KEEP_CAUSE = 0.1;
const WINDOW_MS = 60_000;
/** The first seconds of a camera are slow for other reasons and are not measured. */
const START_MS = 10_000;
/** After this time without a frame or without a report of the lane, measuring starts again. */
const GAP_MS = 5_000;

/** `overloaded`: the node is too slow for the camera. `slow`: the camera delivers too few frames. */
export type RateVerdict = 'normal' | 'overloaded' | 'slow';

/** The counters of a camera's lane. They start at 0 with each lane. */
export interface RateSample {
  /** Monotonic ms. */
  readonly atMs: number;
  /** Analysed frames. */
  readonly processed: number;
  /** Moments at which frames arrived from the camera, at most at the requested rate. */
  readonly delivered: number;
  /** Frames per second that are to be analysed. */
  readonly requestedFps: number;
  /** Frames per second of a simulation or recording, which arrive for certain; null for a camera. */
  readonly ownFps: number | null;
  /** Bytes of the camera wait to be decoded. */
  readonly isDecoderBehind: boolean;
  /** The camera has a fault: the node is not the reason. */
  readonly hasFault: boolean;
}

/** What is known of the rate of a camera. */
export interface RateState {
  readonly verdict: RateVerdict;
  /** Samples of the last minute, the newest last; empty before the first. */
  readonly samples: readonly RateSample[];
  /** Monotonic ms of the newest sample with a new frame. */
  readonly frameMs: number;
  /** Monotonic ms at which measuring started. */
  readonly sinceMs: number;
}

export const UNMEASURED: RateState = { verdict: 'normal', samples: [], frameMs: 0, sinceMs: 0 };

/** The state after a sample; call it about once a second. A verdict needs a whole minute without a gap. */
export function withSample(state: RateState, sample: RateSample): RateState {
  const { atMs } = sample;
  const last = state.samples.at(-1);
  const restarted: RateState = { verdict: 'normal', samples: [sample], frameMs: atMs, sinceMs: atMs };
  if (sample.hasFault || !last || isRestart(last, sample)) return restarted;
  const frameMs = sample.delivered > last.delivered ? atMs : state.frameMs;
  if (atMs - frameMs > GAP_MS) return restarted;
  if (atMs - state.sinceMs < START_MS) return { ...state, samples: [sample], frameMs };
  const samples = withinWindow([...state.samples, sample], atMs);
  return { ...state, samples, frameMs, verdict: verdictOf(state.verdict, samples, sample) };
}

/** Frames per second since measuring started, over a minute at most; null before there are two samples. */
export function ratesOf({
  samples,
}: Pick<RateState, 'samples'>): { processed: number; delivered: number } | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs <= first.atMs) return null;
  const perSecond = (frames: number) => (frames * 1000) / (last.atMs - first.atMs);
  return {
    processed: perSecond(last.processed - first.processed),
    delivered: perSecond(last.delivered - first.delivered),
  };
}

/** Whether the decoder was behind for most of the measured time, so that the camera may have sent more than it delivered. */
export const isDecoderBehind = ({ samples }: Pick<RateState, 'samples'>): boolean =>
  samples.filter((sample) => sample.isDecoderBehind).length > samples.length / 2;

/** The lane is another one, the requested rate has changed, or the lane has not reported for too long. */
const isRestart = (last: RateSample, { atMs, processed, delivered, requestedFps }: RateSample): boolean =>
  processed < last.processed ||
  delivered < last.delivered ||
  requestedFps !== last.requestedFps ||
  atMs - last.atMs > GAP_MS;

/** The fewest of the newest samples that cover a whole minute. */
function withinWindow(samples: readonly RateSample[], endMs: number): readonly RateSample[] {
  const from = samples.findLastIndex(({ atMs }) => endMs - atMs >= WINDOW_MS);
  return from > 0 ? samples.slice(from) : samples;
}

function verdictOf(before: RateVerdict, samples: readonly RateSample[], last: RateSample): RateVerdict {
  const [first] = samples;
  const rates = ratesOf({ samples });
  if (!first || !rates || last.atMs - first.atMs < WINDOW_MS) return before;
  const { processed, delivered } = rates;
  const came = last.ownFps ?? delivered;
  // What waits to be decoded was sent.
  const sent = isDecoderBehind({ samples }) ? Math.max(came, last.requestedFps) : came;
  // Frames of a file that has too few are repeated: the same frame may be analysed twice.
  const analysed = Math.min(processed, came);
  const share = analysed / last.requestedFps;
  const shareOfNode = analysed / sent;
  const shareOfCamera = sent / last.requestedFps;
  const keep = before === 'overloaded' ? KEEP_CAUSE : before === 'slow' ? -KEEP_CAUSE : 0;
  // The one that loses more frames is the cause.
  const cause = shareOfNode < shareOfCamera + keep ? 'overloaded' : 'slow';
  if (share < TOO_SLOW) return cause;
  return share < NORMAL_AGAIN && cause === before ? before : 'normal';
}
