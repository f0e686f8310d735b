/** Cases of a property in `npm test`. */
const ORDINARY = 30;

/** Cases of a property in this run: PROPERTY_CASES, which is 1,000 in the release tier. */
export const CASES = Number(process.env.PROPERTY_CASES ?? ORDINARY);

/** In the release tier: where chance decides nothing, all of many cases are tried instead of a selection. */
export const IS_THOROUGH = CASES > ORDINARY;

/** Every time zone; in `npm test` one of eight, and some whose clocks are odd. */
export const TIME_ZONES: readonly string[] = [
  ...new Set([
    ...['Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu', 'Europe/Berlin', 'Pacific/Apia'],
    ...Intl.supportedValuesOf('timeZone').filter((_, at) => IS_THOROUGH || at % 8 === 0),
  ]),
];

/** `numRuns` of a property whose cases are dear: as many fewer in each tier as this is fewer than 30. */
export const dearCases = (ordinary: number): number => Math.ceil((ordinary * CASES) / ORDINARY);
