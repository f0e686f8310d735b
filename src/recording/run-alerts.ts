import { loadRules } from '../alerts/firing.store.ts';
import type { LanePicture } from '../lanes/lane-pool.ts';
import { AlertRecorder, type FiredFrame } from './alerts/alert-recorder.ts';
import { type AlertContext, recordAbandonedAlerts } from './alerts/record-alert.ts';
import type { NodeRuns } from './node-runs.ts';
import type { UserWriteQueue } from './user-write-queue.ts';

export interface RunAlertsParts {
  readonly context: AlertContext;
  readonly turns: UserWriteQueue;
  readonly held: NodeRuns;
  readonly picture: (deviceId: string, frameIndex: number, timeoutMs: number) => Promise<LanePicture>;
  readonly onError: (error: unknown) => void;
}

/** The rules of the runs a node holds, and what they fire. */
export class RunAlerts {
  readonly #parts: RunAlertsParts;
  readonly #desk: AlertRecorder;

  constructor(parts: RunAlertsParts) {
    this.#parts = parts;
    const { context, turns, picture } = parts;
    this.#desk = new AlertRecorder({
      context,
      turns,
      picture,
      onRefused: (runId, ruleId) => this.#refused(runId, ruleId),
    });
  }

  /** With every renewal: whatever was missed is seen then, and what dead workers left is recorded. */
  async renew(): Promise<void> {
    await this.load();
    await recordAbandonedAlerts(this.#parts.context);
  }

  /** Rules of a scene, or of any, may have changed. */
  async load(sceneId?: string): Promise<void> {
    const { context, held } = this.#parts;
    const runs = held.all.filter(({ claim }) => sceneId === undefined || claim.sceneId === sceneId);
    const rules = await loadRules(
      context.db,
      runs.map(({ claim }) => claim.sceneId),
    );
    for (const { claim, rules: watch } of runs) watch.load(rules.get(claim.sceneId) ?? []);
  }

  /** @param fired null: nothing did */
  take(fired: FiredFrame | null): void {
    if (fired) this.#desk.take(fired);
  }

  /** Tries what is not decided yet; that of runs about to end is waited for. */
  retry(ending: readonly { readonly id: string }[]): Promise<void> {
    return this.#desk.retry(ending.map(({ id }) => id));
  }

  /** Records what is decided; then nothing of it is under way any more. */
  close(): Promise<void> {
    return this.#desk.close();
  }

  forget(runId: string): void {
    this.#desk.forget(runId);
  }

  /** What is stored of the rule counts, not what was evaluated here. */
  #refused(runId: string, ruleId: string): void {
    const run = this.#parts.held.get(runId);
    if (!run) return;
    run.rules.forget(ruleId);
    this.load(run.claim.sceneId).catch(this.#parts.onError);
  }
}
