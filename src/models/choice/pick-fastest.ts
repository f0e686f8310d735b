import type { NodeReason } from '../../platform/processes/node-reason.ts';
import type { ExecutionProvider } from '../../vision/detect/detector.ts';
import type { ChosenModel, MeasuredProvider } from './measurement.ts';

/** Only what takes less than this share of the default's time replaces it, so that noise changes nothing. */
const CLEARLY_FASTER = 0.9;

export interface MeasuredGpu {
  readonly provider: ExecutionProvider;
  readonly measured: MeasuredProvider;
}

interface Option {
  readonly model: string;
  readonly provider: ExecutionProvider;
  readonly adapter: string | null;
  readonly ms: number;
  readonly batchSize: number;
}

/**
 * The fastest detector and provider, and the fastest provider for the networks of attributes. The default stays unless
 * something is clearly faster.
 * @param standard what runs without any measurement
 * @param cpu null: not measured, because there is one model and no GPU that works
 */
export function pickFastest(
  standard: ChosenModel,
  cpu: MeasuredProvider | null,
  gpus: readonly MeasuredGpu[],
): ChosenModel {
  const providers = [...(cpu ? [{ provider: 'cpu' as const, measured: cpu }] : []), ...gpus];
  const options = providers.flatMap(optionsOf);
  const ofStandard = options.find(({ model, provider }) => model === standard.model && provider === 'cpu');
  if (!ofStandard) return { ...standard, providerReason: reasonAgainst(gpus, null) };
  const least = options.reduce((a, b) => (b.ms < a.ms ? b : a));
  const chosen = least.ms < CLEARLY_FASTER * ofStandard.ms ? least : ofStandard;
  const { model, provider, adapter, batchSize } = chosen;
  return {
    ...{ model, adapter, executionProvider: provider, batchSize },
    attributeProvider: attributeProviderOf(providers),
    providerReason: provider === 'cpu' ? reasonAgainst(gpus, chosen) : null,
  };
}

function optionsOf({ provider, measured }: MeasuredGpu): Option[] {
  if ('reason' in measured) return [];
  const { adapter, networks } = measured;
  return Object.entries(networks.detectors).flatMap(([model, timed]) =>
    'ms' in timed ? [{ model, provider, adapter, ms: timed.ms, batchSize: timed.batch?.size ?? 1 }] : [],
  );
}

/** The least time of all networks of attributes together. One that a provider does not run excludes the provider. */
function attributeProviderOf(providers: readonly MeasuredGpu[]): ExecutionProvider {
  const sums = providers.flatMap(({ provider, measured }) => {
    const times = 'reason' in measured ? [] : Object.values(measured.networks.cropNetworks);
    if (times.length === 0 || times.some((timed) => 'reason' in timed)) return [];
    return [{ provider, ms: times.reduce((sum, timed) => sum + ('ms' in timed ? timed.ms : 0), 0) }];
  });
  const onCpu = sums.find(({ provider }) => provider === 'cpu');
  if (!onCpu) return 'cpu';
  const least = sums.reduce((a, b) => (b.ms < a.ms ? b : a));
  return least.ms < CLEARLY_FASTER * onCpu.ms ? least.provider : 'cpu';
}

/** Why the detector runs on no GPU; null where there is none. */
function reasonAgainst(gpus: readonly MeasuredGpu[], onCpu: Option | null): NodeReason | null {
  if (gpus.length === 0) return null;
  const said = gpus.map(({ provider, measured }) => {
    if ('reason' in measured) return `${provider}: ${measured.reason}`;
    const parts = Object.entries(measured.networks.detectors).map(([model, timed]) =>
      'ms' in timed ? `${model} ${timed.ms.toFixed(1)} ms` : `${model}: ${timed.reason}`,
    );
    return [measured.adapter ?? provider, ...parts].join(', ');
  });
  const fastest = onCpu ? ` The CPU needs ${onCpu.ms.toFixed(1)} ms a frame for ${onCpu.model}.` : '';
  const detail = said.join('; ');
  const sentence = `No GPU runs the detector (${detail}).${fastest}`;
  if (gpus.some((gpu) => optionsOf(gpu).length > 0))
    return { sentence, cause: { code: 'gpu_slower', detail } };
  const provider = gpus.map((gpu) => gpu.provider).join(', ');
  return { sentence, cause: { code: 'gpu_unusable', provider, detail } };
}
