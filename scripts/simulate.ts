import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '../src/platform/config.ts';
import { openShop } from '../src/simulator/open-shop.ts';
import { DRAWN_SCENARIOS, type DrawnScenario } from '../src/simulator/scenario.ts';
import { ShopFrames } from '../src/simulator/shop-frames.ts';
import { TruthRecorder } from '../src/simulator/truth.ts';
import { findFfmpeg } from '../src/video/ffmpeg/ffmpeg-binaries.ts';
import { startEncoder } from './support/footage/start-encoder.ts';
import { median } from './support/numbers.ts';
import { printing, printMeasured } from './support/printing.ts';
import { main, progress, table } from './support/terminal.ts';

interface Options {
  readonly seed: number;
  readonly minutes: number;
  readonly out: string;
  readonly fps: number;
  readonly scenario: DrawnScenario;
}

function number(least: number, most: number, whole = false): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value)))
      return value;
    throw new InvalidArgumentError(`It must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`);
  };
}

/** The path of the truth file of a video: shop.mp4 → shop.truth.json */
const truthPath = (video: string): string => `${video.replace(/\.[^./]+$/, '')}.truth.json`;

async function simulate({ seed, minutes, out, fps, scenario }: Options) {
  const shop = new ShopFrames({ seed, fps, scenario });
  const recorder = new TruthRecorder(openShop(seed, scenario), { seed, fps, scenario });
  const { ffmpegPath, ffprobePath } = loadConfig();
  const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath });
  const encoder = startEncoder(ffmpeg.path, out, { width: shop.width, height: shop.height, fps });
  const frames = Math.round(minutes * 60 * fps);
  const bar = progress('Drawing', frames, 'frames');
  // One buffer is drawn while the other is sent to ffmpeg.
  const buffers = [0, 1].map(() => new Uint8Array(shop.width * shop.height * 3));
  const drawMs: number[] = [];
  let sent: Promise<void> = Promise.resolve();
  try {
    for (let index = 0; index < frames; index++) {
      const timeMs = (index * 1000) / fps;
      const buffer = buffers[index % 2]!;
      await shop.prepare(timeMs);
      const start = performance.now();
      shop.frame(timeMs, buffer);
      drawMs.push(performance.now() - start);
      recorder.add(shop.drawn(), timeMs);
      await sent;
      sent = encoder.write(buffer);
      bar.update(index + 1);
    }
    await sent;
    await encoder.end();
  } finally {
    bar.stop();
    encoder.kill();
  }
  await writeFile(truthPath(out), JSON.stringify(recorder.truth()));
  return {
    ...{ video: out, truth: truthPath(out), frames, ...recorder.statistics },
    /** The median, because other load of the machine affects only single frames. */
    msPerDrawnFrame: median(drawMs),
  };
}

function describe(summary: Awaited<ReturnType<typeof simulate>>): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return table([
    ['What', 'Value'],
    ['video', summary.video],
    ['truth', summary.truth],
    ['frames', summary.frames],
    ['persons', summary.persons],
    ['in line', summary.visits],
    ['gave up', summary.abandoned],
    ['passed by', summary.passersBy],
    ['gave up or passed by', percent(summary.abandonedOrPassingShare)],
    ['longest line', summary.peakLine],
    ['line time with somebody ≥ 40 % covered', percent(summary.occludedTimeShare)],
    ['person time in line ≥ 40 % covered', percent(summary.occludedPersonShare)],
    ['smallest person, of the height', percent(summary.smallestPerson)],
    ['tallest person, of the height', percent(summary.tallestPerson)],
    ['ms to draw a frame', summary.msPerDrawnFrame.toFixed(2)],
  ]);
}

const program = new Command('simulate')
  .description(
    'Draws a video of a simulated shop, and writes a truth file beside it with everything that happened.',
  )
  .requiredOption('--seed <n>', 'the same seed gives the same events', number(0, 2 ** 31 - 1, true))
  .option('--minutes <n>', 'length of the video', number(0.01, 24 * 60), 10)
  .requiredOption('--out <file.mp4>', 'the video; the truth file is FILE.truth.json')
  .option('--fps <n>', 'frames a second', number(1, 30), 10)
  .addOption(
    new Option('--scenario <name>', 'the kind of events').choices(DRAWN_SCENARIOS).default('classic'),
  )
  .option('--json', 'print one JSON document')
  .action(printing(simulate, describe, printMeasured));

await main(() => program.parseAsync());
