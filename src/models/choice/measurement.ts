import type { NodeReason } from '../../platform/processes/node-reason.ts';
import type { ExecutionProvider } from '../../vision/detect/detector.ts';
import type { ModelFolders } from '../model-sources.ts';

/** `auto`: the fastest that works. */
export type WantedProvider = ExecutionProvider | 'auto';

/** What to measure, all of it with one provider. */
export interface MeasureRequest extends ModelFolders {
  readonly executionProvider: ExecutionProvider;
  readonly detectors: readonly string[];
  /** Networks that look at parts of frames. */
  readonly cropNetworks: readonly string[];
  /** Threads of one inference on the CPU. */
  readonly threads: number;
}

/** How many frames share a run, and the milliseconds of each of them. */
export interface Batch {
  readonly size: number;
  readonly ms: number;
}

/** Milliseconds of a frame alone, or the reason why there are none, one sentence. */
export type Timed =
  | {
      readonly ms: number;
      /** The best number of frames; left out where one alone is best. */
      readonly batch?: Batch | undefined;
    }
  | { readonly reason: string };

/** By the names of the networks. */
export interface TimedNetworks {
  readonly detectors: Readonly<Record<string, Timed>>;
  readonly cropNetworks: Readonly<Record<string, Timed>>;
}

/** What one provider gave. */
export interface Measured {
  /** Name of the graphics card or its driver; null for the CPU and where the system does not tell. */
  readonly adapter: string | null;
  readonly networks: TimedNetworks;
}

/** One provider, measured or not usable at all. */
export type MeasuredProvider = Measured | { readonly reason: string; readonly isUnopened?: true };

/** What a node runs. */
export interface ChosenModel {
  readonly model: string;
  readonly executionProvider: ExecutionProvider;
  /** The most frames of several cameras in one run of the detector; 1 on the CPU. */
  readonly batchSize: number;
  /** What runs the networks of attributes. */
  readonly attributeProvider: ExecutionProvider;
  /** The graphics card; null for the CPU and where the system does not tell. */
  readonly adapter: string | null;
  /** Why no GPU runs the detector though it was to be tried; null otherwise. */
  readonly providerReason: NodeReason | null;
}
