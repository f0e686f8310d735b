import { IDENTITY_DEFAULTS, type IdentityOptions } from '../../../src/vision/identity/options.ts';
import { TRACKER_DEFAULTS, type TrackerOptions } from '../../../src/vision/track/options.ts';
import type { Tuning } from '../footage/tuning.ts';

type Value = number | boolean;

/** One option has another value than its default; all other options have their defaults. */
export interface Variant {
  /** `× 2/3`, `× 4/3`, `− 1`, `+ 1` or `off`. */
  readonly change: string;
  readonly value: Value;
  readonly tuning: Tuning;
}

export interface OptionVariants {
  readonly stage: keyof Tuning;
  readonly option: string;
  /** The default. */
  readonly value: Value;
  readonly variants: readonly Variant[];
}

/** Larger than any value that is compared with it. Infinity does not exist in JSON. */
export const UNLIMITED = 1e9;

/** The value with which an option has no effect. Options that are not listed always have an effect. */
const OFF: { tracker: Partial<TrackerOptions>; identity: Partial<IdentityOptions> } = {
  tracker: {
    lowThreshold: TRACKER_DEFAULTS.confidenceThreshold,
    confirmFrames: 1,
    newcomerMissSeconds: 0,
    gateGrowth: 0,
    appearanceWeight: 0,
    unsureNoise: 1,
    duplicateIou: 2,
    visibleBoxes: false,
    cameraWitnesses: UNLIMITED,
    growthMemorySeconds: 1e-9,
    // Student's t with so many degrees of freedom is a Gaussian.
    tailWeight: UNLIMITED,
  },
  identity: {
    positionErrorPerSecond: 0,
    largestPositionError: UNLIMITED,
    straightSeconds: 0,
    heightError: UNLIMITED,
    headPenalty: UNLIMITED,
    stopPenalty: UNLIMITED,
    openCost: 0,
    // Hidden seconds cost as much as other seconds.
    hiddenCost: IDENTITY_DEFAULTS.openCost,
    largestAppearanceCost: 0,
    // No cover is that large.
    coveredShare: 2,
    behind: 0,
    longestHiddenMs: 0,
  },
};

/** Options that are whole numbers. */
const COUNTS: readonly string[] = ['confirmFrames', 'cameraWitnesses'];

const FACTORS = { '× 2/3': 2 / 3, '× 4/3': 4 / 3 };
/** Logarithms may be 0 or negative, so they change by addition: 1 is a factor of e in their argument. */
const STEPS = { '− 1': -1, '+ 1': 1 };

/** Each option of the tracker and of the identity stage, with the values to try. */
export function optionVariants(): OptionVariants[] {
  return [...variantsOf('tracker', TRACKER_DEFAULTS), ...variantsOf('identity', IDENTITY_DEFAULTS)];
}

function variantsOf(stage: keyof Tuning, defaults: TrackerOptions | IdentityOptions): OptionVariants[] {
  const off = new Map<string, Value>(Object.entries(OFF[stage]));
  return Object.entries(defaults).map(([option, value]: [string, Value]) => {
    const without = off.get(option);
    const values = [...changed(option, value), ...(without === undefined ? [] : [['off', without] as const])];
    const variants = values.map(([change, other]) => ({
      ...{ change, value: other },
      tuning: { [stage]: { [option]: other } },
    }));
    return { stage, option, value, variants };
  });
}

function changed(option: string, value: Value): [change: string, value: Value][] {
  if (typeof value === 'boolean') return [];
  if (value <= 0) return Object.entries(STEPS).map(([change, step]) => [change, value + step]);
  return Object.entries(FACTORS).map(([change, factor]) => {
    const product = value * factor;
    return [change, COUNTS.includes(option) ? Math.round(product) : Number(product.toPrecision(3))];
  });
}
