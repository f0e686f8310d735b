import type { Detector } from '../../vision/detect/load-detector.ts';

const WARM_UP = 3;
const RUNS = 15;

/** The median time of one detection on this machine now, in ms: what a node's capacity follows from. */
export async function measureDetector(detector: Detector): Promise<number> {
  const { inputWidth, inputHeight } = detector;
  const grey = new Uint8Array(inputWidth * inputHeight * 3).fill(114);
  const letterbox = { inputWidth, inputHeight, contentWidth: inputWidth, contentHeight: inputHeight };
  const tookMs: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run++) {
    const startMs = performance.now();
    await detector.detect(grey, letterbox, 0.5);
    if (run >= WARM_UP) tookMs.push(performance.now() - startMs);
  }
  tookMs.sort((a, b) => a - b);
  return tookMs[Math.floor(RUNS / 2)]!;
}
