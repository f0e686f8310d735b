import { Fragment } from 'react';
import { serverNow } from '../api/connection.ts';
import { localeNow, useText } from '../text/text.ts';
import { AlertRow } from './alert-row.tsx';
import { byDay, dateInWords, dayOf, namedDay } from './days.ts';
import styles from './feed.module.css';
import type { FeedItem } from './feed-item.ts';
import { useHomeZone, useZoneOf } from './use-zones.ts';

interface AlertRowsProps {
  readonly items: readonly FeedItem[];
  /** The entry before the first one: its day needs no second heading. */
  readonly after?: FeedItem | undefined;
}

/** Alerts below the headings of their days, by the clock at each camera. */
export function AlertRows({ items, after }: AlertRowsProps) {
  const t = useText('feed');
  const timezone = useHomeZone();
  const ofDevice = useZoneOf();
  const zoneOf = ({ deviceId }: FeedItem) => ofDevice(deviceId);
  const now = new Date(serverNow());
  const last = after && dayOf(after.triggeredAt, zoneOf(after));
  return byDay(items, zoneOf).map(({ date, items: ofDay }) => {
    const named = namedDay(date, now, timezone);
    const words = dateInWords(date, now, { locale: localeNow(), timezone });
    return (
      <Fragment key={date}>
        {date !== last && (
          <h2 className={styles.day}>
            {named === null ? words : t[named]} {named && <small>{words}</small>}
          </h2>
        )}
        <ul className={styles.rows}>
          {ofDay.map((item) => (
            <AlertRow key={item.id} item={item} />
          ))}
        </ul>
      </Fragment>
    );
  });
}
