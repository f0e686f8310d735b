import type { z } from 'zod';
import type { WrittenMessage } from '../../../../delivery/notifications/messages/write-message.ts';
import { languageOf } from '../../../../delivery/notifications/texts/language.ts';
import type { Ranged } from '../ratio-range.ts';
import type { sceneCheck } from '../schema.ts';
import type { VisitFigures } from '../times/compare-times.ts';
import { wordsFor } from './report-words.ts';

type Check = z.input<typeof sceneCheck>;
type Row = WrittenMessage['rows'][number];

export interface Place {
  readonly camera: string;
  readonly timezone: string;
  readonly locale: string | null;
}

/** A finished check as a message: the same figures as on the page. */
export function writeCheckReport(check: Check, { camera, timezone, locale }: Place): WrittenMessage {
  const language = languageOf(locale);
  const words = wordsFor(locale);
  const { rows } = words;
  const digits = (value: number, most = 1) =>
    new Intl.NumberFormat(language.locale, { maximumFractionDigits: most }).format(value);
  const percent = (value: number) =>
    new Intl.NumberFormat(language.locale, { style: 'percent' }).format(value / 100);
  const range = ({ from, to }: Ranged, most = 0) => `${digits(from, most)} – ${digits(to, most)}`;
  const share = (value: Ranged) => `${percent(value.value)} (${range(value)})`;
  const time = (at: string) =>
    new Intl.DateTimeFormat(language.locale, {
      ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: timezone },
    }).format(new Date(at));
  const { result, times } = check;
  const counted = result?.waiting ?? result?.served;
  const visits = times?.waiting ?? times?.served;

  const ofStills = (['waiting', 'served'] as const).flatMap((part): Row[] => {
    const figures = result?.[part];
    if (!figures) return [];
    const { exactPercent, bias, lengthError } = figures;
    const facts = [
      `${rows.exact} ${share(exactPercent)}`,
      `${rows.bias} ${digits(bias.value, 2)} (${range(bias, 2)})`,
      ...(lengthError ? [`${rows.lengthError} ${share(lengthError)}`] : []),
    ];
    return [[rows[part], facts.join('; ')]];
  });
  const ofTimes = (['waiting', 'served'] as const).flatMap((part): Row[] => {
    const lengths: VisitFigures['lengths'] = times?.[part]?.lengths ?? null;
    if (!lengths) return [];
    const name = part === 'waiting' ? rows.waits : rows.serviceTime;
    const seconds = (value: number) => `${digits(value)} s`;
    return [[name, words.errors(seconds(lengths.medianErrorSeconds), seconds(lengths.p90ErrorSeconds))]];
  });
  const agreed = result?.agreement?.withinOnePercent ?? times?.agreement?.f1Percent;
  const conditions = result?.conditions;
  const until = check.kind === 'times' ? check.endsAt : (check.collectedAt ?? check.endsAt);
  const good = (people: number | null) =>
    people === null ? words.goodForNone : words.good(digits(people, 0));
  const sentence = counted
    ? words.stills(
        percent(counted.withinOnePercent.value),
        range(counted.withinOnePercent),
        digits(counted.stills),
      ) + good(counted.goodFrom)
    : visits && visits.marked > 0
      ? words.times(percent(visits.f1Percent.value), range(visits.f1Percent), digits(visits.marked))
      : words.nothing;
  return {
    title: words.title(camera),
    sentence,
    rows: [
      [rows.camera, camera],
      [rows.time, `${time(check.startedAt)} – ${time(until)}`],
      [rows.by, check.checkedBy ?? words.nobody],
      ...(check.outdated ? [[rows.old, words.old[check.outdated]] as const] : []),
      ...ofStills,
      ...ofTimes,
      ...(agreed === undefined ? [] : [[rows.agreement, words.agree(percent(agreed))] as const]),
      ...(conditions && counted
        ? [
            [
              rows.conditions,
              words.conditions(
                ...([conditions.darkPercent, conditions.crowdedPercent, conditions.emptyPercent].map(
                  percent,
                ) as [string, string, string]),
              ),
            ] as const,
          ]
        : []),
      [rows.method, words.method[check.kind]],
    ],
    earlier: [],
    more: null,
    language,
  };
}
