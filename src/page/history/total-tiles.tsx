import type { Target } from '../../catalogue/waits/target.ts';
import { serverNow } from '../api/connection.ts';
import { useLive } from '../api/live-store.ts';
import { useCall } from '../api/query.ts';
import { type Bucket, bucketsOf, coverageWhileSeen } from '../kit/chart/points.ts';
import { count, duration, number, percent } from '../kit/numbers.ts';
import { HELD_TONES, levelAgainst } from '../now/target-state.ts';
import type { Texts } from '../text/en/all.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './history.module.css';
import { inTimes, readDistribution, type Series } from './history-calls.ts';
import { leadOf } from './lead.ts';
import type { OpenSeries } from './open-series.ts';
import type { Shown } from './shown.ts';
import { changePercent, comparable, totalsOf } from './totals.ts';
import { earlierSpan, type Span, type Subject } from './view.ts';

interface TotalTile {
  readonly id: keyof Texts['history']['totals'];
  readonly shown: string;
  /** In percent; null where it says nothing. */
  readonly change: number | null;
  readonly note?: string | undefined;
  readonly tone?: string | undefined;
  readonly isMoreBad?: boolean;
}

interface TotalTilesProps {
  readonly shown: Shown;
  readonly series: Series;
  readonly buckets: readonly Bucket[];
  readonly before: OpenSeries | undefined;
  /** For each bucket the index of the earlier one. */
  readonly earlier: readonly (number | null)[] | undefined;
}

/** Ranges whose coverage differs by more, in points of percent, are not compared: fewer people may only mean fewer frames. */
const FAIR_DIFFERENCE = 10;
/** A longer bucket holds nights too, so its coverage says nothing about faults. */
const LONGEST_TELLING_MS = 3_600_000;
/** Rounds the end of a range that is not over, so that it is not read again and again. */
const STEP_MS = 60_000;

export const useDistribution = (subject: Subject, span: Span, isEnabled = true) =>
  useCall(['distribution', subject.kind, subject.id, inTimes(span)], () => readDistribution(subject, span), {
    enabled: isEnabled,
  });

/** The part of a range that is over; at least a minute. */
export const untilNow = ({ fromMs, toMs }: Span): Span => ({
  fromMs,
  toMs: Math.min(toMs, Math.max(fromMs + STEP_MS, Math.floor(serverNow() / STEP_MS) * STEP_MS)),
});

/** What happened in a sentence, the numbers of the whole range, and how they differ from the earlier one over the same hours. */
export function TotalTiles({ shown, series, buckets, before, earlier }: TotalTilesProps) {
  const t = useText('history');
  const locale = localeNow();
  const { subject, view, range, timezone } = shown;
  const ended = untilNow(range);
  const isSoFar = ended.toMs < range.toMs;
  const times = useDistribution(subject, ended).data;
  const earlierEnded = earlierSpan(ended, timezone, view.compare);
  const timesBefore = useDistribution(subject, earlierEnded, view.compare > 0).data;

  const totals = totalsOf(series, buckets);
  const seen = times?.coveragePercent;
  const seenBefore = timesBefore?.coveragePercent;
  const isFair =
    seen !== undefined && seenBefore !== undefined && Math.abs(seen - seenBefore) <= FAIR_DIFFERENCE;
  const same = earlier && comparable(buckets, earlier, serverNow());
  const nowPart = same && totalsOf(series, buckets, same.now);
  const beforePart = before && same && totalsOf(before, bucketsBefore(before), same.before);
  const changeOf = (name: 'arrivals' | 'completed' | 'abandoned' | 'avgInQueue') =>
    isFair ? changePercent(nowPart?.[name] ?? null, beforePart?.[name] ?? null) : null;
  const changeOfWait = (name: 'p50Seconds' | 'p90Seconds') =>
    view.compare === 0 || !isFair
      ? null
      : changePercent(times?.waits?.[name] ?? null, timesBefore?.waits?.[name] ?? null);
  const isTelling = buckets.every(({ fromMs, toMs }) => toMs - fromMs <= LONGEST_TELLING_MS);
  const covered = isTelling ? coverageWhileSeen(buckets) : null;
  const { p50Seconds = null, p90Seconds = null } = times?.waits ?? {};
  const waits = { p50Seconds, p90Seconds };
  const gaveUp = totals.abandonmentRate;
  const level = times?.serviceLevel?.level ?? null;
  const target = useTarget(subject);
  const held = levelAgainst(level, target);
  const tiles: readonly TotalTile[] = [
    { id: 'arrivals', shown: count(totals.arrivals, locale), change: changeOf('arrivals') },
    { id: 'p90', shown: duration(p90Seconds, locale), change: changeOfWait('p90Seconds'), isMoreBad: true },
    {
      id: 'abandoned',
      shown: count(totals.abandoned, locale),
      change: changeOf('abandoned'),
      isMoreBad: true,
      note: gaveUp === null ? undefined : t.shareGaveUp(percent(gaveUp, locale, 1)),
    },
    {
      id: 'avgInQueue',
      shown: number(totals.avgInQueue, locale),
      change: changeOf('avgInQueue'),
      isMoreBad: true,
    },
    ...(level === null
      ? []
      : [
          {
            id: 'level' as const,
            shown: percent(level, locale),
            change: null,
            note:
              target === null
                ? undefined
                : t.levelTarget(percent(target.share, locale), duration(target.waitSeconds, locale), held),
            tone: held === null ? undefined : HELD_TONES[held],
          },
        ]),
    { id: 'completed', shown: count(totals.completed, locale), change: changeOf('completed') },
    { id: 'p50', shown: duration(p50Seconds, locale), change: changeOfWait('p50Seconds'), isMoreBad: true },
  ];
  const beforeName = t.comparisons[view.compare];
  return (
    <>
      <p className={styles.lead}>
        {leadOf({ totals, waits, change: changeOf('arrivals'), compare: view.compare, isSoFar }, t, locale)}
      </p>
      <dl className={`cards ${styles.totals}`}>
        {tiles.map(({ id, shown: value, change, note, tone, isMoreBad = false }) => (
          <div key={id} className="box">
            <dt>{t.totals[id]}</dt>
            <dd className={value.length > 8 ? styles.longNumber : styles.number}>{value}</dd>
            {note && (
              <dd className="note" data-tone={tone}>
                {note}
              </dd>
            )}
            {change !== null && (
              <dd className="note" data-tone={isMoreBad ? toneOf(change) : undefined}>
                {changeText(change)}
              </dd>
            )}
          </div>
        ))}
      </dl>
      {view.compare > 0 && seen !== undefined && seenBefore !== undefined && !isFair && (
        <p className="note">
          {t.unfair(beforeName, percent(seenBefore / 100, locale), percent(seen / 100, locale))}
        </p>
      )}
      {covered !== null && covered < 80 && (
        <p className={`notice ${styles.warning}`} data-tone="warn">
          {t.poorRange(percent(covered / 100, locale))}
        </p>
      )}
    </>
  );

  function changeText(change: number): string {
    if (Math.abs(change) < 0.5) return t.unchanged(t.leadBefore[view.compare]);
    return t.change(`${change > 0 ? '▲' : '▼'} ${percent(Math.abs(change) / 100, locale)}`, beforeName);
  }
}

/** The target that holds for a scene, or for all scenes of a site; null where they differ. */
function useTarget({ kind, id }: Subject): Target | null {
  const all = [...(useLive().scenes?.values() ?? [])];
  const targets = all
    .filter((scene) => (kind === 'scene' ? scene.id === id : scene.device.siteIds.includes(id)))
    .map(({ effectiveTarget }) => effectiveTarget);
  const [first = null] = targets;
  const isOne = targets.every(
    (each) => each?.waitSeconds === first?.waitSeconds && each?.share === first?.share,
  );
  return isOne ? first : null;
}

/** Smaller changes are neither good nor bad news: weeks differ. */
const TELLING_CHANGE = 5;
const toneOf = (change: number) =>
  Math.abs(change) < TELLING_CHANGE ? undefined : change > 0 ? 'bad' : 'good';

/** The earlier range has ended as a whole. */
const bucketsBefore = (series: OpenSeries): Bucket[] => bucketsOf(series, Number.POSITIVE_INFINITY);
