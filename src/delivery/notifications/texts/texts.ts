import type { MetricWords } from '../../../catalogue/metrics/words.ts';
import type { Feature, Severity } from '../../../platform/prisma-client/client.ts';

/** Everything that messages say, in one language. Names of users and numbers are put in as they are; who writes HTML escapes. */
export interface Texts {
  readonly severity: Readonly<Record<Severity, string>>;
  readonly metrics: MetricWords;
  readonly feature: Readonly<Record<Feature, string>>;

  readonly offline: { title(device: string): string; readonly sentence: string };
  readonly online: { title(device: string): string; sentence(age: string): string };
  readonly failed: { title(scene: string): string; readonly sentence: string };
  unusual(scene: string): string;
  readonly advice: { title(scene: string): string; readonly language: 'en' | 'de' };
  readonly quota: {
    title(feature: string, percent: string): string;
    sentence(used: string, limit: string, period: string): string;
    readonly exceeded: string;
  };

  /** Before the place, the time, and what else happened. */
  readonly where: string;
  readonly when: string;
  readonly details: string;
  readonly also: string;
  more(count: number, since: string): string;
  readonly open: string;
  /** Below each message that a subscription caused. */
  readonly why: string;
  readonly unsubscribe: string;

  readonly confirmation: {
    readonly title: string;
    sentence(code: string, minutes: number): string;
    readonly ignore: string;
  };
  readonly test: { readonly title: string; readonly sentence: string };
  readonly unsubscribePage: {
    readonly title: string;
    readonly question: string;
    readonly button: string;
    readonly done: string;
  };
}
