import type { ErrorModel } from './line-features.ts';

/** Fitted by `npm run -s evaluate -- estimate`, which prints them. */
export const ERROR_MODELS: Readonly<Record<'length' | 'wait', ErrorModel>> = {
  length: {
    bias: 3.4676,
    weights: {
      unseen: { least: 0, most: 0.6635, weight: 1.6005 },
      missing: { least: -0.6801, most: 0.9038, weight: 0.2575 },
      apart: { least: 0.0032, most: 0.8926, weight: 0.336 },
      steps: { least: -4.0778, most: -0.578, weight: 0.3206 },
      short: { least: -2.9614, most: 0.7571, weight: 0.0937 },
      brief: { least: -3.6057, most: -0.6592, weight: 0.2798 },
      lost: { least: 0, most: 0.625, weight: 1.2682 },
    },
    low: -0.464,
    high: 0.502,
  },
  wait: {
    bias: 3.021,
    weights: {
      missing: { least: -0.6801, most: 0.9038, weight: 1.2677 },
      apart: { least: 0.0032, most: 0.8926, weight: 0.0242 },
      steps: { least: -4.0778, most: -0.578, weight: 0.3768 },
      lost: { least: 0, most: 0.625, weight: 2.4001 },
    },
    low: -1.3171,
    high: 0.5968,
  },
};
