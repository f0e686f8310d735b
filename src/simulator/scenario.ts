/**
 * What happens in the simulated shop. `classic` is the shop as it always was, to the byte; the others add what makes
 * real footage hard (see README).
 */
export const SCENARIOS = ['classic', 'passers', 'groups', 'uniform', 'crowd'] as const;
export type Scenario = (typeof SCENARIOS)[number];
