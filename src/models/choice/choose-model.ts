import { isDeepStrictEqual } from 'node:util';
import type { NodeReason } from '../../platform/processes/node-reason.ts';
import type { ExecutionProvider } from '../../vision/detect/detector.ts';
import { readDetectorCard } from '../cards.ts';
import type { DetectorCard } from '../detector-card.ts';
import { networksOf } from '../load-attribute-models.ts';
import type { ModelFolders } from '../model-sources.ts';
import { candidates } from './candidates.ts';
import { hasCudaLibraries, mayHaveGraphicsCard } from './graphics-drivers.ts';
import type { ChosenModel, MeasuredProvider, MeasureRequest, WantedProvider } from './measurement.ts';
import { measureOnce } from './measurement-cache.ts';
import { measureInProcess } from './measuring-process.ts';
import { type MeasuredGpu, pickFastest } from './pick-fastest.ts';

export interface ModelWish extends ModelFolders {
  /** The configured detector; undefined: the best for this machine. */
  readonly model: string | undefined;
  readonly executionProvider: WantedProvider;
  readonly attributeModels: readonly string[];
  readonly threads: number;
}

/** What the choice asks of the machine; tests answer themselves. */
export interface ChoiceTools {
  /** GPUs that may be there, for `auto`. */
  readonly gpuProviders: () => ExecutionProvider[];
  readonly measure: (request: MeasureRequest, allowEmulated: boolean) => Promise<MeasuredProvider>;
}

/** Measurements in processes of their own, kept in the model cache. */
export const machineTools = (onProgress: (message: string) => void): ChoiceTools => ({
  gpuProviders: () => [
    ...(mayHaveGraphicsCard() ? ['webgpu' as const] : []),
    ...(hasCudaLibraries() ? ['cuda' as const] : []),
  ],
  measure: (request, allowEmulated) =>
    // An adapter that the operator asks for is tried each time; it is only opened then.
    request.detectors.length === 0
      ? measureInProcess(request, { allowEmulated })
      : measureOnce(
          request,
          (wanted) => {
            const { detectors, executionProvider } = wanted;
            onProgress(`Measuring ${detectors.join(', ')} with ${executionProvider}, once on this machine`);
            return measureInProcess(wanted, { allowEmulated });
          },
          onProgress,
        ),
});

/**
 * Chooses detector and provider of a node, once for each start of a worker. Where no model is configured, it is the fastest of
 * the candidates. 8-bit networks run on the CPU only, so a GPU gets networks of floats.
 * @throws Error with one sentence: there is no such model
 */
export async function chooseModel(wish: ModelWish, tools: ChoiceTools): Promise<ChosenModel> {
  const { executionProvider: wanted, modelsDir, cacheDir, threads } = wish;
  const [first, ...others] = wish.model
    ? [await readDetectorCard(modelsDir, wish.model)]
    : await candidates(wish);
  const cards = [first, ...others];
  const onCpu = cards.map(({ name }) => name);
  const floats = cards.filter(({ quantise }) => !quantise);
  const [float] = floats;
  const gpus = wanted === 'auto' ? tools.gpuProviders() : wanted === 'cpu' ? [] : [wanted];
  const standard: ChosenModel = {
    ...{ model: first.name, executionProvider: 'cpu', attributeProvider: 'cpu' },
    ...{ adapter: null, providerReason: null, batchSize: 1 },
  };
  const measure = (
    executionProvider: ExecutionProvider,
    detectors: readonly string[],
    cropNetworks: readonly string[],
  ) => tools.measure({ executionProvider, detectors, cropNetworks, modelsDir, cacheDir, threads }, false);
  /** A single model needs no measurement. */
  const withoutGpu = async (failed: readonly MeasuredGpu[] = []) =>
    pickFastest(standard, onCpu.length > 1 ? await measure('cpu', onCpu, []) : null, failed);

  if (gpus.length === 0) return withoutGpu();
  if (!float) {
    const { model } = standard;
    const sentence = `The model ${model} computes with 8-bit integers, which run on the CPU only.`;
    const providerReason: NodeReason = { sentence, cause: { code: 'model_of_integers', model } };
    return { ...standard, providerReason: wanted === 'auto' ? null : providerReason };
  }
  if (wanted !== 'auto') {
    const opened = await forced(wish, wanted, tools);
    if ('providerReason' in opened) return { ...(await withoutGpu()), ...opened };
    // The provider is not measured: the network that the first model was made of, else the first.
    const model = (floats.find((card) => isOfSameSource(card, first)) ?? float).name;
    const batchSize = batchSizeOf(await measure(wanted, [model], []), model);
    return { ...standard, ...opened, model, executionProvider: wanted, attributeProvider: wanted, batchSize };
  }
  const onGpu = floats.map(({ name }) => name);
  const cropNetworks = networksOf(wish.attributeModels);
  const measuredGpus: MeasuredGpu[] = [];
  for (const provider of gpus)
    measuredGpus.push({ provider, measured: await measure(provider, onGpu, cropNetworks) });
  if (measuredGpus.every(({ measured }) => 'reason' in measured)) return withoutGpu(measuredGpus);
  return pickFastest(standard, await measure('cpu', onCpu, cropNetworks), measuredGpus);
}

const CUDA_NEEDS =
  'CUDA needs the driver of NVIDIA, CUDA 12 and cuDNN 9; EXECUTION_PROVIDER=webgpu needs only the driver.';
/** The script is started without npm: version 11 runs no install script that `allowScripts` does not name. */
const CUDA_INSTALL = 'ONNXRUNTIME_NODE_INSTALL=cuda12 node node_modules/onnxruntime-node/script/install.js';
const CUDA_IS_MISSING: NodeReason = {
  sentence:
    'cuda cannot be used: the files of ONNX Runtime for CUDA are not installed. On Linux with an x64 processor run ' +
    `\`${CUDA_INSTALL}\` in the folder of the service. ${CUDA_NEEDS}`,
  cause: { code: 'cuda_missing', detail: CUDA_INSTALL },
};

/** Opens the provider that the operator asks for, without measuring it. */
async function forced(
  { modelsDir, cacheDir, threads }: ModelWish,
  executionProvider: ExecutionProvider,
  tools: ChoiceTools,
): Promise<Pick<ChosenModel, 'adapter'> | Pick<ChosenModel, 'providerReason'>> {
  // ONNX Runtime itself names a missing file of its folder, and not what to do.
  const isCuda = executionProvider === 'cuda';
  if (isCuda && !tools.gpuProviders().includes('cuda')) return { providerReason: CUDA_IS_MISSING };
  const request = { executionProvider, detectors: [], cropNetworks: [], modelsDir, cacheDir, threads };
  const opened = await tools.measure(request, true);
  if ('adapter' in opened) return { adapter: opened.adapter };
  const sentence = `${executionProvider} cannot be used: ${opened.reason}.${isCuda ? ` ${CUDA_NEEDS}` : ''}`;
  const cause = { code: 'gpu_unusable', provider: executionProvider, detail: opened.reason } as const;
  return { providerReason: { sentence, cause } };
}

/** 1 where the model was not measured, because the GPU is emulated or too slow. */
function batchSizeOf(measured: MeasuredProvider, model: string): number {
  const timed = 'networks' in measured ? measured.networks.detectors[model] : undefined;
  return timed && 'batch' in timed ? (timed.batch?.size ?? 1) : 1;
}

const isOfSameSource = ({ source }: DetectorCard, other: DetectorCard): boolean =>
  source.kind !== 'given' && isDeepStrictEqual(source, other.source);
