import fc from 'fast-check';

/** Of a property in `npm test`. */
const ORDINARY = 30;
const { PROPERTY_CASES, PROPERTY_SEED } = process.env;
const CASES = Number(PROPERTY_CASES ?? ORDINARY);

/** `npm test` tries the same cases in every run, so that a red test is about the change; the release tier draws others. */
const seed = PROPERTY_SEED ?? (PROPERTY_CASES === undefined ? '1' : undefined);
fc.configureGlobal({ numRuns: CASES, ...(seed !== undefined && { seed: Number(seed) }) });

/** In the release tier: where chance decides nothing, all of many cases are tried instead of a selection. */
export const IS_THOROUGH = CASES > ORDINARY;

/** `numRuns` of a property whose cases are dear: as many fewer in each tier as this is fewer than 30. */
export const dearCases = (ordinary: number): number => Math.ceil((ordinary * CASES) / ORDINARY);

/** Fast-check with the number of cases and the seed of the run: tests take it from here. */
export { fc };
