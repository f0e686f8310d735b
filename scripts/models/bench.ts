import { prepareDetector } from '../../models/prepare.ts';
import { readDetectorCard } from '../../src/models/cards.ts';
import type { DetectorCard } from '../../src/models/detector-card.ts';
import { loadDetector } from '../../src/models/load-detector.ts';
import type { ModelFolders } from '../../src/models/model-sources.ts';
import type { Detector } from '../../src/vision/detect/detector.ts';
import { median } from '../support/numbers.ts';
import { progress } from '../support/terminal.ts';
import { scoresOf } from './status.ts';

export interface BenchResult {
  readonly name: string;
  readonly input: string;
  /** Raw scores or probabilities. */
  readonly scores: string;
  /** Of the card. */
  readonly accuracy: DetectorCard['accuracy'];
  /** CPU time of one frame, all threads together, median. */
  readonly cpuMsPerFrame: number;
  /** Wall time of one frame, median. */
  readonly msPerFrame: number;
}

const WARM_UP = 5;

/** Median cost of a grey frame. The computation of a network does not depend on the image. */
export async function benchModel(
  name: string,
  { frames, threads, ...places }: ModelFolders & { frames: number; threads: number },
): Promise<BenchResult> {
  const card = await readDetectorCard(places.modelsDir, name);
  await prepareDetector(name, places);
  const detector = await loadDetector({ model: name, ...places, threads });
  const { inputWidth, inputHeight } = detector;
  const bar = progress(name, frames, 'frames');
  try {
    const samples: { cpu: number; wall: number }[] = [];
    for (let i = -WARM_UP; i < frames; i++) {
      const sample = await time(detector);
      if (i >= 0) samples.push(sample);
      bar.update(Math.max(0, i + 1));
    }
    return {
      name,
      input: `${inputWidth}×${inputHeight}`,
      scores: scoresOf(card),
      accuracy: card.accuracy,
      cpuMsPerFrame: median(samples.map(({ cpu }) => cpu)),
      msPerFrame: median(samples.map(({ wall }) => wall)),
    };
  } finally {
    bar.stop();
    await detector.dispose();
  }
}

async function time(detector: Detector): Promise<{ cpu: number; wall: number }> {
  const { inputWidth, inputHeight } = detector;
  const pixels = new Uint8Array(inputWidth * inputHeight * 3).fill(114);
  const letterbox = { inputWidth, inputHeight, contentWidth: inputWidth, contentHeight: inputHeight };
  const cpu = process.cpuUsage();
  const wall = performance.now();
  await detector.detect(pixels, letterbox, 0.1);
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / 1000, wall: performance.now() - wall };
}
