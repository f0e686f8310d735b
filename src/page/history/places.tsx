import { useQueries } from '@tanstack/react-query';
import { read } from '../api/query.ts';
import { Spark } from '../kit/chart/spark.tsx';
import { count, duration, percent } from '../kit/numbers.ts';
import { Async, Empty } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { localeNow, useText } from '../text/text.ts';
import { numbersOf, type PlaceNumbers, WITHIN_SECONDS, worstFirst } from './compared-places.ts';
import styles from './history.module.css';
import { inTimes, readDistribution, readSeries } from './history-calls.ts';
import type { Shown } from './shown.ts';
import { type Choice, useChoices } from './subjects.ts';
import { untilNow } from './total-tiles.tsx';
import { placeOf } from './view.ts';

interface Compared extends PlaceNumbers {
  readonly place: Choice;
}

/** Each costs two calls. */
const MOST = 60;
const STALE_MS = 60_000;

/** The areas of a site side by side, worst first. */
export function Places(shown: Shown) {
  const choices = useChoices();
  return (
    <Async query={choices}>
      {(all) => (
        <PlacesOf shown={shown} places={all.filter(({ siteIds }) => siteIds?.includes(shown.subject.id))} />
      )}
    </Async>
  );
}

function PlacesOf({ shown, places }: { readonly shown: Shown; readonly places: readonly Choice[] }) {
  const t = useText('history');
  const locale = localeNow();
  const { range, timezone, bucket, view } = shown;
  const ended = untilNow(range);
  const rows = useQueries({
    queries: places.slice(0, MOST).map((place) => ({
      queryKey: ['compared', place.id, bucket, timezone, inTimes(ended)],
      staleTime: STALE_MS,
      queryFn: async (): Promise<Compared> => {
        const [series, distribution] = await Promise.all([
          read(() => readSeries(place, { ...ended, bucket, timezone })),
          read(() => readDistribution(place, ended)),
        ]);
        return { place, ...numbersOf(series, distribution) };
      },
    })),
    combine: (queries) => ({
      found: queries.flatMap(({ data }) => data ?? []),
      error: queries.find(({ error }) => error)?.error ?? null,
      isPending: queries.some(({ isPending }) => isPending),
      retry: () => {
        for (const query of queries) void query.refetch();
      },
    }),
  });
  const hasLevels = rows.found.some(({ level }) => level !== null);
  if (places.length === 0) return <Empty title={t.noPlaces} icon="cameras" />;
  const columns: Column<Compared>[] = [
    {
      id: 'place',
      title: t.columns.scene,
      isHeading: true,
      cell: ({ place }) => (
        <a className={styles.place} href={`#${placeOf(place, { ...view, tab: 'curves' })}`}>
          {place.name}
        </a>
      ),
    },
    {
      id: 'arrivals',
      title: t.totals.arrivals,
      isNumber: true,
      cell: ({ arrivals }) => count(arrivals, locale),
    },
    {
      id: 'p90',
      title: t.totals.p90,
      isNumber: true,
      cell: ({ p90Seconds }) => duration(p90Seconds, locale),
    },
    {
      id: 'within',
      title: hasLevels ? t.totals.level : t.within(duration(WITHIN_SECONDS, locale)),
      isNumber: true,
      cell: ({ level, within }) => percent(hasLevels ? level : within, locale),
    },
    {
      id: 'gaveUp',
      title: t.totals.abandoned,
      isNumber: true,
      cell: ({ abandonmentRate }) => percent(abandonmentRate, locale, 1),
    },
    {
      id: 'curve',
      title: t.curves.queue,
      cell: ({ place, queue }) => (
        <span className={styles.small}>
          <Spark values={queue} label={`${t.curves.queue}: ${place.name}`} />
        </span>
      ),
    },
  ];
  return (
    <Async query={{ ...rows, data: rows.isPending ? undefined : rows.found, refetch: rows.retry }}>
      {(found) => (
        <>
          <Table
            caption={t.placesCaption}
            columns={columns}
            rows={worstFirst(found)}
            keyOf={({ place }) => place.id}
          />
          {places.length > MOST && (
            <p className="note">{t.morePlaces(count(places.length - MOST, locale))}</p>
          )}
        </>
      )}
    </Async>
  );
}
