import type { FullFrame } from '../frame.ts';
import type { Box } from '../types.ts';
import type { AttributeKey, Classification } from './keys.ts';

/** Name of the default attribute model in ATTRIBUTE_MODELS. */
export const EMBEDDED = 'embedded';

/** The part of a frame that shows one person. */
export interface Crop {
  readonly frame: FullFrame;
  /** Fractions of the frame. */
  readonly box: Box;
}

/** Classifies single crops of people. */
export interface AttributeModel {
  readonly name: string;
  /** The keys that it can classify. */
  readonly keys: readonly AttributeKey[];
  /** @param keys those that are wanted; all by default */
  classify(crop: Crop, keys?: readonly AttributeKey[]): Promise<Classification>;
  dispose(): Promise<void>;
}
