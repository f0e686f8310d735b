import { useState } from 'react';
import { Can } from '../api/session.tsx';
import { Time } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { count, duration } from '../kit/numbers.ts';
import { showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { Thumbnail } from './alert/picture.tsx';
import { AlertRow } from './alert-row.tsx';
import { CheckButton } from './check-button.tsx';
import styles from './feed.module.css';
import { factsOf, type Incident } from './incidents.ts';
import { SEVERITY_TONES } from './tones.ts';
import { useMarkSeen } from './use-feed.ts';
import { usePlaces } from './use-places.ts';

/** So many pictures stand in the strip of an incident. */
const IN_STRIP = 4;

/** Alerts that came together: one entry with a strip of pictures, which opens to the alerts. */
export function IncidentRow({ incident }: { readonly incident: Incident }) {
  const { items } = incident;
  return items.length === 1 ? <AlertRow item={items[0]} /> : <Several incident={incident} />;
}

function Several({ incident }: { readonly incident: Incident }) {
  const t = useText('feed');
  const locale = localeNow();
  const { zoneOf, siteOf } = usePlaces();
  const [isOpen, setOpen] = useState(false);
  const { items } = incident;
  const facts = factsOf(incident);
  const { deviceId } = items[0];
  const timezone = zoneOf(deviceId);
  const timeOf = (at: string) => showTime(at, 'time', { locale, timezone });
  const worst =
    facts.longestSeconds !== null
      ? t.longest(duration(facts.longestSeconds, locale))
      : facts.mostPeople !== null && t.peak(count(facts.mostPeople, locale));
  return (
    <li className={`card ${styles.incident}`}>
      <div className={styles.incidentHead} data-seen={facts.unseen.length === 0 || undefined}>
        <button
          type="button"
          className={`row-button ${styles.incidentOpen}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={styles.rowTitle}>
            {timeOf(facts.from) !== timeOf(facts.to) && `${timeOf(facts.from)}–`}
            <Time at={facts.to} style="time" timezone={timezone} />
            {` · ${facts.places > 1 ? t.places(count(facts.places, locale)) : items[0].place}`}
            {worst && ` · ${worst}`}
          </span>
          <span className="note">
            {[siteOf(deviceId)?.name, t.count(count(items.length, locale), false)]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <span className={styles.strip}>
            {items.slice(0, IN_STRIP).map((item) => (
              <Thumbnail key={item.id} item={item} />
            ))}
          </span>
          <span className="row">
            <Chip tone={SEVERITY_TONES[facts.severity]}>{t.severity[facts.severity]}</Chip>
          </span>
        </button>
        {facts.unseen.length > 0 && (
          <Can scope="alert:write">
            <SeenAll incident={incident} />
          </Can>
        )}
      </div>
      {isOpen && (
        <ul className={`stack ${styles.rows}`}>
          {items.map((item) => (
            <AlertRow key={item.id} item={item} />
          ))}
        </ul>
      )}
    </li>
  );
}

function SeenAll({ incident }: { readonly incident: Incident }) {
  const t = useText('feed');
  const mark = useMarkSeen();
  const { unseen } = factsOf(incident);
  return (
    <CheckButton
      isBusy={mark.isPending}
      label={t.markAllSeen}
      title={t.markAllSeen}
      onClick={() => {
        for (const { id } of unseen) mark.mutate({ id, acknowledged: true });
      }}
    />
  );
}
