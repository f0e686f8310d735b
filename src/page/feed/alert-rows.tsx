import { Fragment } from 'react';
import { serverNow } from '../api/connection.ts';
import { localeNow, useText } from '../text/text.ts';
import { byDay, dateInWords, dayOf, namedDay } from './days.ts';
import styles from './feed.module.css';
import type { FeedItem } from './feed-item.ts';
import { IncidentRow } from './incident-row.tsx';
import { incidentsOf } from './incidents.ts';
import { usePlaces } from './use-places.ts';

interface AlertRowsProps {
  readonly items: readonly FeedItem[];
  /** The entry before the first one: its day needs no second heading. */
  readonly after?: FeedItem | undefined;
}

/** Alerts by incident, below the headings of their days by the clock of the place. */
export function AlertRows({ items, after }: AlertRowsProps) {
  const t = useText('feed');
  const { zoneOf, siteOf } = usePlaces();
  const now = new Date(serverNow());
  const dateOf = ({ triggeredAt, deviceId }: FeedItem) => dayOf(triggeredAt, zoneOf(deviceId));
  const incidents = incidentsOf(items, (deviceId) => siteOf(deviceId)?.id ?? deviceId);
  const last = after && dateOf(after);
  return byDay(incidents, (incident) => dateOf(incident.items[0])).map(({ date, items: ofDay }) => {
    const timezone = zoneOf(ofDay[0]!.items[0].deviceId);
    const named = namedDay(date, now, timezone);
    const words = dateInWords(date, now, { locale: localeNow(), timezone });
    return (
      <Fragment key={`${date} ${ofDay[0]!.items[0].id}`}>
        {date !== last && (
          <h2 className={styles.day}>
            {named === null ? words : t[named]} {named && <small>{words}</small>}
          </h2>
        )}
        <ul className={`stack ${styles.rows}`}>
          {ofDay.map((incident) => (
            <IncidentRow key={incident.items.at(-1)!.id} incident={incident} />
          ))}
        </ul>
      </Fragment>
    );
  });
}
