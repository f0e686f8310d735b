import { Tensor } from 'onnxruntime-node';
import type { ExecutionProvider } from '../../vision/detect/detector.ts';
import { readAttributeCard, readDetectorCard } from '../cards.ts';
import { CropNetwork } from '../crop-network.ts';
import type { DetectorCard } from '../detector-card.ts';
import { encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../onnx/onnx-graph.ts';
import { openSession, reasonOf } from '../open-session.ts';
import { readyModel } from '../ready-models.ts';
import { takesBatches } from '../ready-network.ts';
import { givesTheSame, type Outputs } from './compare-outputs.ts';
import type { Batch, MeasureRequest, Timed, TimedNetworks } from './measurement.ts';

/** Runs of each network before the timed ones: a GPU compiles its programs in the first one. */
const WARM_UP = 2;
const RUNS = 9;
/** Frames in one run that are tried on a GPU, while each is faster than the one before. */
const BATCH_SIZES = [2, 4, 8];
/** A larger batch must need less than this share of the time for a frame: its frames wait for each other. */
const CLEARLY_FASTER = 0.9;
const FRAME = { width: 640, height: 360 };

/** A network that is open and has its input. */
interface Runner {
  /** @param picture which of the test pictures; the first by default */
  readonly run: (picture?: number) => Promise<Outputs>;
  readonly release: () => Promise<void>;
  /** Only of networks that take several frames: a run of different ones. @returns the outputs of each */
  readonly runBatch?: (frames: number) => Promise<Outputs[]>;
}

/**
 * Measures the median wall time of one run of each network. The networks take turns, so that other work on the machine slows
 * all of them. On a GPU the outputs are also compared with those of the CPU, because a driver may compute something else.
 * @throws Error when the provider cannot be used at all
 */
export async function measureNetworks(request: MeasureRequest): Promise<TimedNetworks> {
  const { executionProvider } = request;
  if (executionProvider !== 'cpu') await openNothing(executionProvider);
  const detectors: Record<string, Timed> = {};
  const cropNetworks: Record<string, Timed> = {};
  const opening = [
    ...request.detectors.map((name) => ({ name, timed: detectors, openRunner: openDetector })),
    ...request.cropNetworks.map((name) => ({ name, timed: cropNetworks, openRunner: openCropNetwork })),
  ];
  const open: (Omit<(typeof opening)[number], 'openRunner'> & { runner: Runner; tookMs: number[] })[] = [];
  for (const { name, timed, openRunner } of opening) {
    try {
      const runner = await openRunner(name, request, executionProvider);
      if (executionProvider !== 'cpu') await compareWithCpu(runner, () => openRunner(name, request, 'cpu'));
      open.push({ name, timed, runner, tookMs: [] });
    } catch (error) {
      timed[name] = { reason: reasonOf(error) };
    }
  }
  for (let round = 0; round < WARM_UP + RUNS; round++) {
    for (const { runner, tookMs } of open) {
      const startMs = performance.now();
      await runner.run();
      if (round >= WARM_UP) tookMs.push(performance.now() - startMs);
    }
  }
  for (const { name, timed, runner, tookMs } of open) {
    const ms = medianOf(tookMs);
    timed[name] = { ms, batch: executionProvider === 'cpu' ? undefined : await fastestBatch(runner, ms) };
    await runner.release();
  }
  return { detectors, cropNetworks };
}

/** @returns undefined where a frame alone is fastest, or a batch gives something else */
async function fastestBatch({ run, runBatch }: Runner, msAlone: number): Promise<Batch | undefined> {
  let best: Batch = { size: 1, ms: msAlone };
  if (!runBatch) return undefined;
  for (const size of BATCH_SIZES) {
    try {
      const given = await runBatch(size);
      const areSame = given.map(async (outputs, at) => givesTheSame(outputs, await run(at)));
      if ((await Promise.all(areSame)).includes(false)) break;
      const tookMs: number[] = [];
      for (let round = 0; round < RUNS; round++) {
        const startMs = performance.now();
        await runBatch(size);
        tookMs.push((performance.now() - startMs) / size);
      }
      const ms = medianOf(tookMs);
      if (ms >= CLEARLY_FASTER * best.ms) break;
      best = { size, ms };
    } catch {
      // A network that was made for one frame, or a card without the memory.
      break;
    }
  }
  return best.size === 1 ? undefined : best;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Opens the smallest network, so that a provider without a device fails at once. @throws Error with the reason */
async function openNothing(executionProvider: ExecutionProvider): Promise<void> {
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('x', FLOAT, [1])];
  graph.node('Add', ['x', 'x'], { as: 'y' });
  graph.outputs = [tensorInfo('y', FLOAT, [1])];
  const { session } = await openAs(executionProvider, 'a test network', encodeOnnx(graph), 1);
  await session.run({ x: new Tensor('float32', Float32Array.of(1), [1]) });
  await session.release();
}

/** @throws Error with the reason when the provider does not run it */
async function openAs(
  executionProvider: ExecutionProvider,
  name: string,
  bytes: Uint8Array,
  threads: number,
) {
  const opened = await openSession(name, bytes, { executionProvider, threads });
  if (opened.fallback === null) return opened;
  await opened.session.release();
  throw new Error(opened.fallback);
}

async function openDetector(
  name: string,
  request: MeasureRequest,
  executionProvider: ExecutionProvider,
): Promise<Runner> {
  const card = await readDetectorCard(request.modelsDir, name);
  const bytes = await readyModel(card, request);
  const { session } = await openAs(executionProvider, name, bytes, request.threads);
  const { width, height } = card.input;
  const most = Math.max(...BATCH_SIZES);
  const pictures = Array.from({ length: most }, (_, at) => testPicture(card, at));
  const inputOf = (shown: readonly Uint8Array[]) =>
    new Tensor('uint8', Buffer.concat(shown), [shown.length, height, width, 3]);
  const runOn = async (image: Tensor, frames: number) => framesOf(await session.run({ image }), frames);
  const single = pictures.map((picture) => inputOf([picture]));
  return {
    run: async (picture = 0) => (await runOn(single[picture]!, 1))[0]!,
    release: () => session.release(),
    ...(takesBatches(card) && {
      runBatch: (frames: number) => runOn(inputOf(pictures.slice(0, frames)), frames),
    }),
  };
}

async function openCropNetwork(
  name: string,
  request: MeasureRequest,
  executionProvider: ExecutionProvider,
): Promise<Runner> {
  const card = await readAttributeCard(request.modelsDir, name);
  const network = await CropNetwork.open(card, { ...request, executionProvider, threads: 1 });
  if (network.fallback !== null) {
    await network.dispose();
    throw new Error(network.fallback);
  }
  const { width, height } = FRAME;
  const data = Uint8Array.from({ length: (width * height * 3) / 2 }, (_, at) => 64 + ((at * 7) % 128));
  const frame = { index: 0, timeMs: 0, width, height, data, colourMatrix: 'bt709' as const };
  const part = { left: 200, top: 20, right: 360, bottom: 340 };
  return { run: () => network.run(frame, part), release: () => network.dispose() };
}

async function compareWithCpu(runner: Runner, openOnCpu: () => Promise<Runner>): Promise<void> {
  const onCpu = await openOnCpu();
  const [expected, given] = [await onCpu.run(), await runner.run()];
  await onCpu.release();
  if (!givesTheSame(given, expected)) throw new Error('it gives other outputs than the CPU');
}

/** The outputs of each of so many frames of a run: the first dimension is the frame. */
function framesOf(outputs: Readonly<Record<string, Tensor>>, frames: number): Outputs[] {
  const read = Object.entries(outputs).flatMap(([name, { type, data }]) =>
    type === 'float32' || type === 'int32' ? [[name, data as Float32Array | Int32Array] as const] : [],
  );
  return Array.from({ length: frames }, (_, frame) => {
    const partOf = (data: Float32Array | Int32Array) =>
      data.subarray((frame * data.length) / frames, ((frame + 1) * data.length) / frames);
    return Object.fromEntries(read.map(([name, data]) => [name, partOf(data)]));
  });
}

/** Some areas and edges, so that not all cells of a network give the same. @param at each picture is another one */
function testPicture({ input: { width, height } }: DetectorCard, at: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 3);
  const middle = 0.3 + 0.05 * at;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isInside = Math.abs(x / width - middle) < 0.1 && Math.abs(y / height - 0.5) < 0.35;
      for (let channel = 0; channel < 3; channel++)
        pixels[to++] = isInside ? 40 + 60 * channel : ((x >> 2) + (y >> 3) * channel) % 256;
    }
  }
  return pixels;
}
