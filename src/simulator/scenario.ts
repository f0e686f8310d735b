/**
 * What happens in the simulated shop. `classic` never changes, to the byte; the others add difficulties of real footage
 * (see README).
 */
export const SCENARIOS = ['classic', 'passers', 'groups', 'uniform', 'crowd'] as const;
export type Scenario = (typeof SCENARIOS)[number];
