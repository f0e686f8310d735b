import type { TotalMetrics } from '../../src/catalogue/metrics/all.ts';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import type { ScenePipeline } from '../../src/vision/pipeline.ts';
import type { AnalysedPart } from '../../src/vision/region.ts';
import type { TillSecond } from '../../src/vision/tills/till-watch.ts';
import type { SceneConfig, Visit, VisitOutcome } from '../../src/vision/types.ts';
import type { StaffCounts } from '../../src/vision/zones/staff.ts';
import { serviceSeconds, waitSeconds } from '../../src/vision/zones/visit-states.ts';

/** Times in seconds of the video; null where there is none. */
export interface ReplayedVisit {
  readonly trackId: number;
  readonly queueEnteredAt: number | null;
  readonly queueLeftAt: number | null;
  readonly serviceStartedAt: number | null;
  readonly serviceEndedAt: number | null;
  readonly outcome: VisitOutcome;
  readonly waitSeconds: number | null;
  readonly serviceSeconds: number | null;
  /** In a scene with tills: the services at each. */
  readonly services?: readonly ReplayedService[];
}

export interface ReplayedService {
  readonly tillId: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

export interface Replay {
  /** Analysed frames. */
  readonly frames: number;
  /** Length of the analysed part of the video. */
  readonly seconds: number;
  readonly visits: readonly ReplayedVisit[];
  readonly totals: TotalMetrics;
  /** Null where the scene has no staff zone. */
  readonly staff: StaffCounts | null;
  /** With `--region`: the part of the picture that the detector saw, and the size of its network. */
  readonly part?: AnalysedPart;
}

/** Collects the visits and metrics of a scene from the first frame to the last. */
export class ReplayRecord {
  readonly #scene: ScenePipeline;
  readonly #metrics: QueueMetrics;
  readonly #visits = new Map<number, Visit>();
  #lastMs = 0;
  frames = 0;
  /** States of tills that became final with the end. */
  lastTillSeconds: readonly TillSecond[] = [];

  constructor(scene: ScenePipeline, { zones }: SceneConfig) {
    this.#scene = scene;
    this.#metrics = new QueueMetrics({ zones });
  }

  add(timeMs: number, changes: readonly Visit[]): void {
    this.frames++;
    this.#take(timeMs, changes);
  }

  /** Visits that are still open get the outcome `lost`, because the video does not show how they continue. */
  finish(fps: number): Replay {
    const { changes, staff, tills } = this.#scene.close(this.#lastMs);
    this.lastTillSeconds = tills?.settled ?? [];
    this.#take(this.#lastMs, changes);
    const visits = [...this.#visits.values()].sort((a, b) => beginMs(a) - beginMs(b));
    return {
      frames: this.frames,
      seconds: this.frames === 0 ? 0 : Math.round(this.#lastMs + 1000 / fps) / 1000,
      visits: visits.map(present),
      totals: this.#metrics.at(this.#lastMs).total,
      staff,
    };
  }

  #take(timeMs: number, changes: readonly Visit[]): void {
    this.#lastMs = timeMs;
    for (const visit of changes) {
      if (visit.state === 'discarded') this.#visits.delete(visit.id);
      else this.#visits.set(visit.id, visit);
    }
    this.#metrics.observe({ timeMs, changes, openVisits: this.#scene.openVisits });
  }
}

const beginMs = (visit: Visit): number => visit.queueEnteredAtMs ?? visit.serviceStartedAtMs ?? 0;

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms) / 1000);

function present(visit: Visit): ReplayedVisit {
  return {
    trackId: visit.trackId,
    queueEnteredAt: seconds(visit.queueEnteredAtMs),
    queueLeftAt: seconds(visit.queueLeftAtMs),
    serviceStartedAt: seconds(visit.serviceStartedAtMs),
    serviceEndedAt: seconds(visit.serviceEndedAtMs),
    outcome: visit.outcome!,
    waitSeconds: waitSeconds(visit),
    serviceSeconds: serviceSeconds(visit),
    ...(visit.services && {
      services: visit.services.map(({ tillId, startedAtMs, endedAtMs }) => ({
        ...{ tillId, startedAt: seconds(startedAtMs)!, endedAt: seconds(endedAtMs) },
      })),
    }),
  };
}
