/**
 * What happens in the simulated shop. `classic` never changes, to the byte; the others add difficulties of real footage
 * (see README).
 */
export const SCENARIOS = ['classic', 'passers', 'groups', 'uniform', 'crowd', 'till', 'facing'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Those with furniture that hides legs, or a camera as high as eyes: another place, judged apart. */
export const FURNISHED: readonly Scenario[] = ['till', 'facing'];

/**
 * Shops with tills. `tills`: one line for all; `lines`: one each; `hidden`: one line, and nobody sees who serves; `walkup`: no line, people
 * step straight up to a till.
 */
export const TILL_SCENARIOS = [
  'tills1',
  'tills2',
  'tills4',
  'tills8',
  'lines2',
  'lines4',
  'lines8',
  'hidden2',
  'hidden4',
  'hidden8',
  'walkup2',
  'walkup4',
] as const;
export type TillScenario = (typeof TILL_SCENARIOS)[number];

/** Whatever can be drawn. */
export const DRAWN_SCENARIOS = [...SCENARIOS, ...TILL_SCENARIOS] as const;
export type DrawnScenario = Scenario | TillScenario;
