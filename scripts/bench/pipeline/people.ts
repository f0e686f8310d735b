import { DEFAULT_MODEL } from '../../../src/models/cards.ts';
import { keepHeapSteady } from '../../../src/platform/processes/steady-heap.ts';
import { ScenePipeline } from '../../../src/vision/pipeline.ts';
import { parametersSchema } from '../../../src/vision/scene-config.ts';
import type { Polygon } from '../../../src/vision/types.ts';
import { type DetectedFrame, detectVideo } from '../../evaluate/footage/detect-video.ts';
import { cpuTime } from '../../support/cpu-time.ts';
import { measuringCommand } from '../../support/measuring-command.ts';
import { median } from '../../support/numbers.ts';
import { positive } from '../../support/options.ts';
import { eachWithProgress } from '../../support/terminal.ts';

const MAX_MS = 0.5;
/** So often a lane has seen the video when its code is compiled. A lane runs for months. */
const WARM_UP_ROUNDS = 4;

/** Everybody passes both zones, so that stays, visits and staff are decided too. */
const zone = (left: number, right: number): Polygon => ({
  type: 'polygon',
  points: [
    [left, 0],
    [right, 0],
    [right, 1],
    [left, 1],
  ],
});
const CONFIG = {
  zones: { queueZone: zone(0, 0.6), checkoutZone: zone(0.6, 1) },
  parameters: parametersSchema.parse({}),
};

export const people = measuringCommand({
  name: 'people',
  description:
    'The CPU time of a frame from its detections to visits: tracking, hidden feet, identity, zones, staff and floor map. ' +
    'The detector looks at the video once before. All is CPU time of this process, garbage collection included, so that other ' +
    'programs do not count. One half of the picture is the queue and the other the checkout.',
  argument: ['video', 'a video file'],
  options: {
    model: ['detector, a name of `npm run models -- list`', DEFAULT_MODEL],
    fps: ['frames a second of the video to analyse', 5, positive],
    rounds: ['rounds over the video; the median counts', 9],
  },
  async measure({ model, fps, rounds }, video) {
    keepHeapSteady('lane');
    const { info, frames } = await detectVideo({ path: video, model });
    const step = Math.max(1, Math.round(info.fps / fps));
    const analysed = frames.filter((_, at) => at % step === 0);
    if (analysed.length === 0) throw new Error(`The video ${video} has no frames; give another one.`);
    const aspect = info.width / info.height;
    const all = Array.from({ length: WARM_UP_ROUNDS + rounds }, (_, round) => round);
    const msPerFrame = await eachWithProgress('bench', all, 'rounds', () => watch(analysed, aspect));
    const measured = msPerFrame.slice(WARM_UP_ROUNDS);
    const ms = median(measured);
    return {
      frames: analysed.length,
      msPerFrame: ms,
      range: [Math.min(...measured), Math.max(...measured)],
      passed: ms <= MAX_MS,
    };
  },
  report({ frames, msPerFrame, range, passed }) {
    const [least, most] = range.map((ms) => ms.toFixed(3));
    return `${msPerFrame.toFixed(3)} ms of CPU a frame (${least}-${most}, ${frames} frames); limit ${MAX_MS} ms: ${passed ? 'kept' : 'exceeded'}`;
  },
});

/** A new scene watches the frames. @returns CPU milliseconds of a frame */
function watch(frames: readonly DetectedFrame[], aspect: number): number {
  const scene = new ScenePipeline({ sceneId: 'bench', config: CONFIG });
  const before = cpuTime().self;
  for (const { detections, timeMs, frame } of frames) scene.update(detections, timeMs, frame, aspect);
  return (1000 * (cpuTime().self - before)) / frames.length;
}
