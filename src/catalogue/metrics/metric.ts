import type { ZoneName } from './needed-zones.ts';
import type { Now } from './now.ts';
import type { SumName, Sums } from './sums.ts';

export type MetricUnit = 'count' | 'seconds' | 'share' | 'percent' | 'perHour';

export interface BothLanguages {
  readonly en: string;
  readonly de: string;
}

/** How a number is shown by Home Assistant. */
export interface Sensor {
  /** Name of the sensor in ids and topics. It stays the same for ever: Home Assistant knows a sensor by it. */
  readonly key: string;
  readonly icon: string;
  /** What a count counts, where these are no people. */
  readonly counts?: 'tills';
  /** It tells something of the measurement. */
  readonly isDiagnostic?: true;
}

/** The groups whose numbers are published by MQTT. */
export type PublishedGroup = 'current' | 'rolling15Min' | 'total';

/** What every number has. */
interface Named {
  /** Path within its group, as in `rolling5Min.completed.avgWaitSeconds`. */
  readonly name: string;
  /** Name in the API: of `GET /alerts/metrics/queue_analysis`, of alert messages and of sensors. */
  readonly label: string;
  /** Name for people: on the page, in mails and push messages. */
  readonly words: BothLanguages;
  /** `share` is 0-1, `percent` 0-100. */
  readonly unit: MetricUnit;
  /** A count that is no whole number, such as an average. */
  readonly isFraction?: true;
  /** It is never null: with 0 it says that nothing happened. */
  readonly isAlways?: true;
  /** The zones that it needs; without one of them it is null. */
  readonly zones: readonly ZoneName[];
  readonly description: string;
  /** Groups in which it is published by MQTT, each as a sensor or (`true`) as a number of the state only. */
  readonly mqtt?: Readonly<Partial<Record<PublishedGroup, Sensor | true>>>;
  /** A value for the examples of the API. */
  readonly example: number;
}

/** What is kept in snapshots and rolling records. */
export interface Kept {
  /** Its place in the bytes of a row, the same for ever: unique among the numbers of this moment, and among those of a time. */
  readonly slot: number;
}

/** A number of this moment: live metrics, snapshots, overview, and the paths `current.*`. */
export interface CurrentMetric extends Named, Kept {
  /** As for a scene with both zones; null where nothing was measured. */
  readonly value: (now: Now) => number | null;
  /** Of several scenes: their sum, the largest, or their average weighted by a number of people. */
  readonly ofSite: 'sum' | 'max' | { readonly averageBy: string };
  /** The number of the last hour with which it is compared. */
  readonly usual?: string;
}

/** A number made of sums. So it is the same of a window, since the start, of a bucket, of a cell and of a report. */
export interface Expression {
  /** The sums that it is made of. */
  readonly of: readonly SumName[];
  /** As for scenes with both zones: 0 where nothing happened, null where nothing can be said. */
  readonly value: (sums: Sums) => number | null;
  /** It counts people or visits, so it grows with the length of the time. */
  readonly isCounted?: true;
}

/** A number of a time: rolling windows, history, reports, and the paths `rolling*` and `total.*`. */
export interface TimeMetric extends Named {
  readonly expression: Expression;
  /** In series and heat maps, as JSON and CSV; without it, it is not in there. */
  readonly history?: HistoryPlace;
  readonly report?: ReportPlace;
}

export interface HistoryPlace {
  readonly name: string;
  /** Its place among the columns that programs know; new ones have none and come last. */
  readonly column?: number;
  /** It can be chosen for the week on the page. */
  readonly isInWeek?: true;
}

export interface ReportPlace {
  readonly name: string;
  /** It is compared with the period before; the text says what changed. */
  readonly change?: string;
  /** Name of its tile, in the page and the text of the report; without it, it has none. */
  readonly tile?: BothLanguages;
}
