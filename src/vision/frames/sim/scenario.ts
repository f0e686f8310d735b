/** What happens in the simulated shop. `classic` is the shop as it always was, to the byte. */
export const SCENARIOS = ['classic'] as const;
export type Scenario = (typeof SCENARIOS)[number];
