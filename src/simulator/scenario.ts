/**
 * What happens in the simulated shop. `classic` never changes, to the byte; the others add difficulties of real footage
 * (see README).
 */
export const SCENARIOS = ['classic', 'passers', 'groups', 'uniform', 'crowd', 'till', 'facing'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Those with furniture that hides legs, or a camera as high as eyes: another place, judged apart. */
export const FURNISHED: readonly Scenario[] = ['till', 'facing'];
