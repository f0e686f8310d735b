import type { Detector } from '../../vision/detect/detector.ts';
import type { Turns } from '../turns.ts';

const WARM_UP = 3;
/** Detections that are timed where nothing else is to do, and where cameras wait. */
const RUNS = { idle: 15, besideCameras: 5 };

/**
 * The median wall time of one detection on this machine now, in ms: what a node's capacity follows from. Its detections
 * take turns with those of cameras, and waiting for a turn does not count.
 * @param detector asked for in each turn; null once the lane has given it up
 * @returns null when it was given up meanwhile
 */
export async function measureDetector(
  detector: () => Detector | null,
  { turns, cameras }: { turns: Turns; cameras: number },
): Promise<number | null> {
  const runs = cameras > 0 ? RUNS.besideCameras : RUNS.idle;
  const tookMs: number[] = [];
  for (let run = 0; run < WARM_UP + runs; run++) {
    const ms = await turns.take(async () => {
      const open = detector();
      return open && timeOne(open);
    });
    if (ms === null) return null;
    if (run >= WARM_UP) tookMs.push(ms);
  }
  tookMs.sort((a, b) => a - b);
  return tookMs[Math.floor(runs / 2)]!;
}

async function timeOne(detector: Detector): Promise<number> {
  const { inputWidth, inputHeight } = detector;
  const grey = new Uint8Array(inputWidth * inputHeight * 3).fill(114);
  const letterbox = { inputWidth, inputHeight, contentWidth: inputWidth, contentHeight: inputHeight };
  const startMs = performance.now();
  await detector.detect(grey, letterbox, 0.5);
  return performance.now() - startMs;
}
