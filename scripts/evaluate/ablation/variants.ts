import { IDENTITY_DEFAULTS, type IdentityOptions } from '../../../src/vision/identity/options.ts';
import { TRACKER_DEFAULTS, type TrackerOptions } from '../../../src/vision/track/options.ts';
import type { Tuning } from '../footage/tuning.ts';

type Value = number | boolean;

/** An option with another value than its default, and all others with theirs. */
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

/** Larger than anything that is compared with it, and unlike Infinity also in JSON. */
export const UNLIMITED = 1e9;

/** The value with which an option does nothing. An option without one is a scale that something must have. */
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
    // Hidden seconds cost as much as others.
    hiddenCost: IDENTITY_DEFAULTS.openCost,
    largestAppearanceCost: 0,
    // No cover is as large.
    coveredShare: 2,
    behind: 0,
    longestHiddenMs: 0,
  },
};

/** Whole numbers. */
const COUNTS: readonly string[] = ['confirmFrames', 'cameraWitnesses'];

const FACTORS = { '× 2/3': 2 / 3, '× 4/3': 4 / 3 };
/** Logarithms may be 0 or below, so they are moved, by a factor of e in what they are the logarithm of. */
const STEPS = { '− 1': -1, '+ 1': 1 };

/** Every option of the tracker and of the identity stage, each with the values to try. */
export function optionVariants(): OptionVariants[] {
  return [...variantsOf('tracker', TRACKER_DEFAULTS), ...variantsOf('identity', IDENTITY_DEFAULTS)];
}

function variantsOf(stage: keyof Tuning, defaults: TrackerOptions | IdentityOptions): OptionVariants[] {
  const off = new Map<string, Value>(Object.entries(OFF[stage]));
  return Object.entries(defaults).map(([option, value]: [string, Value]) => {
    const values = [...moved(option, value)];
    const none = off.get(option);
    if (none !== undefined) values.push(['off', none]);
    const variants = values.map(([change, changed]) => ({
      ...{ change, value: changed },
      tuning: { [stage]: { [option]: changed } },
    }));
    return { stage, option, value, variants };
  });
}

function moved(option: string, value: Value): [change: string, value: Value][] {
  if (typeof value === 'boolean') return [];
  if (value <= 0) return Object.entries(STEPS).map(([change, step]) => [change, value + step]);
  return Object.entries(FACTORS).map(([change, factor]) => {
    const changed = value * factor;
    return [change, COUNTS.includes(option) ? Math.round(changed) : Number(changed.toPrecision(3))];
  });
}
