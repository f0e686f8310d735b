import { isDeepStrictEqual } from 'node:util';
import type { ExecutionProvider } from '../../vision/detect/detector.ts';
import { DEFAULT_MODEL, listDetectors, readDetectorCard } from '../cards.ts';
import { networksOf } from '../load-attribute-models.ts';
import type { ModelFolders } from '../model-sources.ts';
import { graphicsDrivers, hasCudaLibraries } from './graphics-drivers.ts';
import { measuredOnce } from './measured-cache.ts';
import type { ChosenModel, MeasuredProvider, MeasureRequest, WantedProvider } from './measurement.ts';
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
    ...(graphicsDrivers() === null ? [] : ['webgpu' as const]),
    ...(hasCudaLibraries() ? ['cuda' as const] : []),
  ],
  measure: (request, allowEmulated) =>
    // An adapter that the operator asks for is tried each time; it is only opened then.
    request.detectors.length === 0
      ? measureInProcess(request, { allowEmulated })
      : measuredOnce(
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
 * Chooses detector and provider of a node, once for each start of a worker. 8-bit networks run on the CPU only, so a GPU gets
 * the float network of the same family where no model is configured.
 * @throws Error with one sentence: there is no such model
 */
export async function chooseModel(wish: ModelWish, tools: ChoiceTools): Promise<ChosenModel> {
  const { executionProvider: wanted } = wish;
  const onCpu = [wish.model ?? DEFAULT_MODEL];
  const onGpu = await floatNetworks(wish, onCpu);
  const gpus = wanted === 'auto' ? tools.gpuProviders() : wanted === 'cpu' ? [] : [wanted];
  const cpu: ChosenModel = {
    ...{ model: onCpu[0]!, executionProvider: 'cpu', attributeProvider: 'cpu' },
    ...{ adapter: null, providerReason: null },
  };
  if (gpus.length === 0) return cpu;
  if (onGpu.length === 0) {
    const providerReason = `The model ${onCpu[0]} computes with 8-bit integers, which run on the CPU only.`;
    return { ...cpu, providerReason: wanted === 'auto' ? null : providerReason };
  }
  if (wanted !== 'auto') return forced(wish, { provider: gpus[0]!, model: onGpu[0]!, cpu }, tools);

  const measure = (executionProvider: ExecutionProvider, detectors: readonly string[]) => {
    const { modelsDir, cacheDir, threads } = wish;
    const cropNetworks = networksOf(wish.attributeModels);
    return tools.measure({ executionProvider, detectors, cropNetworks, modelsDir, cacheDir, threads }, false);
  };
  const measuredGpus: MeasuredGpu[] = [];
  for (const provider of gpus) measuredGpus.push({ provider, measured: await measure(provider, onGpu) });
  // Without a GPU that works there is nothing to compare.
  if (measuredGpus.every(({ measured }) => 'reason' in measured)) return pickFastest(cpu, null, measuredGpus);
  return pickFastest(cpu, await measure('cpu', onCpu), measuredGpus);
}

const CUDA_NEEDS =
  'CUDA needs the driver of NVIDIA, CUDA 12 and cuDNN 9; EXECUTION_PROVIDER=webgpu needs only the driver.';
/** The script is started without npm: version 11 runs no install script that `allowScripts` does not name. */
const CUDA_IS_MISSING =
  'cuda cannot be used: the files of ONNX Runtime for CUDA are not installed. On Linux with an x64 processor run ' +
  '`ONNXRUNTIME_NODE_INSTALL=cuda12 node node_modules/onnxruntime-node/script/install.js` in the folder of the ' +
  `service. ${CUDA_NEEDS}`;

/** The provider that the operator asks for, without measuring. */
async function forced(
  wish: ModelWish,
  { provider, model, cpu }: { provider: ExecutionProvider; model: string; cpu: ChosenModel },
  tools: ChoiceTools,
): Promise<ChosenModel> {
  // ONNX Runtime itself names a missing file of its folder, and not what to do.
  if (provider === 'cuda' && !tools.gpuProviders().includes('cuda'))
    return { ...cpu, providerReason: CUDA_IS_MISSING };
  const { modelsDir, cacheDir, threads } = wish;
  const request = {
    executionProvider: provider,
    detectors: [],
    cropNetworks: [],
    modelsDir,
    cacheDir,
    threads,
  };
  const opened = await tools.measure(request, true);
  if ('reason' in opened) {
    const providerReason = `${provider} cannot be used: ${opened.reason}.`;
    return {
      ...cpu,
      providerReason: provider === 'cuda' ? `${providerReason} ${CUDA_NEEDS}` : providerReason,
    };
  }
  const { adapter } = opened;
  return { model, executionProvider: provider, attributeProvider: provider, adapter, providerReason: null };
}

/** The networks of floats for a GPU: those named, and of an 8-bit default the one that it was made of. */
async function floatNetworks({ model, modelsDir }: ModelWish, names: readonly string[]): Promise<string[]> {
  const cards = await Promise.all(names.map((name) => readDetectorCard(modelsDir, name)));
  const floats = cards.filter(({ quantise }) => !quantise).map(({ name }) => name);
  if (floats.length > 0 || model !== undefined) return floats;
  const all = await Promise.all(
    (await listDetectors(modelsDir)).map((name) => readDetectorCard(modelsDir, name)),
  );
  const family = all.find(({ quantise, source }) => !quantise && isDeepStrictEqual(source, cards[0]!.source));
  return family ? [family.name] : [];
}
