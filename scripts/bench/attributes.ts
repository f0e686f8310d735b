import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import { loadAttributeModels } from '../../src/models/load-attribute-models.ts';
import { loadConfig, MODELS_DIR } from '../../src/platform/config.ts';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { median } from '../support/numbers.ts';
import { withTemporaryFolder } from '../support/temporary-folder.ts';
import { progress, table } from '../support/terminal.ts';
import { BusyLane, type Stretch } from './attributes/busy-lane.ts';
import { crowdFrame, drawCrowd, FPS } from './attributes/draw-crowd.ts';

export const attributes = measuringCommand({
  name: 'attributes',
  description:
    'The CPU time of classifying the crop of one person, and how many frames a second a lane at its limit loses by it: one ' +
    'camera that sends more frames than the lane can analyse, with sixteen drawn people in view. Attributes are switched ' +
    'off and on in turn; the median of the rounds counts.',
  options: {
    rounds: ['how often attributes are switched off and on', 5],
    seconds: ['how long each turn is measured', 6],
    looks: ['how many single crops are timed', 160],
  },
  async measure({ rounds, seconds, looks }) {
    const cpuMsPerLook = await cpuMsPerCrop(looks);
    const { ffmpegPath, ffprobePath, modelCacheDir, attributeModels } = loadConfig();
    const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath });
    const videoSeconds = (2 * rounds + 1) * (seconds + SETTLE_MS / 1000) + 30;
    return withTemporaryFolder('crowd', async (folder) => {
      const lane = new BusyLane(await drawCrowd(folder, ffmpeg.path, videoSeconds));
      const bar = progress('bench', rounds, 'rounds');
      try {
        await lane.open({
          model: DEFAULT_MODEL,
          attributeModels,
          modelsDir: MODELS_DIR,
          cacheDir: modelCacheDir,
          threads: 1,
          executionProvider: 'cpu',
          attributeProvider: 'cpu',
          hardware: null,
          ffmpegPath: ffmpeg.path,
          ffprobePath,
          network: { networks: [], allowedHosts: [], ownHosts: [] },
          watchdogMs: 30_000,
          // The lane analyses as many frames as it can, because the loss is measured in frames.
          minAnalysisFps: FPS,
          skipStillFrames: false,
          holdStillPeople: false,
          clockOffsetMs: 0,
        });
        const stretch = (isOn: boolean) =>
          lane.run({ attributes: isOn, settleMs: SETTLE_MS, ms: seconds * 1000 });
        await stretch(true);
        const pairs: Pair[] = [];
        for (let round = 0; round < rounds; round++) {
          pairs.push({ without: await stretch(false), with: await stretch(true) });
          bar.step();
        }
        return { cpuMsPerLook, ...summary(pairs) };
      } finally {
        bar.stop();
        await lane.close();
      }
    });
  },
  report(result) {
    const row = (name: string, { framesPerSecond, cpuMsPerFrame, looksPerSecond }: Stretch) => [
      name,
      ...[framesPerSecond, cpuMsPerFrame, looksPerSecond].map((value) => value.toFixed(1)),
    ];
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    return [
      table([
        ['lane', 'frames/s', 'CPU ms a frame', 'crops/s'],
        row('without attributes', result.without),
        row('with attributes', result.with),
      ]),
      '',
      `${result.people.toFixed(1)} people in view: ${percent(result.drop)} fewer frames a second, ${percent(result.dropOfCpu)} by CPU time; ` +
        `a crop takes ${result.cpuMsPerLook.toFixed(1)} ms of CPU.`,
    ].join('\n');
  },
});

/** A lane saves up time for crops while attributes are off. After switching it is spent before the measurement. */
const SETTLE_MS = 1500;
const WARM_UP_CROPS = 16;

/** The lane with attributes off and on, one after the other. */
type Pair = Readonly<Record<'without' | 'with', Stretch>>;

/** The median CPU time of classifying one crop. */
async function cpuMsPerCrop(crops: number): Promise<number> {
  const { modelCacheDir: cacheDir, attributeModels } = loadConfig();
  const { frame, boxes } = await crowdFrame();
  const models = await loadAttributeModels(attributeModels, { modelsDir: MODELS_DIR, cacheDir });
  try {
    const times: number[] = [];
    for (let i = -WARM_UP_CROPS; i < crops; i++) {
      const before = cpuTime().self;
      await models.classify({ frame, box: boxes[(i + WARM_UP_CROPS) % boxes.length]! });
      if (i >= 0) times.push(1000 * (cpuTime().self - before));
    }
    return median(times);
  } finally {
    await models.dispose();
  }
}

function summary(pairs: readonly Pair[]) {
  const medianOf = (value: (pair: Pair) => number) => median(pairs.map(value));
  const medians = (which: keyof Pair): Stretch => ({
    framesPerSecond: medianOf((pair) => pair[which].framesPerSecond),
    cpuMsPerFrame: medianOf((pair) => pair[which].cpuMsPerFrame),
    looksPerSecond: medianOf((pair) => pair[which].looksPerSecond),
    people: medianOf((pair) => pair[which].people),
  });
  const withAttributes = medians('with');
  return {
    people: withAttributes.people,
    without: medians('without'),
    with: withAttributes,
    /** The loss of frame rate: median of the rounds. */
    drop: medianOf((pair) => 1 - pair.with.framesPerSecond / pair.without.framesPerSecond),
    /** The loss by CPU time of the lane's process, which other load on the machine hardly changes. */
    dropOfCpu: medianOf((pair) => 1 - pair.without.cpuMsPerFrame / pair.with.cpuMsPerFrame),
  };
}
