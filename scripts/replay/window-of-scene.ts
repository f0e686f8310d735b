import { Area } from '../../src/catalogue/zones/polygon.ts';
import { footPoint, height } from '../../src/vision/geometry.ts';
import { MIN_SCORE } from '../../src/vision/pipeline.ts';
import { aspectOf, regionAround, windowAround } from '../../src/vision/region.ts';
import { CLASS_IDS, type SceneConfig } from '../../src/vision/types.ts';
import { type VideoOptions, withVideo } from '../support/footage/video-frames.ts';
import { quantile } from '../support/numbers.ts';

/** So much of a video tells how tall people are. */
const LEARNED_MS = 60_000;
/** A detection is sure enough for that. */
const SURE = 0.6;
/** The tallest people but for a few odd boxes. */
const TALL = 0.9;

/**
 * The window around the zones of a scene, with a margin by the height of the people who stand in them in the first minute;
 * null, for the whole picture, where nobody does or where the largest network is needed.
 */
export const windowOfScene = (video: Omit<VideoOptions, 'label'>, { zones, parameters }: SceneConfig) =>
  withVideo({ ...video, label: 'learning' }, async ({ info, detector, frames }) => {
    const { queueZone, checkoutZone, tills = [] } = zones;
    const drawn = [queueZone, checkoutZone, ...tills].flatMap((zone) => (zone ? [zone] : []));
    const areas = drawn.map(({ points }) => new Area(points));
    const heights: number[] = [];
    for await (const { timeMs, model, letterbox } of frames) {
      if (timeMs > LEARNED_MS) break;
      for (const { box, score, classId } of await detector.detect(model, letterbox, MIN_SCORE)) {
        const isSure = score >= SURE && CLASS_IDS[parameters.class].includes(classId);
        if (isSure && areas.some((area) => area.contains(footPoint(box)))) heights.push(height(box));
      }
    }
    if (heights.length === 0) return null;
    const aspect = aspectOf(info.letterbox);
    const region = regionAround([zones], { personHeight: quantile(heights, TALL), aspect });
    return windowAround(region, info.letterbox, detector.sizes);
  });
