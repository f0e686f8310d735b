/** CPU seconds that the processes of a node have used since they were started. */
export interface ProcessorUse {
  /** Of the lanes, without their ffmpegs. */
  readonly lanes: number;
  /** Of worker, lanes and ffmpegs together. */
  readonly all: number;
}

/** The same, with the ffmpegs alone. */
export interface NodeUse extends ProcessorUse {
  /** Of the ffmpegs that the lanes have started, also of those that have ended: decoding. */
  readonly decoders: number;
}

/** What a mean camera of the node needs, in cores: 0.1 is a tenth of one. */
export interface CameraCost {
  /** In its lane: detection at the sizes in use, tracking, pipes. */
  readonly lane: number;
  /** Together with decoding and its share of the worker. */
  readonly all: number;
}

/** The most that cameras cost in an hour. */
interface HourlyCost extends CameraCost {
  readonly startMs: number;
}

/** The measured costs, and the measurement that is under way. Times are monotonic ms. */
export interface CostState {
  readonly cameras: number;
  readonly camerasSinceMs: number;
  /** The beginning of the measurement; null until the cameras have settled. */
  readonly first: { readonly atMs: number; readonly use: ProcessorUse } | null;
  /** Of the last day, the oldest first. */
  readonly hours: readonly HourlyCost[];
}

export const UNKNOWN_COSTS: CostState = { cameras: 0, camerasSinceMs: 0, first: null, hours: [] };

/** Opening a stream and compiling code cost more than reading on. */
const SETTLE_MS = 10_000;
const WINDOW_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of a core. The rest is for other programs, and for frames that arrive at the same moment. */
const USABLE_SHARE = 0.85;

/** The state after a sample; call it about once a second. */
export function withUse(state: CostState, cameras: number, use: ProcessorUse, nowMs: number): CostState {
  const { first, camerasSinceMs } = state;
  // A process that was replaced takes its CPU time with it.
  const isRestarted = first !== null && (use.all < first.use.all || use.lanes < first.use.lanes);
  if (cameras !== state.cameras || isRestarted)
    return { ...state, cameras, camerasSinceMs: nowMs, first: null };
  if (cameras === 0 || nowMs - camerasSinceMs < SETTLE_MS) return state;
  if (first === null) return { ...state, first: { atMs: nowMs, use } };
  const tookMs = nowMs - first.atMs;
  if (tookMs < WINDOW_MS) return state;
  const ofOne = (seconds: number) => (seconds * 1000) / tookMs / cameras;
  const cost = { lane: ofOne(use.lanes - first.use.lanes), all: ofOne(use.all - first.use.all) };
  return { ...state, first: { atMs: nowMs, use }, hours: withCost(state.hours, cost, nowMs) };
}

function withCost(hours: readonly HourlyCost[], cost: CameraCost, nowMs: number): readonly HourlyCost[] {
  const kept = hours.filter(({ startMs }) => nowMs - startMs < DAY_MS + HOUR_MS);
  const last = kept.at(-1);
  if (!last || nowMs - last.startMs >= HOUR_MS) return [...kept, { ...cost, startMs: nowMs }];
  return [...kept.slice(0, -1), { ...largest(last, cost), startMs: last.startMs }];
}

const largest = (a: CameraCost, b: CameraCost): CameraCost => ({
  lane: Math.max(a.lane, b.lane),
  all: Math.max(a.all, b.all),
});

/** What a camera of this node costs in its dearest hour of the last day; null while nothing was measured. */
export const costOf = ({ hours }: Pick<CostState, 'hours'>): CameraCost | null =>
  hours.length === 0 ? null : hours.reduce<CameraCost>(largest, { lane: 0, all: 0 });

/** Whether a whole day was measured, so that quiet hours are not taken for all. */
export const isWholeDay = ({ hours: [first] }: Pick<CostState, 'hours'>, nowMs: number): boolean =>
  first !== undefined && nowMs - first.startMs >= DAY_MS;

/** The number of cameras of this cost that a machine takes; at least 1. */
export function camerasAt(
  { lane, all }: CameraCost,
  { cores, lanes }: { cores: number; lanes: number },
): number {
  const fitting = Math.min((cores * USABLE_SHARE) / all, (lanes * USABLE_SHARE) / lane);
  return Math.max(1, Math.floor(fitting));
}
