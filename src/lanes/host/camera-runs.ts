import type { Frame } from '../../vision/frame.ts';
import { type FrameWatchers, observeFrame } from '../../vision/observe-frame.ts';
import { ScenePipeline } from '../../vision/pipeline.ts';
import type { Look, StillFrames } from '../../vision/still/still-frames.ts';
import type { LaneScene, RunCheckpoint, RunObservation } from '../lane-protocol.ts';

interface SceneRun {
  readonly runId: string;
  readonly pipeline: ScenePipeline;
  /** The scene analyses people, not vehicles. */
  readonly hasPeople: boolean;
}

type OnRunEnded = (runId: string, endOfStream: boolean, last: RunObservation | null) => void;

export interface ObservedFrame {
  readonly observations: readonly RunObservation[];
  /** Those of scenes that analyse people. */
  readonly ofPeople: readonly RunObservation[];
  /** Null: the frame was skipped, because nothing had changed. */
  readonly look: Look | null;
}

/** The runs of one camera. Each has its own pipeline over the detections that they share. */
export class CameraRuns {
  readonly #onEnded: OnRunEnded;
  #runs: readonly SceneRun[];
  /** Runs that end after the frame in progress. */
  #draining: readonly SceneRun[] = [];
  #lastTimeMs: number | null = null;
  readonly #still: StillFrames | undefined;

  /** @param still undefined: no frame is skipped */
  constructor(scenes: readonly LaneScene[], onEnded: OnRunEnded, still?: StillFrames) {
    this.#onEnded = onEnded;
    this.#still = still;
    this.#runs = scenes.map(startRun);
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  get #all(): readonly SceneRun[] {
    return [...this.#runs, ...this.#draining];
  }

  /** Starts new scenes with the next frame, and ends the runs that are not in `scenes`: now, or with `endDrained`. */
  set(scenes: readonly LaneScene[], drain: boolean): void {
    const before = this.#all;
    // A new scene may look for what the others leave out.
    this.#still?.forget();
    this.#runs = scenes.map((scene) => before.find(({ runId }) => runId === scene.runId) ?? startRun(scene));
    const gone = before.filter((run) => !this.#runs.includes(run));
    this.#draining = drain ? gone : [];
    if (!drain) for (const run of gone) this.#end(run, false);
  }

  /** Leaves the runs to another camera stream: they do not end here. */
  leave(): RunCheckpoint[] {
    const checkpoints = this.checkpoints(() => true);
    this.#runs = [];
    this.#draining = [];
    return checkpoints;
  }

  checkpoints(isDue: (runId: string) => boolean): RunCheckpoint[] {
    return this.#all
      .filter(({ runId }) => isDue(runId))
      .map(({ runId, pipeline }) => ({ runId, checkpoint: pipeline.checkpoint() }));
  }

  /** @param look with `mustLook` it is not skipped */
  async observe(
    frame: Frame,
    look: Pick<FrameWatchers, 'detector' | 'view' | 'mustLook'>,
  ): Promise<ObservedFrame> {
    const runs = this.#all;
    const scenes = runs.map(({ pipeline }) => pipeline);
    let seen: Look | null = null;
    const onLook = (last: Look) => {
      seen = last;
    };
    const watchers = { ...look, scenes, still: this.#still, onLook };
    const observed = await observeFrame(frame, watchers);
    this.#lastTimeMs = frame.timeMs;
    const still = observed.flatMap((observation, at) => {
      const run = runs[at];
      // A run that was removed meanwhile has sent its last message.
      if (!run || !this.#all.includes(run)) return [];
      const { runId, pipeline, hasPeople } = run;
      return [{ hasPeople, observed: { runId, observation, openVisits: pipeline.openVisits } }];
    });
    const observations = still.map((one) => one.observed);
    const ofPeople = still.filter(({ hasPeople }) => hasPeople).map((one) => one.observed);
    return { observations, ofPeople, look: seen };
  }

  endDrained(): void {
    const drained = this.#draining;
    this.#draining = [];
    for (const run of drained) this.#end(run, false);
  }

  end(endOfStream: boolean): void {
    const runs = this.#all;
    this.#runs = [];
    this.#draining = [];
    for (const run of runs) this.#end(run, endOfStream);
  }

  /** The open visits of the run become `lost`, which is reported like any other change. */
  #end({ runId, pipeline }: SceneRun, endOfStream: boolean): void {
    const last =
      this.#lastTimeMs === null
        ? null
        : { runId, observation: pipeline.close(this.#lastTimeMs), openVisits: [] };
    this.#onEnded(runId, endOfStream, last);
  }
}

function startRun({ sceneId, runId, config, checkpoint }: LaneScene): SceneRun {
  const hasPeople = config.parameters.class === 'person';
  return { runId, pipeline: new ScenePipeline({ sceneId, config, checkpoint }), hasPeople };
}
