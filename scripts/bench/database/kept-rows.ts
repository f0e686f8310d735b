/** Rows of a table that one camera adds. */
export interface Kept {
  readonly name: string;
  readonly perDay: number;
  /** Null: they stay. */
  readonly days: number | null;
  /** Of a row that is measured elsewhere. */
  readonly bytes?: number;
}

/** Usage of 13 whole months and the present one. */
const USAGE_DAYS = 410;
/** The slices of analysis of an hour are one charge, which leaves a row for the user and one for the device. */
const SLICES = 25;

/** Today, yesterday, and room of the day that was packed last. */
const UNPACKED_DAYS = 3;

/** By the RETENTION variables as they are by default; whole days or months, so a little longer. */
export const LEVEL_01: readonly Kept[] = [
  { name: 'RollingRecord', perDay: 7_200, days: UNPACKED_DAYS },
  { name: 'RollingHour', perDay: 7_200, days: 36 - UNPACKED_DAYS },
  { name: 'Visit', perDay: 500, days: 800 },
  { name: 'MetricSnapshot', perDay: 8_640, days: UNPACKED_DAYS },
  { name: 'SnapshotHour', perDay: 8_640, days: 31 - UNPACKED_DAYS },
  { name: 'OccupancyMinute', perDay: 1_440, days: UNPACKED_DAYS },
  { name: 'MinuteHour', perDay: 1_440, days: 431 - UNPACKED_DAYS },
  { name: 'QuotaTransaction', perDay: 2 * SLICES, days: USAGE_DAYS },
  { name: 'UsageEvent', perDay: SLICES, days: USAGE_DAYS },
  // `bench -- floor`
  { name: 'FloorHour', perDay: 24, days: 400, bytes: 1_630 },
  { name: 'OccupancyQuarter', perDay: 96, days: null },
];

/** A record of one person every ten seconds for twelve hours a day. */
const RECORDS = 4_320;
/** One charge for an hour. */
const CHARGES = 12;

export const LEVEL_02: readonly Kept[] = [
  { name: 'QuotaTransaction', perDay: 2 * CHARGES, days: USAGE_DAYS },
  { name: 'UsageEvent', perDay: CHARGES, days: USAGE_DAYS },
  { name: 'AttributeRecord', perDay: RECORDS, days: 91 },
  { name: 'AttributeHour', perDay: 24, days: 800 },
  // With the run.
  { name: 'AttributeTrack', perDay: 500, days: 800 },
];
