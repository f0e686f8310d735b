import { prepareDetector } from '../../models/prepare.ts';
import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import { type LoadedDetector, loadDetector } from '../../src/models/load-detector.ts';
import { loadConfig, MODELS_DIR } from '../../src/platform/config.ts';
import { keepHeapSteady } from '../../src/platform/processes/steady-heap.ts';
import { type Stage, Stopwatch } from '../../src/vision/stopwatch.ts';
import { cpuTime, measureCpu } from '../support/cpu-time.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { median } from '../support/numbers.ts';
import { progress, table } from '../support/terminal.ts';
import { keepCoresAwake } from './awake-cores.ts';
import { laneLoop } from './lane-loop.ts';
import { BareDecode } from './pipeline/bare-decode.ts';

export const pipeline = measuringCommand({
  name: 'pipeline',
  description:
    'The CPU time of a frame from the video file to visits, compared with bare ffmpeg (the same arguments, to /dev/null) ' +
    'and bare inference (the same network on one tensor) over as many frames. Loop and bare inference take turns; the ' +
    'median of the rounds counts. All is CPU time of this process and its ffmpeg, so that waiting and other programs do ' +
    'not count. Cores are kept awake where that is allowed (to root, on Linux).',
  argument: ['video', 'a video file'],
  options: {
    model: ['detector, a name of `npm run models -- list`', DEFAULT_MODEL],
    fps: ['frames a second of the video to analyse', 5],
    frames: ['frames of each round, at most', 400],
    rounds: ['rounds; the median counts', 7],
    awake: ['let cores sleep between frames, and include the cost of waking them', true],
  },
  async measure(options, video) {
    // As in a lane: the cost of garbage collection is part of a frame's cost.
    keepHeapSteady('lane');
    const { modelCacheDir: cacheDir, ffmpegPath, ffprobePath } = loadConfig();
    const stopwatch = new Stopwatch();
    await prepareDetector(options.model, { modelsDir: MODELS_DIR, cacheDir });
    const detector = await loadDetector({ model: options.model, modelsDir: MODELS_DIR, cacheDir, stopwatch });
    const bar = progress('bench', WARM_UP_FRAMES + (options.rounds + 1) * options.frames, 'frames');
    const letCoresSleep = options.awake ? keepCoresAwake() : null;
    try {
      const { inputWidth, inputHeight } = detector;
      const { fps } = options;
      const decode = await BareDecode.prepare({
        video,
        fps,
        inputWidth,
        inputHeight,
        ffmpegPath,
        ffprobePath,
      });
      const onFrame = () => bar.step();
      const parts = { detector, stopwatch, decode, video, fps, ffmpegPath, ffprobePath, onFrame };
      stopwatch.isOn = false;
      const frames = Math.min(options.frames, await warmUp(parts));
      const rounds = await measureRounds(parts, frames, options.rounds);
      const stages = await measureStages(parts, frames);
      return {
        ...summary(rounds),
        ...stages,
        /** False: the cost of waking cores is included. */
        coresAwake: letCoresSleep !== null,
      };
    } finally {
      letCoresSleep?.();
      bar.stop();
      await detector.dispose();
    }
  },
  report(result) {
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
  },
});

/** CPU seconds per frame. */
interface Round {
  readonly loop: number;
  readonly bare: number;
}

/** After so many frames node has compiled the code that runs once a frame. A lane runs for months. */
const WARM_UP_FRAMES = 2500;
/** So many frames of the loop, then as many bare inferences, in turns. */
const TURN = 20;

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

/**
 * Runs the loop over the video again and again.
 * @returns the number of frames in the video, at most WARM_UP_FRAMES
 * @throws Error when it has none
 */
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
 * The loop and bare inference in turns, so that other load on the machine slows both. Before and after each loop, as many
 * frames are only decoded.
 */
async function measureRounds(parts: Parts, frames: number, count: number): Promise<Round[]> {
  const { detector, decode } = parts;
  const pixels = new Uint8Array(detector.inputWidth * detector.inputHeight * 3).fill(114);
  const bareRun = await detector.bareRun(pixels, decode.letterbox);
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

const STAGES = [
  'inference',
  'outputs',
  'tracking',
  'identity',
  'zones',
  'floor',
] as const satisfies readonly Stage[];

/** The loop once more with each stage measured, which itself takes some time. */
async function measureStages(parts: Parts, frames: number) {
  const { stopwatch } = parts;
  const before = { ...stopwatch.spentMs };
  stopwatch.isOn = true;
  const cost = await loopOnce(parts, { maxFrames: frames });
  stopwatch.isOn = false;
  const stages = STAGES.map(
    (stage) => [stage, (stopwatch.spentMs[stage] - before[stage]) / cost.frames] as const,
  );
  const known = stages.reduce((sum, [, ms]) => sum + ms, 0);
  return {
    frames: cost.frames,
    msPerFrame: {
      /** CPU of ffmpeg: decoding, scaling, letterboxing. */
      decode: cost.ffmpeg * 1000,
      /** CPU of reading the pipes, keeping images and everything else in this process. */
      reading: Math.max(0, cost.lane * 1000 - known),
      ...(Object.fromEntries(stages) as Record<(typeof STAGES)[number], number>),
    },
  };
}

/** CPU seconds per frame. */
interface LoopCost {
  readonly frames: number;
  /** Of this process. */
  readonly lane: number;
  /** Of its ffmpeg. */
  readonly ffmpeg: number;
  /** Of the bare inferences; 0 where there were none. */
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
    // Probing and starting ffmpeg happen once per camera stream and are no part of a frame's cost.
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

function summary(rounds: readonly Round[]) {
  const cpuSecondsPerFrame = median(rounds.map(({ loop }) => loop));
  return {
    /** CPU time of the whole loop ÷ (bare ffmpeg + bare inference), median of the rounds. */
    ratio: median(rounds.map(({ loop, bare }) => loop / bare)),
    cpuSecondsPerFrame,
    bareCpuSecondsPerFrame: median(rounds.map(({ bare }) => bare)),
    camerasPerCoreAt5Fps: 1 / (5 * cpuSecondsPerFrame),
  };
}

const ASLEEP =
  'Cores could sleep between frames, and the cost of waking them is included. As root on Linux they are kept awake.';
