import { loadRules } from '../alerts/firing.store.ts';
import { MODELS_DIR } from '../config.ts';
import { streamPolicy } from '../devices/camera-network.ts';
import { checkStreamUrl, openStreamUrl } from '../devices/stream-url.ts';
import { loadRecords } from '../metrics/recorder.store.ts';
import { coveredKeys } from '../models/covered-keys.ts';
import type { Context } from '../platform/context.ts';
import type { ClaimedRun } from '../runs/claim-runs.store.ts';
import { sceneConfigSchema } from '../vision/scene-config.ts';
import { ActiveRun, type FrameCounts } from './active-run.ts';

/** A run that cannot be worked on: one sentence for whoever started it. */
export class UnusableRun extends Error {}

/** A stream as it is stored. */
export interface SealedStream {
  readonly streamUrlEncrypted: string;
  /** Where its user's streams may lead; empty: none of their own. */
  readonly streamNetworks: readonly string[];
}

/**
 * The address of a stream, checked again right before it is opened: what is allowed may have changed.
 * @throws UnusableRun when it is refused
 */
export function streamUrl(
  { config, sealer }: Pick<Context, 'config' | 'sealer'>,
  { streamUrlEncrypted, streamNetworks }: SealedStream,
): string {
  const url = openStreamUrl(sealer, streamUrlEncrypted);
  const checked = checkStreamUrl(url, streamPolicy(config, streamNetworks));
  if ('fault' in checked) throw new UnusableRun(`The stream address ${checked.fault}.`);
  return checked.url;
}

export interface Adoption {
  readonly nodeId: string;
  /** Monotonic ms of the claim. */
  readonly claimedAtMs: number;
  /** Frame time. */
  readonly nowMs: number;
  readonly counted: FrameCounts;
}

/**
 * Takes a run up where it was left: its numbers from the tables, its open visits from the checkpoint.
 * @throws UnusableRun when its scene cannot be used
 */
export async function loadRun(
  { config, db }: Pick<Context, 'config' | 'db'>,
  claim: ClaimedRun,
  { nodeId, claimedAtMs, nowMs, counted }: Adoption,
): Promise<ActiveRun> {
  const scene = sceneConfigSchema.safeParse(claim.config);
  if (!scene.success) {
    throw new UnusableRun(`The scene's configuration cannot be used: ${scene.error.issues[0]?.message}.`);
  }
  const { stored, sinceMs } = await loadRecords(db, { sceneId: claim.sceneId, taskId: claim.id, nowMs });
  const run = new ActiveRun(claim, {
    nodeId,
    config: scene.data,
    stored,
    sinceMs,
    counted,
    claimedAtMs,
    leaseUntilMs: claimedAtMs + config.leaseSeconds * 1000,
    attributeModels: config.attributeModels,
    coveredKeys: await coveredKeys(config.attributeModels, MODELS_DIR),
  });
  run.rules.load((await loadRules(db, [claim.sceneId])).get(claim.sceneId) ?? []);
  return run;
}
