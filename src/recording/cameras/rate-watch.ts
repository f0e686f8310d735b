/** Of the wanted rate. */
const TOO_SLOW = 0.7;
/** Back over this it is well again: a camera at the edge changes nothing each moment. */
const WELL_AGAIN = 0.85;
/** The other one has to lose so much more of the frames before it is named instead. */
const STAY = 0.1;
const WINDOW_MS = 60_000;
/** A camera that begins is slow for other reasons. */
const START_MS = 10_000;
/** Without a frame from the camera for so long, or without a word of its lane, it is measured anew. */
const GAP_MS = 5_000;

/** `overloaded`: its node does not keep up with it. `slow`: the camera itself delivers too little. */
export type RateVerdict = 'well' | 'overloaded' | 'slow';

/** What the lane of a camera has counted. The counters begin anew with each of its lives. */
export interface RateSample {
  /** Monotonic ms. */
  readonly atMs: number;
  /** Frames that were analysed. */
  readonly processed: number;
  /** Moments at which a frame came from the camera, at most as many as are wanted. */
  readonly delivered: number;
  /** Frames a second that are to be analysed. */
  readonly wanted: number;
  /** Frames a second that come for certain, however late they are noticed; null of a camera. */
  readonly ownFps: number | null;
  /** Something is wrong with the camera: it is not its node that is too slow. */
  readonly isOut: boolean;
}

/** What is known of the rate of a camera. */
export interface RateState {
  readonly verdict: RateVerdict;
  /** Of the last minute, the newest last; empty before the first. */
  readonly samples: readonly RateSample[];
  /** Monotonic ms of the newest sample with a frame that the one before did not have. */
  readonly frameMs: number;
  /** When measuring began anew. */
  readonly sinceMs: number;
}

export const UNMEASURED: RateState = { verdict: 'well', samples: [], frameMs: 0, sinceMs: 0 };

/** The state after a sample; call it about once a second. A verdict needs a whole minute without a gap. */
export function withSample(state: RateState, sample: RateSample): RateState {
  const { atMs } = sample;
  const last = state.samples.at(-1);
  const anew: RateState = { verdict: 'well', samples: [sample], frameMs: atMs, sinceMs: atMs };
  if (sample.isOut || !last || isAnother(last, sample)) return anew;
  const frameMs = sample.delivered > last.delivered ? atMs : state.frameMs;
  if (atMs - frameMs > GAP_MS) return anew;
  // The first seconds are not measured.
  if (atMs - state.sinceMs < START_MS) return { ...state, samples: [sample], frameMs };
  const samples = withinWindow([...state.samples, sample]);
  return { ...state, samples, frameMs, verdict: judge(state.verdict, samples) };
}

/** Frames a second since measuring began, over a minute at most; null before there is anything to tell. */
export function ratesOf({ samples }: RateState): { processed: number; delivered: number } | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs <= first.atMs) return null;
  const perSecond = (frames: number) => (frames * 1000) / (last.atMs - first.atMs);
  return {
    processed: perSecond(last.processed - first.processed),
    delivered: perSecond(last.delivered - first.delivered),
  };
}

const isAnother = (last: RateSample, { atMs, processed, delivered, wanted }: RateSample): boolean =>
  processed < last.processed ||
  delivered < last.delivered ||
  wanted !== last.wanted ||
  atMs - last.atMs > GAP_MS;

/** The fewest of the newest that make a whole minute. */
function withinWindow(samples: readonly RateSample[]): readonly RateSample[] {
  const endMs = samples.at(-1)!.atMs;
  const from = samples.findLastIndex(({ atMs }) => endMs - atMs >= WINDOW_MS);
  return from > 0 ? samples.slice(from) : samples;
}

function judge(before: RateVerdict, samples: readonly RateSample[]): RateVerdict {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  if (last.atMs - first.atMs < WINDOW_MS) return before;
  const { processed, delivered } = ratesOf({ ...UNMEASURED, samples })!;
  const sent = last.ownFps ?? delivered;
  // Of a camera that sends too little one frame may be analysed twice: ffmpeg fills up.
  const analysed = Math.min(processed, sent);
  const share = analysed / last.wanted;
  const ofNode = analysed / sent;
  const ofCamera = sent / last.wanted;
  // Whoever loses more.
  const isOfNode = ofNode < ofCamera + (before === 'overloaded' ? STAY : before === 'slow' ? -STAY : 0);
  const cause = isOfNode ? 'overloaded' : 'slow';
  if (share < TOO_SLOW) return cause;
  return share < WELL_AGAIN && cause === before ? before : 'well';
}
