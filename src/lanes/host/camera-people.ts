import type { FrameRing } from '../../video/frame-ring.ts';
import { AttributeWatch } from '../../vision/attributes/attribute-watch.ts';
import type { Budget } from '../../vision/attributes/budget.ts';
import type { CombinedAttributeModel } from '../../vision/attributes/combined-attribute-model.ts';
import type { SensitiveGroup } from '../../vision/attributes/keys.ts';
import type { Frame } from '../../vision/frame.ts';
import type { Detection } from '../../vision/types.ts';
import type { RunObservation, RunPeople } from '../lane-protocol.ts';
import type { Turns } from '../turns.ts';

export interface CameraPeopleParts {
  /** Null while the models are loading. */
  readonly attributeModels: () => CombinedAttributeModel | null;
  /** Shared by all cameras of the lane. */
  readonly budget: Budget;
  readonly turns: Turns;
  readonly frames: FrameRing;
  readonly onPeople: (runs: readonly RunPeople[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Classifies attributes of the people of a camera: one crop at a time, within the budget of the lane, because frames come first. */
export class CameraPeople {
  readonly #parts: CameraPeopleParts;
  readonly #watches = new Map<string, AttributeWatch>();
  #groups = '';
  #isClassifying = false;

  constructor(parts: CameraPeopleParts) {
    this.#parts = parts;
  }

  /** Call it with each analysed frame. */
  see(
    frame: Frame,
    runs: readonly RunObservation[],
    { detections, groups }: { detections: readonly Detection[]; groups: readonly SensitiveGroup[] },
  ): void {
    const attributeModels = this.#parts.attributeModels();
    if (!attributeModels) return;
    // What was found of a group that is now switched off is forgotten.
    if (groups.join() !== this.#groups) this.#watches.clear();
    this.#groups = groups.join();
    for (const runId of this.#watches.keys()) {
      if (!runs.some((run) => run.runId === runId)) this.#watches.delete(runId);
    }
    for (const { runId, observation } of runs) {
      const watch = this.#watches.get(runId) ?? new AttributeWatch(attributeModels, groups);
      this.#watches.set(runId, watch);
      watch.see(frame, observation.tracks, detections);
    }
    this.#classify();
  }

  #classify(): void {
    const { budget, turns, onError } = this.#parts;
    if (this.#isClassifying || !budget.allows(performance.now())) return;
    this.#isClassifying = true;
    void turns
      .take(() => this.#classifyOnce())
      .catch((error: unknown) => {
        onError(error);
        return false;
      })
      .then((hasClassified) => {
        this.#isClassifying = false;
        // Not in the same turn: frames that arrived meanwhile come first.
        if (hasClassified) this.#classify();
      });
  }

  /** @returns false when there was no crop to classify, or no time for it */
  async #classifyOnce(): Promise<boolean> {
    const { budget, frames, onPeople } = this.#parts;
    const startMs = performance.now();
    // Another camera may have used the budget meanwhile.
    if (!budget.allows(startMs)) return false;
    for (const [runId, watch] of this.#watches) {
      if (!(await watch.classifyNext((index) => frames.get(index)))) continue;
      budget.spent(performance.now() - startMs);
      onPeople([{ runId, people: watch.takeChanges() }]);
      return true;
    }
    return false;
  }
}
