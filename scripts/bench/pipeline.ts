import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { keepHeapSteady } from '../../src/platform/steady-heap.ts';
import { DEFAULT_MODEL } from '../../src/vision/detect/card.ts';
import { type LoadedDetector, loadDetector } from '../../src/vision/detect/load-detector.ts';
import { type Stage, Stopwatch } from '../../src/vision/stopwatch.ts';
import { median } from '../median.ts';
import { count } from '../option-values.ts';
import { print, progress, table } from '../terminal.ts';
import { BareDecode } from './bare-decode.ts';
import { cpuTime, measureCpu } from './cpu-time.ts';
import { laneLoop } from './lane-loop.ts';

interface Options {
  readonly model: string;
  readonly fps: number;
  readonly frames: number;
  readonly rounds: number;
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
    readonly zones: number;
  };
  readonly cpuSecondsPerFrame: number;
  readonly bareCpuSecondsPerFrame: number;
  readonly camerasPerCoreAt5Fps: number;
  readonly frames: number;
}

interface Round {
  readonly loop: number;
  readonly bare: number;
  readonly msPerFrame: PipelineBench['msPerFrame'];
  readonly frames: number;
}

/** What runs once a frame takes this long to be compiled; a lane runs for months. */
const WARM_UP_FRAMES = 2500;
/** Of each round, for the stages alone. */
const STAGED_FRAMES = 100;
/** Frames of the loop, then as many bare inferences, in turns. */
const TURN = 20;

async function benchPipeline(video: string, options: Options): Promise<PipelineBench> {
  // as a lane does: what its garbage costs is part of a frame's cost
  keepHeapSteady('lane');
  const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
  const stopwatch = new Stopwatch();
  const detector = await loadDetector({ model: options.model, modelsDir: MODELS_DIR, cacheDir, stopwatch });
  const roundFrames = options.frames + STAGED_FRAMES;
  const bar = progress('bench', WARM_UP_FRAMES + options.rounds * roundFrames, 'frames');
  let done = 0;
  try {
    const { inputWidth, inputHeight } = detector;
    const { fps } = options;
    const decode = await BareDecode.prepare({ video, fps, inputWidth, inputHeight, ffmpegPath, ffprobePath });
    const onFrame = () => bar.update(++done);
    const parts = { detector, stopwatch, decode, video, fps, ffmpegPath, ffprobePath, onFrame };
    const inVideo = await warmUp(parts);
    const rounds: Round[] = [];
    for (let i = 0; i < options.rounds; i++)
      rounds.push(await round(parts, Math.min(options.frames, inVideo)));
    return summary(rounds);
  } finally {
    bar.stop();
    await detector.dispose();
  }
}

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
 * The loop and bare inference in turns, for what else the machine does must hit both; before and after it bare decoding of
 * as many frames. Then the loop again, its stages measured one by one, which would have cost something itself.
 */
async function round(parts: Parts, frames: number): Promise<Round> {
  const { detector, decode, stopwatch } = parts;
  stopwatch.isOn = false;
  const pixels = new Uint8Array(detector.inputWidth * detector.inputHeight * 3).fill(114);
  const bareDecode = async () => (await measureCpu(() => decode.run(frames))).children / frames;
  const before = await bareDecode();
  const loop = await loopOnce(parts, { maxFrames: frames, bareRun: detector.bareRun(pixels) });
  const after = await bareDecode();

  stopwatch.isOn = true;
  const spentBefore = { ...stopwatch.spentMs };
  const staged = await loopOnce(parts, { maxFrames: Math.min(frames, STAGED_FRAMES) });
  const stage = (name: Stage) => (stopwatch.spentMs[name] - spentBefore[name]) / staged.frames;
  const stages = {
    inference: stage('inference'),
    outputs: stage('outputs'),
    tracking: stage('tracking'),
    zones: stage('zones'),
  };
  const known = Object.values(stages).reduce((sum, ms) => sum + ms, 0);
  return {
    frames,
    loop: loop.lane + loop.ffmpeg,
    bare: (before + after) / 2 + loop.bareInference,
    msPerFrame: {
      decode: staged.ffmpeg * 1000,
      reading: Math.max(0, staged.lane * 1000 - known),
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

function summary(rounds: readonly Round[]): PipelineBench {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const cpuSecondsPerFrame = of(({ loop }) => loop);
  return {
    ratio: of(({ loop, bare }) => loop / bare),
    msPerFrame: {
      decode: of(({ msPerFrame }) => msPerFrame.decode),
      reading: of(({ msPerFrame }) => msPerFrame.reading),
      inference: of(({ msPerFrame }) => msPerFrame.inference),
      outputs: of(({ msPerFrame }) => msPerFrame.outputs),
      tracking: of(({ msPerFrame }) => msPerFrame.tracking),
      zones: of(({ msPerFrame }) => msPerFrame.zones),
    },
    cpuSecondsPerFrame,
    bareCpuSecondsPerFrame: of(({ bare }) => bare),
    camerasPerCoreAt5Fps: 1 / (5 * cpuSecondsPerFrame),
    frames: rounds[0]?.frames ?? 0,
  };
}

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
  ].join('\n');
}

export function pipelineCommand(): Command {
  return new Command('pipeline')
    .description(
      'What a frame costs from file to visits, beside bare ffmpeg (the same arguments, to /dev/null) and bare inference\n' +
        '(the same network on one tensor) over as many frames, loop and bare inference in turns; the median of the rounds\n' +
        'counts. All in CPU time of this process and its ffmpeg, so that waiting and other programs do not count.',
    )
    .argument('<video>', 'a video file')
    .option('--model <name>', 'detector, a name of `npm run models -- list`', DEFAULT_MODEL)
    .option('--fps <n>', 'frames a second of the video to analyse', count(1), 5)
    .option('--frames <n>', 'frames of each round, at most', count(1), 400)
    .option('--rounds <n>', 'how often', count(1), 5)
    .option('--json', 'print one JSON document')
    .action(async (video: string, options: Options) => {
      const result = await benchPipeline(video, options);
      print(options.json, result, () => report(result));
    });
}
