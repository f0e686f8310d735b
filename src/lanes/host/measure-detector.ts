import type { Detector } from '../../vision/detect/detector.ts';
import type { Turns } from '../turns.ts';

const WARM_UP = 3;
/** The number of detections that are timed without and with cameras. */
const RUNS = { idle: 15, besideCameras: 5 };

/**
 * Measures the median wall time of one detection, in ms, where as many as the detector takes share a run; the capacity of a node is computed from it. The detections take
 * turns with those of cameras, and the wait for a turn does not count.
 * @param detector null once the lane is closed
 * @returns null when the lane was closed meanwhile
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
  const frames = Array.from({ length: detector.batchSize ?? 1 }, () => grey);
  const startMs = performance.now();
  await Promise.all(frames.map((pixels) => detector.detect(pixels, letterbox, 0.5)));
  return (performance.now() - startMs) / frames.length;
}
