import { DateTime } from 'luxon';
import { adviceSentence } from '../../../catalogue/advice/advice-words.ts';
import { metricName } from '../../../catalogue/metrics/words.ts';
import { metricEntry } from '../../../metrics/catalogue.ts';
import type { EventData } from '../../events/catalogue.ts';
import type { ToldKind } from '../kinds.ts';
import { type Language, languageOf } from '../texts/language.ts';
import type { Texts } from '../texts/texts.ts';

/** What a message is about, as it was when it happened. */
export type ToldFacts = {
  [Kind in ToldKind]: { readonly kind: Kind; readonly data: EventData<Kind>; readonly occurredAt: Date };
}[ToldKind];

export interface MessageFacts {
  /** Language and region of the user. */
  readonly locale: string | null;
  /** Zone of the device, else of the user; times are shown in it. */
  readonly timezone: string | null;
  readonly deviceName: string | null;
  /** The newest last, at least one. */
  readonly events: readonly ToldFacts[];
  /** All events that the message tells. */
  readonly eventCount: number;
  readonly since: Date;
}

/** A message in words, for an e-mail or a push message. All of it is plain text on one line each. */
export interface WrittenMessage {
  readonly title: string;
  readonly sentence: string;
  /** Name and value: where, since when. */
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** Titles of the events before, the newest first, each with its time. */
  readonly earlier: readonly string[];
  /** How many more there were; null for none. */
  readonly more: string | null;
  readonly language: Language;
}

/** Says what, where and since when. */
export function writeMessage(facts: MessageFacts): WrittenMessage {
  const language = languageOf(facts.locale);
  const { texts } = language;
  const newest = facts.events.at(-1)!;
  const at = (time: Date) => shownTime(time, { ...language, timezone: facts.timezone });
  const { title, sentence, where } = wordsOf(newest, facts.deviceName, language);
  const others = facts.eventCount - 1;
  return {
    title: oneLine(title),
    sentence: oneLine(sentence),
    rows: [...(where ? [[texts.where, oneLine(where)] as const] : []), [texts.when, at(newest.occurredAt)]],
    earlier: facts.events
      .slice(0, -1)
      .reverse()
      .map((event) => oneLine(`${at(event.occurredAt)}: ${wordsOf(event, null, language).title}`)),
    more: others > 0 ? texts.more(others, at(facts.since)) : null,
    language,
  };
}

interface Words {
  readonly title: string;
  readonly sentence: string;
  readonly where: string | null;
}

function wordsOf(event: ToldFacts, deviceName: string | null, { texts, locale }: Language): Words {
  const number = (value: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value);
  switch (event.kind) {
    case 'alert_triggered': {
      const { severity, ruleName, sceneName } = event.data;
      const where =
        deviceName === null || deviceName === sceneName ? sceneName : `${sceneName} (${deviceName})`;
      return {
        title: `${texts.severity[severity]}: ${ruleName}`,
        sentence: alertSentence(event.data, texts, number),
        where,
      };
    }
    case 'device_offline': {
      const { deviceName: name, error } = event.data;
      return {
        title: texts.offline.title(name),
        sentence: [texts.offline.sentence, error].filter(Boolean).join(' '),
        where: name,
      };
    }
    case 'device_online': {
      const { deviceName: name, offlineForSeconds } = event.data;
      const minutes = `${number(Math.max(1, Math.round(offlineForSeconds / 60)))} ${texts.minutes}`;
      return { title: texts.online.title(name), sentence: texts.online.sentence(minutes), where: name };
    }
    case 'analysis_error': {
      const { sceneName, error } = event.data;
      return {
        title: texts.failed.title(sceneName),
        sentence: `${texts.failed.sentence} ${error}`,
        where: deviceName ?? sceneName,
      };
    }
    case 'staffing_advice': {
      const { sceneName, timezone } = event.data;
      return {
        title: texts.advice.title(sceneName),
        sentence: `${adviceSentence(event.data, texts.advice.language, timezone)}.`,
        where: deviceName === null || deviceName === sceneName ? sceneName : `${sceneName} (${deviceName})`,
      };
    }
    case 'quota_warning':
    case 'quota_exceeded': {
      const { featureType, used, limit, period, usagePercentage } = event.data;
      const sum = texts.quota.sentence(number(used), number(limit), period);
      return {
        title: texts.quota.title(texts.feature[featureType], `${number(Math.floor(usagePercentage))} %`),
        sentence: event.kind === 'quota_exceeded' ? `${texts.quota.exceeded} ${sum}` : sum,
        where: deviceName,
      };
    }
  }
}

/** E.g. `People waiting: 7 (more than 5)`. */
function alertSentence(
  { metricPath, operator, threshold, actualValue }: EventData<'alert_triggered'>,
  texts: Texts,
  number: (value: number) => string,
): string {
  const unit = metricEntry(metricPath)?.unit ?? 'count';
  const write = (value: number): string => {
    if (unit === 'share') return `${number(value * 100)} %`;
    if (unit === 'percent') return `${number(value)} %`;
    if (unit === 'perHour') return `${number(value)}${texts.perHour}`;
    return unit === 'seconds' ? duration(value, texts, number) : number(value);
  };
  return `${metricName(metricPath, texts.metrics)}: ${write(actualValue)} (${texts.metrics.compared[operator]} ${write(threshold)})`;
}

/** E.g. `4 min 30 s`. */
function duration(seconds: number, { minutes }: Texts, number: (value: number) => string): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${number(whole)} s` : `${number(Math.floor(whole / 60))} ${minutes} ${whole % 60} s`;
}

/** E.g. `Sat 31 Jan, 09:15 CET`. */
function shownTime(time: Date, { locale, timezone }: { locale: string; timezone: string | null }): string {
  return DateTime.fromJSDate(time, { zone: timezone ?? 'UTC' })
    .setLocale(locale)
    .toLocaleString({
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    });
}

/** Names of users are put into lines: without line breaks, control characters and marks that turn the direction of text. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
