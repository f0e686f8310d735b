import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { DEFAULT_MODEL } from '../../src/models/card.ts';
import { type LoadedDetector, loadDetector } from '../../src/models/load-detector.ts';
import { keepHeapSteady } from '../../src/platform/processes/steady-heap.ts';
import { type Stage, Stopwatch } from '../../src/vision/stopwatch.ts';
import { median } from '../support/median.ts';
import { count } from '../support/options.ts';
import { printMeasured } from '../support/print-measured.ts';
import { progress, table } from '../support/terminal.ts';
import { keepCoresAwake } from './awake-cores.ts';
import { BareDecode } from './bare-decode.ts';
import { cpuTime, measureCpu } from './cpu-time.ts';
import { laneLoop } from './lane-loop.ts';

interface Options {
  readonly model: string;
  readonly fps: number;
  readonly frames: number;
  readonly rounds: number;
  readonly awake: boolean;
  readonly json?: boolean;
}

export interface PipelineBench {
  /** CPU of the whole loop ÷ (bare ffmpeg + bare inference), median of the rounds. */
  readonly ratio: number;
  readonly msPerFrame: {
    /** CPU of ffmpeg: decoding, scaling, letterboxing. */
    readonly decode: number;
    /** CPU of reading the pipes, keeping pictures and all else in the process. */
    readonly reading: number;
    readonly inference: number;
    readonly outputs: number;
    readonly tracking: number;
    readonly identity: number;
    readonly zones: number;
  };
  readonly cpuSecondsPerFrame: number;
  readonly bareCpuSecondsPerFrame: number;
  readonly camerasPerCoreAt5Fps: number;
  readonly frames: number;
  /** False: what waking a core costs is counted, too. */
  readonly coresAwake: boolean;
}

/** CPU seconds a frame. */
interface Round {
  readonly loop: number;
  readonly bare: number;
}

/** What runs once a frame takes this long to be compiled; a lane runs for months. */
const WARM_UP_FRAMES = 2500;
/** Frames of the loop, then as many bare inferences, in turns. */
const TURN = 20;

async function benchPipeline(video: string, options: Options): Promise<PipelineBench> {
  // as a lane does: what its garbage costs is part of a frame's cost
  keepHeapSteady('lane');
  const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
  const stopwatch = new Stopwatch();
  const detector = await loadDetector({ model: options.model, modelsDir: MODELS_DIR, cacheDir, stopwatch });
  const bar = progress('bench', WARM_UP_FRAMES + (options.rounds + 1) * options.frames, 'frames');
  let done = 0;
  const letCoresSleep = options.awake ? keepCoresAwake() : null;
  try {
    const { inputWidth, inputHeight } = detector;
    const { fps } = options;
    const decode = await BareDecode.prepare({ video, fps, inputWidth, inputHeight, ffmpegPath, ffprobePath });
    const onFrame = () => bar.update(++done);
    const parts = { detector, stopwatch, decode, video, fps, ffmpegPath, ffprobePath, onFrame };
    stopwatch.isOn = false;
    const frames = Math.min(options.frames, await warmUp(parts));
    const rounds = await measureRounds(parts, frames, options.rounds);
    const stages = await measureStages(parts, frames);
    return { ...summary(rounds), ...stages, coresAwake: letCoresSleep !== null };
  } finally {
    letCoresSleep?.();
    bar.stop();
    await detector.dispose();
  }
}

type Stages = Pick<PipelineBench, 'msPerFrame' | 'frames'>;

interface Parts {
  readonly detector: LoadedDetector;
  readonly stopwatch: Stopwatch;
  readonly decode: BareDecode;
  readonly video: string;
  readonly fps: number;
  readonly ffmpegPath?: string | undefined;
  readonly ffprobePath?: string | undefined;
  readonly onFrame: () => void;
}

/** The video again and again. @returns how many frames it has, at most those of the warm-up @throws Error when it has none */
async function warmUp(parts: Parts): Promise<number> {
  let inVideo = 0;
  for (let done = 0; done < WARM_UP_FRAMES; ) {
    const { frames } = await loopOnce(parts, { maxFrames: WARM_UP_FRAMES - done });
    if (frames === 0) throw new Error(`The video ${parts.video} has no frames; give another one.`);
    inVideo = Math.max(inVideo, frames);
    done += frames;
  }
  return inVideo;
}

/**
 * The loop and bare inference in turns, for what else the machine does must hit both; before and after each loop bare
 * decoding of as many frames.
 */
async function measureRounds(parts: Parts, frames: number, count: number): Promise<Round[]> {
  const { detector, decode } = parts;
  const pixels = new Uint8Array(detector.inputWidth * detector.inputHeight * 3).fill(114);
  const bareRun = detector.bareRun(pixels);
  const bareDecode = async () => (await measureCpu(() => decode.run(frames))).children / frames;
  const rounds: Round[] = [];
  let before = await bareDecode();
  for (let i = 0; i < count; i++) {
    const loop = await loopOnce(parts, { maxFrames: frames, bareRun });
    const after = await bareDecode();
    rounds.push({ loop: loop.lane + loop.ffmpeg, bare: (before + after) / 2 + loop.bareInference });
    before = after;
  }
  return rounds;
}

/** The loop once more, its stages measured one by one, which costs something itself. */
async function measureStages(parts: Parts, frames: number): Promise<Stages> {
  const { stopwatch } = parts;
  const before = { ...stopwatch.spentMs };
  stopwatch.isOn = true;
  const cost = await loopOnce(parts, { maxFrames: frames });
  stopwatch.isOn = false;
  const stage = (name: Stage) => (stopwatch.spentMs[name] - before[name]) / cost.frames;
  const stages = {
    inference: stage('inference'),
    outputs: stage('outputs'),
    tracking: stage('tracking'),
    identity: stage('identity'),
    zones: stage('zones'),
  };
  const known = Object.values(stages).reduce((sum, ms) => sum + ms, 0);
  return {
    frames: cost.frames,
    msPerFrame: {
      decode: cost.ffmpeg * 1000,
      reading: Math.max(0, cost.lane * 1000 - known),
      ...stages,
    },
  };
}

interface LoopCost {
  readonly frames: number;
  /** CPU seconds a frame: of this process, */
  readonly lane: number;
  /** of its ffmpeg, */
  readonly ffmpeg: number;
  /** of bare inference in between; 0 where there was none. */
  readonly bareInference: number;
}

interface LoopOptions {
  readonly maxFrames: number;
  /** Takes turns with the loop. */
  readonly bareRun?: () => Promise<void>;
}

async function loopOnce(
  { detector, stopwatch, decode: _, video: url, onFrame, ...paths }: Parts,
  { maxFrames, bareRun }: LoopOptions,
): Promise<LoopCost> {
  let first = cpuTime();
  let frames = 0;
  let bareRuns = 0;
  let bare = 0;
  for await (frames of laneLoop(detector, { url, ...paths }, stopwatch)) {
    // Probing and starting ffmpeg, for which this process forks, are done once a stream: no part of a frame's cost.
    if (frames === 1) first = cpuTime();
    onFrame();
    if (bareRun && frames % TURN === 1) {
      bare += (await measureCpu(() => times(TURN, bareRun))).self;
      bareRuns += TURN;
    }
    if (frames >= maxFrames) break;
  }
  const end = cpuTime();
  return {
    frames,
    lane: (end.self - first.self - bare) / Math.max(1, frames - 1),
    ffmpeg: (end.children - first.children) / Math.max(1, frames),
    bareInference: bare / Math.max(1, bareRuns),
  };
}

async function times(count: number, work: () => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i++) await work();
}

type Summary = Omit<PipelineBench, keyof Stages | 'coresAwake'>;

function summary(rounds: readonly Round[]): Summary {
  const cpuSecondsPerFrame = median(rounds.map(({ loop }) => loop));
  return {
    ratio: median(rounds.map(({ loop, bare }) => loop / bare)),
    cpuSecondsPerFrame,
    bareCpuSecondsPerFrame: median(rounds.map(({ bare }) => bare)),
    camerasPerCoreAt5Fps: 1 / (5 * cpuSecondsPerFrame),
  };
}

const ASLEEP =
  'Cores could fall asleep between frames, and waking them is counted. As root on Linux they are kept awake.';

function report(result: PipelineBench): string {
  const ms = (seconds: number) => (seconds * 1000).toFixed(2);
  return [
    table([
      ['stage', 'ms per frame'],
      ...Object.entries(result.msPerFrame).map(([stage, value]) => [stage, value.toFixed(2)]),
      ['whole loop, CPU', ms(result.cpuSecondsPerFrame)],
      ['bare ffmpeg + bare inference, CPU', ms(result.bareCpuSecondsPerFrame)],
    ]),
    '',
    `ratio ${result.ratio.toFixed(3)}; ${result.camerasPerCoreAt5Fps.toFixed(1)} cameras per core at 5 fps`,
    ...(result.coresAwake ? [] : [ASLEEP]),
  ].join('\n');
}

export function pipelineCommand(): Command {
  return new Command('pipeline')
    .description(
      'What a frame costs from file to visits, beside bare ffmpeg (the same arguments, to /dev/null) and bare inference\n' +
        '(the same network on one tensor) over as many frames, loop and bare inference in turns; the median of the rounds\n' +
        'counts. All in CPU time of this process and its ffmpeg, so that waiting and other programs do not count, with cores\n' +
        'kept awake where that is allowed (to root, on Linux).',
    )
    .argument('<video>', 'a video file')
    .option('--model <name>', 'detector, a name of `npm run models -- list`', DEFAULT_MODEL)
    .option('--fps <n>', 'frames a second of the video to analyse', count(1), 5)
    .option('--frames <n>', 'frames of each round, at most', count(1), 400)
    .option('--rounds <n>', 'how often', count(1), 7)
    .option('--no-awake', 'let cores fall asleep between frames, and count what waking them costs')
    .option('--json', 'print one JSON document')
    .action(async (video: string, options: Options) => {
      const result = await benchPipeline(video, options);
      printMeasured(options.json, result, () => report(result));
    });
}
