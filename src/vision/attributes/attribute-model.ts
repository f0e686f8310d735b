import type { FullFrame } from '../frame.ts';
import type { Box } from '../types.ts';
import type { AttributeKey, Classification } from './keys.ts';

/** Name of the default attribute model in ATTRIBUTE_MODELS. */
export const EMBEDDED = 'embedded';

/** One person in one picture. */
export interface Crop {
  readonly frame: FullFrame;
  /** Fractions of the picture. */
  readonly box: Box;
}

/** Says what it can about a person from one look. */
export interface AttributeModel {
  readonly name: string;
  /** The keys it can say anything about. */
  readonly keys: readonly AttributeKey[];
  classify(crop: Crop): Promise<Classification>;
  dispose(): Promise<void>;
}
