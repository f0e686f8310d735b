import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
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

const WARM_UP_FRAMES = 25;
/** Of each round, for the stages alone. */
const STAGED_FRAMES = 100;

async function benchPipeline(video: string, options: Options): Promise<PipelineBench> {
  const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
  const stopwatch = new Stopwatch();
  const detector = await loadDetector({ model: options.model, modelsDir: MODELS_DIR, cacheDir, stopwatch });
  const bar = progress('bench', options.rounds + 1, 'rounds');
  try {
    const { inputWidth, inputHeight } = detector;
    const { fps } = options;
    const decode = await BareDecode.prepare({ video, fps, inputWidth, inputHeight, ffmpegPath, ffprobePath });
    const parts = { detector, stopwatch, decode, video, fps, ffmpegPath, ffprobePath };
    await round(parts, WARM_UP_FRAMES);
    const rounds: Round[] = [];
    for (let i = 1; i <= options.rounds; i++) {
      bar.update(i);
      rounds.push(await round(parts, options.frames));
    }
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
}

/**
 * The loop and, right after it, its bare parts over as many frames: what else the machine does hits both. Then the loop
 * again, its stages measured one by one, which would have cost something itself.
 */
async function round(parts: Parts, maxFrames: number): Promise<Round> {
  const { detector, decode, stopwatch } = parts;
  stopwatch.isOn = false;
  const loop = await loopOnce(parts, maxFrames);
  const { frames } = loop;
  if (frames === 0) throw new Error(`The video ${parts.video} has no frames; give another one.`);

  const bareDecode = await measureCpu(() => decode.run(frames));
  const run = detector.bareRun(new Uint8Array(detector.inputWidth * detector.inputHeight * 3).fill(114));
  const bareInference = await measureCpu(async () => {
    for (let i = 0; i < frames; i++) await run();
  });

  stopwatch.isOn = true;
  const before = { ...stopwatch.spentMs };
  const staged = await loopOnce(parts, Math.min(maxFrames, STAGED_FRAMES));
  const stage = (name: Stage) => (stopwatch.spentMs[name] - before[name]) / staged.frames;
  const stages = {
    inference: stage('inference'),
    outputs: stage('outputs'),
    tracking: stage('tracking'),
    zones: stage('zones'),
  };
  const known = Object.values(stages).reduce((sum, ms) => sum + ms, 0);
  return {
    frames,
    loop: (loop.self + loop.children) / frames,
    bare: (bareDecode.children + bareInference.self) / frames,
    msPerFrame: {
      decode: (staged.children * 1000) / staged.frames,
      reading: Math.max(0, (staged.self * 1000) / staged.frames - known),
      ...stages,
    },
  };
}

/** @returns CPU seconds of this process and of its ffmpeg, from the open stream to its end */
async function loopOnce({ detector, stopwatch, decode: _, video: url, ...paths }: Parts, maxFrames: number) {
  // Probing is over when the stream is open; it is no part of a frame's cost.
  let before = cpuTime();
  const onOpen = () => {
    before = cpuTime();
  };
  const frames = await laneLoop(detector, { url, ...paths }, { maxFrames, stopwatch, onOpen });
  const after = cpuTime();
  return { frames, self: after.self - before.self, children: after.children - before.children };
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
        '(the same network on one tensor) over as many frames. Loop and bare parts take turns, the median of the rounds\n' +
        'counts. All in CPU time of this process and its ffmpeg, so that waiting and other programs do not count.',
    )
    .argument('<video>', 'a video file')
    .option('--model <name>', 'detector, a name of `npm run models -- list`', DEFAULT_MODEL)
    .option('--fps <n>', 'frames a second of the video to analyse', count(1), 5)
    .option('--frames <n>', 'frames of each round, at most', count(1), 300)
    .option('--rounds <n>', 'how often', count(1), 3)
    .option('--json', 'print one JSON document')
    .action(async (video: string, options: Options) => {
      const result = await benchPipeline(video, options);
      print(options.json, result, () => report(result));
    });
}
