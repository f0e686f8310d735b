import type { ErrorModel } from './line-features.ts';

/** Fitted by `npm run -s evaluate -- estimate`, which prints them. */
export const ERROR_MODELS: Readonly<Record<'length' | 'wait', ErrorModel>> = {
  length: {
    bias: 3.5175,
    weights: {
      unseen: { least: 0, most: 0.6534, weight: 1.3367 },
      missing: { least: -0.6554, most: 0.8895, weight: 0.4186 },
      apart: { least: 0.0026, most: 0.863, weight: 0.3696 },
      steps: { least: -4.0782, most: -0.5779, weight: 0.3413 },
      short: { least: -2.9854, most: 0.5364, weight: 0.1297 },
      brief: { least: -3.5764, most: -0.684, weight: 0.2615 },
      lost: { least: 0, most: 0.6154, weight: 1.3722 },
    },
    low: -0.5211,
    high: 0.516,
  },
  wait: {
    bias: 2.8073,
    weights: {
      missing: { least: -0.6554, most: 0.8895, weight: 1.4079 },
      steps: { least: -4.0782, most: -0.5779, weight: 0.3115 },
      lost: { least: 0, most: 0.6154, weight: 2.8285 },
    },
    low: -1.4232,
    high: 0.5732,
  },
};
