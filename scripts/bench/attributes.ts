import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { DEFAULT_MODEL } from '../../src/models/card.ts';
import { loadAttributeModels } from '../../src/models/load-attribute-models.ts';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { median } from '../support/median.ts';
import { count } from '../support/options.ts';
import { printMeasured } from '../support/print-measured.ts';
import { progress, table } from '../support/terminal.ts';
import { BusyLane, type Stretch } from './attributes/busy-lane.ts';
import { crowdFrame, drawCrowd, FPS } from './attributes/draw-crowd.ts';
import { cpuTime } from './cpu-time.ts';

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly looks: number;
  readonly json?: boolean;
}

export interface AttributesBench {
  /** CPU of one look at a person, median. */
  readonly cpuMsPerLook: number;
  readonly people: number;
  /** Medians of the rounds. */
  readonly without: Stretch;
  readonly with: Stretch;
  /** Of the frame rate, by the clock: median of the rounds, each against its own neighbour. */
  readonly drop: number;
  /** The same by the CPU time of the lane's process, which what else the machine does hardly touches. */
  readonly dropOfCpu: number;
}

/** Time for looks that was saved up while nobody was looked at is spent meanwhile. */
const SETTLE_MS = 1500;
const WARM_UP_LOOKS = 16;

async function benchAttributes({ rounds, seconds, looks }: Options): Promise<AttributesBench> {
  const cpuMsPerLook = await costOfLook(looks);
  const { ffmpegPath, ffprobePath, modelCacheDir, attributeModels } = loadConfig();
  const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath });
  const folder = await mkdtemp(join(tmpdir(), 'crowd-'));
  const stretchMs = seconds * 1000;
  const allSeconds = (2 * rounds + 1) * (seconds + SETTLE_MS / 1000) + 30;
  const bar = progress('bench', rounds, 'rounds');
  const lane = new BusyLane(await drawCrowd(folder, ffmpeg.path, allSeconds));
  try {
    await lane.open({
      model: DEFAULT_MODEL,
      attributeModels,
      modelsDir: MODELS_DIR,
      cacheDir: modelCacheDir,
      threads: 1,
      executionProvider: 'cpu',
      ffmpegPath: ffmpeg.path,
      ffprobePath,
      network: { networks: [], allowedHosts: [], ownHosts: [] },
      watchdogMs: 30_000,
      // All that it can take, for the loss is measured in frames.
      minAnalysisFps: FPS,
      clockOffsetMs: 0,
    });
    const stretch = (attributes: boolean) => lane.run({ attributes, settleMs: SETTLE_MS, ms: stretchMs });
    await stretch(true);
    const pairs: { without: Stretch; with: Stretch }[] = [];
    for (let i = 1; i <= rounds; i++) {
      pairs.push({ without: await stretch(false), with: await stretch(true) });
      bar.update(i);
    }
    return { cpuMsPerLook, ...summary(pairs) };
  } finally {
    bar.stop();
    await lane.close();
    await rm(folder, { recursive: true });
  }
}

async function costOfLook(looks: number): Promise<number> {
  const { modelCacheDir: cacheDir, attributeModels } = loadConfig();
  const { frame, boxes } = await crowdFrame();
  const models = await loadAttributeModels(attributeModels, { modelsDir: MODELS_DIR, cacheDir });
  try {
    const took: number[] = [];
    for (let i = -WARM_UP_LOOKS; i < looks; i++) {
      const before = cpuTime().self;
      await models.classify({ frame, box: boxes[(i + WARM_UP_LOOKS) % boxes.length]! });
      if (i >= 0) took.push(1000 * (cpuTime().self - before));
    }
    return median(took);
  } finally {
    await models.dispose();
  }
}

function summary(
  pairs: readonly { without: Stretch; with: Stretch }[],
): Omit<AttributesBench, 'cpuMsPerLook'> {
  const of = (which: 'without' | 'with'): Stretch => {
    const middle = (key: keyof Stretch) => median(pairs.map((pair) => pair[which][key]));
    return {
      framesPerSecond: middle('framesPerSecond'),
      cpuMsPerFrame: middle('cpuMsPerFrame'),
      looksPerSecond: middle('looksPerSecond'),
      people: middle('people'),
    };
  };
  const drop = (one: (pair: (typeof pairs)[number]) => number) => median(pairs.map(one));
  return {
    people: of('with').people,
    without: of('without'),
    with: of('with'),
    drop: drop((pair) => 1 - pair.with.framesPerSecond / pair.without.framesPerSecond),
    dropOfCpu: drop((pair) => 1 - pair.without.cpuMsPerFrame / pair.with.cpuMsPerFrame),
  };
}

function report(result: AttributesBench): string {
  const row = (name: string, { framesPerSecond, cpuMsPerFrame, looksPerSecond }: Stretch) => [
    name,
    ...[framesPerSecond, cpuMsPerFrame, looksPerSecond].map((value) => value.toFixed(1)),
  ];
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    table([
      ['lane', 'frames/s', 'CPU ms a frame', 'looks/s'],
      row('without attributes', result.without),
      row('with attributes', result.with),
    ]),
    '',
    `${result.people.toFixed(1)} people in view: ${percent(result.drop)} fewer frames a second, ${percent(result.dropOfCpu)} by CPU time; ` +
      `a look takes ${result.cpuMsPerLook.toFixed(1)} ms of CPU.`,
  ].join('\n');
}

export function attributesCommand(): Command {
  return new Command('attributes')
    .description(
      'What a look at a person costs, and how many frames a second a lane with no time to spare loses by looking at people:\n' +
        'one camera that gives more frames than the lane can take, with sixteen drawn people in view; attributes are switched\n' +
        'off and on in turn, the median of the rounds counts.',
    )
    .option('--rounds <n>', 'how often off and on', count(1), 5)
    .option('--seconds <n>', 'of each turn', count(1), 6)
    .option('--looks <n>', 'single looks that are timed', count(1), 160)
    .option('--json', 'print one JSON document')
    .action(async (options: Options) => {
      const result = await benchAttributes(options);
      printMeasured(options.json, result, () => report(result));
    });
}
