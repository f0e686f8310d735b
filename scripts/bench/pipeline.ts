import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { DEFAULT_MODEL } from '../../src/vision/detect/card.ts';
import { type LoadedDetector, loadDetector } from '../../src/vision/detect/load-detector.ts';
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

async function benchPipeline(video: string, options: Options): Promise<PipelineBench> {
  const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
  const detector = await loadDetector({ model: options.model, modelsDir: MODELS_DIR, cacheDir });
  const bar = progress('bench', options.rounds + 1, 'rounds');
  try {
    const { inputWidth, inputHeight } = detector;
    const { fps } = options;
    const decode = await BareDecode.prepare({ video, fps, inputWidth, inputHeight, ffmpegPath, ffprobePath });
    const parts = { detector, decode, video, fps, ffmpegPath, ffprobePath };
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
  readonly decode: BareDecode;
  readonly video: string;
  readonly fps: number;
  readonly ffmpegPath?: string | undefined;
  readonly ffprobePath?: string | undefined;
}

/** The loop and, right after it, its bare parts over as many frames: what else the machine does hits both. */
async function round({ detector, decode, video, ...rest }: Parts, maxFrames: number): Promise<Round> {
  const spentBefore = { ...detector.spentMs };
  // Probing is over when the stream is open; it is no part of a frame's cost.
  let before = cpuTime();
  const onOpen = () => {
    before = cpuTime();
  };
  const { frames, trackingMs, zonesMs } = await laneLoop(
    detector,
    { url: video, ...rest },
    { maxFrames, onOpen },
  );
  const after = cpuTime();
  if (frames === 0) throw new Error(`The video ${video} has no frames; give another one.`);
  const self = after.self - before.self;
  const children = after.children - before.children;

  const bareDecode = await measureCpu(() => decode.run(frames));
  const run = detector.bareRun(new Uint8Array(detector.inputWidth * detector.inputHeight * 3).fill(114));
  const bareInference = await measureCpu(async () => {
    for (let i = 0; i < frames; i++) await run();
  });

  const inference = detector.spentMs.inference - spentBefore.inference;
  const outputs = detector.spentMs.outputs - spentBefore.outputs;
  const known = inference + outputs + trackingMs + zonesMs;
  const perFrame = (ms: number) => ms / frames;
  return {
    frames,
    loop: (self + children) / frames,
    bare: (bareDecode.children + bareInference.self) / frames,
    msPerFrame: {
      decode: perFrame(children * 1000),
      reading: Math.max(0, perFrame(self * 1000 - known)),
      inference: perFrame(inference),
      outputs: perFrame(outputs),
      tracking: perFrame(trackingMs),
      zones: perFrame(zonesMs),
    },
  };
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
