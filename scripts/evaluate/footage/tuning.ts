import type { ScenePipelineOptions } from '../../../src/vision/pipeline.ts';

/** Options of the tracker and the identity stage that differ from their defaults. */
export type Tuning = Pick<ScenePipelineOptions, 'tracker' | 'identity'>;
