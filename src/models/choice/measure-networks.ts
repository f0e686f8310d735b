import { Tensor } from 'onnxruntime-node';
import type { ExecutionProvider } from '../../vision/detect/detector.ts';
import { readAttributeCard, readDetectorCard } from '../cards.ts';
import { encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../convert/onnx-graph.ts';
import { CropNetwork } from '../crop-network.ts';
import type { DetectorCard } from '../detector-card.ts';
import { prepareModel } from '../model-store.ts';
import { openSession, reasonOf } from '../open-session.ts';
import { givesTheSame, type Outputs } from './compare-outputs.ts';
import type { MeasureRequest, Timed, TimedNetworks } from './measurement.ts';

/** Runs of each network before the timed ones: a GPU compiles its programs in the first one. */
const WARM_UP = 2;
const RUNS = 9;
const FRAME = { width: 640, height: 360 };

/** A network that is open and has its input. */
interface Runner {
  run(): Promise<Outputs>;
  release(): Promise<void>;
}

/**
 * Measures the median wall time of one run of each network. The networks take turns, so that other work on the machine slows
 * all of them. On a GPU the outputs are also compared with those of the CPU, because a driver may compute something else.
 * @throws Error when the provider cannot be used at all
 */
export async function measureNetworks(request: MeasureRequest): Promise<TimedNetworks> {
  const { executionProvider } = request;
  if (executionProvider !== 'cpu') await openNothing(executionProvider);
  const timed: Record<string, Timed> = {};
  const open = new Map<string, { readonly runner: Runner; readonly tookMs: number[] }>();
  const opening = [
    ...request.detectors.map((name) => [name, openDetector] as const),
    ...request.cropNetworks.map((name) => [name, openCropNetwork] as const),
  ];
  for (const [name, openRunner] of opening) {
    try {
      const runner = await openRunner(name, request, executionProvider);
      open.set(name, { runner, tookMs: [] });
      if (executionProvider !== 'cpu') await compareWithCpu(runner, () => openRunner(name, request, 'cpu'));
    } catch (error) {
      timed[name] = { reason: reasonOf(error) };
      open.delete(name);
    }
  }
  for (let round = 0; round < WARM_UP + RUNS; round++) {
    for (const { runner, tookMs } of open.values()) {
      const startMs = performance.now();
      await runner.run();
      if (round >= WARM_UP) tookMs.push(performance.now() - startMs);
    }
  }
  for (const [name, { runner, tookMs }] of open) {
    timed[name] = { ms: tookMs.sort((a, b) => a - b)[Math.floor(RUNS / 2)]! };
    await runner.release();
  }
  const timesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, timed[name]!]));
  return { detectors: timesOf(request.detectors), cropNetworks: timesOf(request.cropNetworks) };
}

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
  const bytes = await prepareModel(card, request);
  const { session } = await openAs(executionProvider, name, bytes, request.threads);
  const image = testPicture(card);
  return {
    run: async () => floatsOf(await session.run({ image })),
    release: () => session.release(),
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

function floatsOf(outputs: Readonly<Record<string, Tensor>>): Outputs {
  const read = Object.entries(outputs).flatMap(([name, { type, data }]) =>
    type === 'float32' || type === 'int32' ? [[name, data as Float32Array | Int32Array] as const] : [],
  );
  return Object.fromEntries(read);
}

/** Some areas and edges, so that not all cells of a network give the same. */
function testPicture({ input: { width, height } }: DetectorCard): Tensor {
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isInside = Math.abs(x / width - 0.5) < 0.1 && Math.abs(y / height - 0.5) < 0.35;
      for (let channel = 0; channel < 3; channel++)
        pixels[at++] = isInside ? 40 + 60 * channel : ((x >> 2) + (y >> 3) * channel) % 256;
    }
  }
  return new Tensor('uint8', pixels, [1, height, width, 3]);
}
