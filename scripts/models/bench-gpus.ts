import { readDetectorCard } from '../../src/models/cards.ts';
import { machineTools } from '../../src/models/choice/choose-model.ts';
import type { Batch } from '../../src/models/choice/measurement.ts';
import { measureInProcess } from '../../src/models/choice/measuring-process.ts';
import type { ModelFolders } from '../../src/models/model-sources.ts';
import type { ExecutionProvider } from '../../src/vision/detect/detector.ts';

interface GpuResult {
  readonly provider: ExecutionProvider;
  readonly adapter: string | null;
  readonly name: string;
  /** Wall time of one frame, median; null with a reason. */
  readonly msPerFrame: number | null;
  readonly reason: string | null;
  /** How many frames of several cameras share a run, and the time of each; null where one alone is fastest. */
  readonly batch: Batch | null;
}

/** The time of networks of floats on each GPU that may be there. A GPU that cannot be used gives its reason. */
export async function benchGpus(names: readonly string[], folders: ModelFolders): Promise<GpuResult[]> {
  const cards = await Promise.all(names.map((name) => readDetectorCard(folders.modelsDir, name)));
  const detectors = cards.filter(({ quantise }) => !quantise).map(({ name }) => name);
  const results: GpuResult[] = [];
  for (const provider of machineTools(() => undefined).gpuProviders()) {
    const request = { executionProvider: provider, detectors, cropNetworks: [], threads: 1, ...folders };
    const measured = await measureInProcess(request);
    const adapter = 'reason' in measured ? null : measured.adapter;
    for (const name of detectors) {
      const timed = 'reason' in measured ? measured : measured.networks.detectors[name]!;
      const [msPerFrame, reason] = 'ms' in timed ? [timed.ms, null] : [null, timed.reason];
      const batch = ('ms' in timed && timed.batch) || null;
      results.push({ provider, adapter, name, msPerFrame, reason, batch });
    }
  }
  return results;
}
