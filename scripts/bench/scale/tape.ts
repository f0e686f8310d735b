import { SHOP_ZONES } from '../../../src/simulator/shop-zones.ts';
import { type SceneObservation, ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { Visit } from '../../../src/vision/types.ts';
import { simulateShop } from '../../evaluate/simulated/simulated-shop.ts';

/** Frames a second of a camera, as by default. */
export const FPS = 5;
/** A lane sends checkpoints of all its runs so often. */
const CHECKPOINT_FRAMES = 2 * FPS;

export const TAPE_CONFIG = { zones: SHOP_ZONES, parameters: parametersSchema.parse({}) };

/** What a lane sends of one frame. */
export interface TapeFrame {
  readonly observation: SceneObservation;
  readonly openVisits: readonly Visit[];
  /** Null where a lane sends none. */
  readonly checkpoint: string | null;
}

/** What a lane sends of a simulated shop with perfect boxes: real tracker, visits, floor map and checkpoints. */
export function recordTape(minutes: number): TapeFrame[] {
  const shop = simulateShop({ scenario: 'classic', detections: 'perfect', seed: 1, minutes, fps: FPS });
  const pipeline = new ScenePipeline({ sceneId: 'tape', config: TAPE_CONFIG });
  return shop.frames.map(({ timeMs, detections }, at) => {
    const observation = pipeline.update(detections, timeMs, at + 1);
    const isDue = at % CHECKPOINT_FRAMES === 0 || observation.changes.length > 0;
    return {
      observation,
      openVisits: [...pipeline.openVisits],
      checkpoint: isDue ? pipeline.checkpoint() : null,
    };
  });
}

const later = (timeMs: number | null, ms: number): number | null => (timeMs === null ? null : timeMs + ms);

const visitLater = (visit: Visit, ms: number): Visit => ({
  ...visit,
  queueEnteredAtMs: later(visit.queueEnteredAtMs, ms),
  queueLeftAtMs: later(visit.queueLeftAtMs, ms),
  serviceStartedAtMs: later(visit.serviceStartedAtMs, ms),
  serviceEndedAtMs: later(visit.serviceEndedAtMs, ms),
  arrivalDecidedAtMs: visit.arrivalDecidedAtMs + ms,
  outcomeDecidedAtMs: later(visit.outcomeDecidedAtMs, ms),
});

/** The frame as that of a scene at another time. */
export function frameLater({ observation, openVisits }: TapeFrame, sceneId: string, ms: number) {
  return {
    observation: {
      ...observation,
      sceneId,
      timeMs: observation.timeMs + ms,
      changes: observation.changes.map((visit) => visitLater(visit, ms)),
    },
    openVisits: openVisits.map((visit) => visitLater(visit, ms)),
  };
}
