import type { ErrorModel } from './expected-error.ts';

/** Fitted by `npm run -s evaluate -- estimate`, which prints it. */
export const ERROR_MODEL: ErrorModel = {
  bias: 4.0636,
  weights: {
    unseen: { least: 0, most: 0.6259, weight: 1.31 },
    detected: { least: -0.6107, most: 0.1545, weight: -0.607 },
    apart: { least: 0.0462, most: 0.6107, weight: -0.8224 },
    followed: { least: -0.7348, most: 0.1561, weight: -0.989 },
    unsure: { least: 0, most: 0.8146, weight: -0.218 },
    behind: { least: 0.0826, most: 0.6678, weight: -0.0518 },
    steps: { least: -4.1379, most: -1.0395, weight: 0.1385 },
    length: { least: 0.7958, most: 3.1821, weight: -0.2425 },
    stay: { least: 1.4656, most: 3.4094, weight: -0.5282 },
    lost: { least: 0, most: 0.5983, weight: 0.9695 },
  },
  low: -0.6693,
  high: 0.4544,
};
