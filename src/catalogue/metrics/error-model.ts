import type { ErrorModel } from './expected-error.ts';

/** Fitted by `npm run -s evaluate -- estimate`, which prints it. */
export const ERROR_MODEL: ErrorModel = {
  bias: 3.4211,
  weights: {
    unseen: { least: 0, most: 0.6217, weight: 0.11 },
    missing: { least: -0.1553, most: 0.7204, weight: 1.6139 },
    steps: { least: -4.1309, most: -0.9404, weight: 0.2064 },
    short: { least: -3.1786, most: -0.777, weight: 0 },
    brief: { least: -3.5856, most: -1.4564, weight: 0.38 },
    lost: { least: 0, most: 0.5848, weight: 1.412 },
  },
  low: -0.491,
  high: 0.7449,
};
