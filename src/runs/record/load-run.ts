import { loadFeet } from '../../metrics/floor/feet/feet.store.ts';
import { loadFloor } from '../../metrics/floor/floor.store.ts';
import { loadRecords } from '../../metrics/recorder.store.ts';
import { loadTills } from '../../metrics/tills/till.store.ts';
import { loadLine } from '../../metrics/waits/line.store.ts';
import { coveredKeys } from '../../models/covered-keys.ts';
import type { Context } from '../../platform/context.ts';
import { sceneConfigSchema } from '../../vision/scene-config.ts';
import type { ClaimedRun } from '../store/claim-runs.store.ts';
import { ActiveRun } from './active-run.ts';
import { loadRunRules } from './alerts/load-run-rules.ts';
import type { FrameCounts } from './run-statistics.ts';

/** A run that cannot be executed. The message is one sentence for the user. */
export class UnusableRun extends Error {}

export interface LoadOptions {
  readonly nodeId: string;
  /** Monotonic ms of the claim. */
  readonly claimedAtMs: number;
  /** Frame time of cameras. */
  readonly nowMs: number;
  readonly counted: FrameCounts;
}

/**
 * Loads a run so that it continues where it stopped: its metrics from the tables, its open visits from the checkpoint.
 * @throws UnusableRun when the configuration of its scene cannot be used
 */
export async function loadRun(
  { config, db, logger }: Pick<Context, 'config' | 'db' | 'logger'>,
  claim: ClaimedRun,
  { nodeId, claimedAtMs, nowMs, counted }: LoadOptions,
): Promise<ActiveRun> {
  const scene = sceneConfigSchema.safeParse(claim.config);
  if (!scene.success) {
    throw new UnusableRun(`The scene's configuration cannot be used: ${scene.error.issues[0]?.message}.`);
  }
  const { sceneId, id: taskId, recording, lastFrameAt } = claim;
  const lastFrameMs = (recording && lastFrameAt?.getTime()) ?? null;
  const frameMs = lastFrameMs ?? recording?.recordedAtMs ?? nowMs;
  const { stored, sinceMs } = await loadRecords(db, { sceneId, taskId, nowMs: frameMs });
  const { line, refused } = await loadLine(db, {
    ...{ sceneId, taskId, nowMs: frameMs, lastFrameMs: lastFrameAt?.getTime() ?? null },
  });
  if (refused > 0)
    logger.warn({ sceneId, refused }, 'visits whose times cannot be true teach nothing about waits');
  const run = new ActiveRun(claim, {
    line,
    stored: { ...stored, lastFrameMs },
    sinceMs,
    floor: await loadFloor(db, sceneId, frameMs),
    feet: await loadFeet(db, sceneId),
    tills: scene.data.zones.tills
      ? await loadTills(db, sceneId, Math.min(frameMs, lastFrameAt?.getTime() ?? frameMs))
      : [],
    nodeId,
    config: scene.data,
    counted,
    claimedAtMs,
    leaseUntilMs: claimedAtMs + config.leaseSeconds * 1000,
    attributeModels: config.attributeModels,
    coveredKeys: await coveredKeys(config.attributeModels, config.modelsDir),
  });
  if (!run.isRecording) await loadRunRules(db, [run]);
  return run;
}
