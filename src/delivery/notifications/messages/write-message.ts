import { DateTime } from 'luxon';
import { adviceSentence } from '../../../catalogue/advice/advice-words.ts';
import { unusualSentence } from '../../../catalogue/advice/unusual-words.ts';
import { alertSentence } from '../../../catalogue/words/alert-words.ts';
import { durationInWords } from '../../../catalogue/words/duration.ts';
import { placeName } from '../../../catalogue/words/place-name.ts';
import type { EventData } from '../../events/catalogue.ts';
import type { ToldKind } from '../kinds.ts';
import { type Language, languageOf } from '../texts/language.ts';

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
  readonly newest: ToldFacts;
  /** In the order of time. */
  readonly earlier: readonly ToldFacts[];
  /** All events that the message tells. */
  readonly eventCount: number;
  readonly since: Date;
}

/** A message in words, for an e-mail or a push message. All of it is plain text on one line each. */
export interface WrittenMessage {
  readonly title: string;
  readonly sentence: string;
  /** Name and value: where, since when, and what the service says itself. */
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
  const { newest } = facts;
  const at = (time: Date) => shownTime(time, { ...language, timezone: facts.timezone });
  const { title, sentence, where, details } = wordsOf(newest, facts.deviceName, language);
  const others = facts.eventCount - 1;
  return {
    title: oneLine(title),
    sentence: oneLine(sentence),
    rows: [
      ...(where ? [[texts.where, oneLine(where)] as const] : []),
      [texts.when, at(newest.occurredAt)],
      ...(details ? [[texts.details, oneLine(details)] as const] : []),
    ],
    earlier: facts.earlier
      .toReversed()
      .map((event) => oneLine(`${at(event.occurredAt)}: ${wordsOf(event, null, language).title}`)),
    more: others > 0 ? texts.more(others, at(facts.since)) : null,
    language,
  };
}

interface Words {
  readonly title: string;
  readonly sentence: string;
  /** Missing where the sentence says it. */
  readonly where?: string | null;
  /** What the service says itself, for whoever repairs it. */
  readonly details?: string | undefined;
}

function wordsOf(event: ToldFacts, deviceName: string | null, { texts, locale }: Language): Words {
  const number = (value: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value);
  switch (event.kind) {
    case 'alert_triggered': {
      const { severity, ruleName, sceneName } = event.data;
      return {
        title: `${texts.severity[severity]}: ${ruleName}`,
        sentence: alertSentence(placeName(deviceName, sceneName), event.data, {
          words: texts.metrics,
          locale,
        }),
      };
    }
    case 'device_offline': {
      const { deviceName: name, error } = event.data;
      return {
        title: texts.offline.title(name),
        sentence: texts.offline.sentence,
        where: name,
        details: error,
      };
    }
    case 'device_online': {
      const { deviceName: name, offlineForSeconds } = event.data;
      const age = durationInWords(Math.max(60, offlineForSeconds));
      return { title: texts.online.title(name), sentence: texts.online.sentence(age), where: name };
    }
    case 'analysis_error': {
      const { sceneName, error } = event.data;
      const place = placeName(deviceName, sceneName);
      return {
        title: texts.failed.title(place),
        sentence: texts.failed.sentence,
        where: place,
        details: error,
      };
    }
    case 'staffing_advice': {
      const { sceneName, timezone } = event.data;
      const place = placeName(deviceName, sceneName);
      return {
        title: texts.advice.title(place),
        sentence: `${adviceSentence(event.data, texts.advice.language, timezone)}.`,
        where: place,
      };
    }
    case 'unusual_activity': {
      const { sceneName, timezone } = event.data;
      const place = placeName(deviceName, sceneName);
      return {
        title: texts.unusual(place),
        sentence: `${unusualSentence(event.data, texts.advice.language, timezone)}.`,
        where: place,
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
