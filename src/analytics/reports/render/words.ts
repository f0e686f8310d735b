import type { PeriodKind } from '../period.ts';

/** The texts of a report in one language. Names and numbers come in ready to be shown, but not escaped. */
export interface Words {
  readonly language: 'de' | 'en';
  readonly title: Readonly<Record<PeriodKind, string>>;
  readonly week: (number: number) => string;
  readonly comparedWith: (previous: string) => string;
  /** The period before, after a number: 380 (week before). */
  readonly before: string;
  readonly headline: {
    readonly nothing: string;
    readonly arrived: (people: string) => string;
    readonly more: (percent: string) => string;
    readonly fewer: (percent: string) => string;
    readonly same: string;
    readonly waited: (median: string, most: string) => string;
    readonly gaveUp: (share: string) => string;
  };
  readonly coverage: string;
  readonly closed: string;
  readonly ofTheTime: (percent: string) => string;
  readonly unequalCoverage: string;
  readonly unfinished: string;
  readonly notMeasured: string;
  readonly busiest: string;
  readonly people: (count: string) => string;
  readonly nobody: string;
  readonly chart: {
    readonly arrivals: Readonly<Record<PeriodKind, string>>;
    readonly waits: Readonly<Record<PeriodKind, string>>;
    readonly thisPeriod: string;
    readonly median: string;
    readonly most: string;
    readonly partly: string;
    readonly noPictures: string;
    readonly week: string;
  };
  /** Heads of columns; soft hyphens say where they may break. */
  readonly table: {
    readonly hours: string;
    readonly days: string;
    readonly scenes: string;
    readonly hour: string;
    readonly day: string;
    readonly scene: string;
    readonly arrivals: string;
    readonly before: string;
    readonly served: string;
    readonly gaveUp: string;
    readonly median: string;
    readonly most: string;
    readonly service: string;
    readonly coverage: string;
    readonly more: (count: string) => string;
  };
  readonly tills: {
    readonly title: string;
    readonly till: string;
    readonly services: string;
    readonly average: string;
    readonly ninety: string;
    readonly utilization: string;
  };
  readonly plan: {
    readonly title: (day: string) => string;
    readonly time: string;
    readonly people: string;
    readonly tills: string;
    readonly late: string;
    readonly learning: string;
  };
  readonly notes: (timezone: string) => readonly string[];
  readonly open: string;
  readonly why: string;
  readonly unsubscribe: string;
  readonly subject: (report: { title: string; site: string; date: string }) => string;
}
