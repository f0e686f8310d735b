import { availableParallelism } from 'node:os';
import { networkPolicy } from '../../cameras/devices/camera-network.ts';
import { LanePool } from '../../lanes/lane-pool.ts';
import type { LaneOptions, LaneReady } from '../../lanes/lane-protocol.ts';
import { DEFAULT_MODEL } from '../../models/cards.ts';
import { chooseModel, type ModelWish, machineTools } from '../../models/choice/choose-model.ts';
import type { ChosenModel } from '../../models/choice/measurement.ts';
import { requireUsableModels } from '../../models/usable-models.ts';
import type { Context } from '../../platform/context.ts';
import type { NodeReason } from '../../platform/processes/node-reason.ts';
import { findFfmpegPatiently, oldRelease } from '../../video/ffmpeg/ffmpeg-binaries.ts';
import { type FoundHardware, findHardware } from '../../video/hardware/find-hardware.ts';
import type { NodeLock } from './node-lock.ts';
import { notifyNodeError } from './node-notices.store.ts';

/** More lanes take turns on the card: sixteen had a third of the frames of four. Their cameras also share fewer runs. */
const LANES_OF_A_GPU = 4;

export interface StartedLanes {
  readonly pool: LanePool;
  readonly ready: LaneReady;
  readonly chosen: ChosenModel;
  /** What decodes the video of cameras. */
  readonly decoding: FoundHardware;
  /** Why this node reads no network cameras and no recordings; null when it does. */
  readonly handicap: NodeReason | null;
}

/**
 * Starts the lanes, which load the model and measure it.
 * @throws Error saying why the model or ffmpeg cannot be used; the reason of `signal` once it is aborted
 */
export async function startLanes(
  context: Context,
  lock: NodeLock,
  signal: AbortSignal,
): Promise<StartedLanes> {
  const { config, db, logger: log } = context;
  const chosen = await chooseModel(
    modelWish(context),
    machineTools((sentence) => log.info({ step: 'models' }, sentence)),
  );
  if (chosen.providerReason) log.warn(chosen.providerReason.sentence);
  if (config.model === undefined && chosen.model !== DEFAULT_MODEL)
    log.info(
      `The detector is ${chosen.model}: it is as accurate as ${DEFAULT_MODEL}, and faster on this machine`,
    );
  if (chosen.batchSize > 1)
    log.info(`Up to ${chosen.batchSize} frames of several cameras are detected in one run`);
  const { ffmpeg } = await findFfmpegPatiently(config);
  const decoding = await findHardware(ffmpeg, config.hwaccel);
  // Most machines have none: with `auto` that is no reason to worry.
  if (decoding.reason) log[config.hwaccel === 'auto' ? 'info' : 'warn'](decoding.reason.sentence);
  const lane = laneOptions(context, chosen, decoding);
  await requireUsableModels(lane, config);
  const handicap = await ffmpegHandicap(lane);
  if (handicap) log.error(handicap.sentence);
  // Decoders have a lower priority, so that they need no core of their own: on two cores a second lane takes five more cameras.
  const cores = availableParallelism();
  const cpuLanes = config.lanes ?? cores;
  const lanes =
    chosen.executionProvider === 'cpu' ? cpuLanes : (config.lanes ?? Math.min(cores, LANES_OF_A_GPU));
  const onChild = (pid: number, isRunning: boolean) =>
    isRunning ? lock.addChild(pid) : lock.removeChild(pid);
  const silenceMs = config.laneSilenceSeconds * 1000;
  const pool = new LanePool({ lanes, cpuLanes, lane, silenceMs, log, onChild });
  // A model may take minutes to load. An abort does not wait for it.
  const end = () => void pool.stop();
  signal.addEventListener('abort', end);
  try {
    return { pool, ready: await pool.start(), chosen, decoding, handicap };
  } catch (error) {
    signal.throwIfAborted();
    // Without a database nobody can be notified, and the log alone has the error.
    await notifyNodeError(db, lock.nodeId).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

const modelWish = ({ config }: Context): ModelWish => ({
  model: config.model,
  executionProvider: config.executionProvider,
  attributeModels: config.attributeModels,
  modelsDir: config.modelsDir,
  cacheDir: config.modelCacheDir,
  threads: config.detectorThreads,
});

function laneOptions(context: Context, chosen: ChosenModel, { hardware }: FoundHardware): LaneOptions {
  const { config } = context;
  const { model, executionProvider, attributeProvider, batchSize } = chosen;
  return {
    ...modelWish(context),
    ...{ model, executionProvider, attributeProvider, batchSize },
    ffmpegPath: config.ffmpegPath,
    ffprobePath: config.ffprobePath,
    hardware,
    network: networkPolicy(config),
    watchdogMs: config.streamWatchdogSeconds * 1000,
    minAnalysisFps: config.minAnalysisFps,
    skipStillFrames: config.skipStillFrames,
    holdStillPeople: config.holdStillPeople,
    clockOffsetMs: 0,
  };
}

/** @returns why network cameras and recordings are not read here; null when they can. @throws StreamError without ffmpeg */
async function ffmpegHandicap({ network, ffmpegPath, ffprobePath }: LaneOptions): Promise<NodeReason | null> {
  if (!network.refusesOldFfmpeg) return null;
  const release = oldRelease(await findFfmpegPatiently({ ffmpegPath, ffprobePath }));
  if (release === null) return null;
  return {
    sentence:
      `Network cameras and recordings are not read here: ffmpeg or ffprobe is of release ${release}, and production wants 5 or later. ` +
      'Install a current ffmpeg, set FFMPEG_PATH and FFPROBE_PATH, or allow it with ALLOW_OLD_FFMPEG=true.',
    cause: { code: 'old_ffmpeg', release },
  };
}
