import type { ErrorModel } from './line-features.ts';

/** Fitted by `npm run -s evaluate -- estimate`, which prints them. */
export const ERROR_MODELS: Readonly<Record<'length' | 'wait', ErrorModel>> = {
  length: {
    bias: 3.4818,
    weights: {
      unseen: { least: 0, most: 0.6659, weight: 0.9516 },
      missing: { least: -0.1105, most: 0.9145, weight: 0.823 },
      steps: { least: -4.0945, most: -0.511, weight: 0.3297 },
      short: { least: -3.1212, most: -0.2012, weight: 0.0442 },
      brief: { least: -3.4106, most: -1.1579, weight: 0.2773 },
      lost: { least: 0, most: 0.5403, weight: 1.3582 },
    },
    low: -0.4352,
    high: 0.6566,
  },
  wait: {
    bias: 2.5883,
    weights: {
      missing: { least: -0.1105, most: 0.9145, weight: 1.4173 },
      steps: { least: -4.0945, most: -0.511, weight: 0.2973 },
      lost: { least: 0, most: 0.5403, weight: 3.0534 },
    },
    low: -0.9984,
    high: 0.7019,
  },
};
