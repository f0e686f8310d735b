import { useEffect } from 'react';
import { useParams } from 'wouter';
import { api } from '../api/client.ts';
import { useLive } from '../api/live-store.ts';
import { useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useNow } from '../kit/age.tsx';
import { LinkButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { openInWords } from '../kit/words/opening-words.ts';
import { languageNow, localeNow, useText } from '../text/text.ts';
import { useIsTouched, useReloads, useWakeLock } from '../wall/use-wall.ts';
import styles from './display.module.css';
import { linesOf } from './lines.ts';

/** A screen runs for months: hours that are changed are shown soon. */
const HOURS_EVERY_MS = 10 * 60_000;

/** For the customers of a shop, at `/display` or `/display/SITE`: how long they will wait. Without pictures, people and controls. */
export default function DisplayScreen() {
  const t = useText('display');
  const { product } = useText('shell');
  const siteId = useParams()['*'] || null;
  const schedule = useText('schedule');
  const { session, user, may } = useSession();
  const site = useCall(
    ['sites', siteId],
    () => api.GET('/sites/{id}', { params: { path: { id: siteId! } } }),
    { enabled: siteId !== null && may('device:read'), refetchInterval: HOURS_EVERY_MS },
  ).data;
  const { scenes } = useLive();
  const now = useNow();
  const isTouched = useIsTouched();
  const locale = localeNow();
  useWakeLock();
  useReloads();
  useEffect(() => {
    document.title = `${t.title} · ${product}`;
  }, [t, product]);
  const shown = [...(scenes?.values() ?? [])].filter(
    ({ device }) => siteId === null || device.siteIds.includes(siteId),
  );
  const lines = linesOf(shown, languageNow(), now);
  const timezone = site?.timezone ?? shown[0]?.device.timezone ?? user.timezone ?? browserZone();
  return (
    <main className={styles.display}>
      <header>
        <h1>{lines.length > 0 && t.title}</h1>
        {site?.openingHours && (
          <p>{openInWords(site.openingHours, { timezone, locale, nowMs: now }, schedule)}</p>
        )}
        <time>{showTime(now, 'time', { locale, timezone })}</time>
      </header>
      <ul role="list">
        {lines.map(({ id, name, range, isFastest }) => (
          <li key={id} data-fastest={isFastest || undefined}>
            <span className={styles.name}>
              {name}
              {isFastest && (
                <strong>
                  <Icon name="check" size={40} /> {t.fastest}
                </strong>
              )}
            </span>
            <span className={styles.range}>{range}</span>
          </li>
        ))}
      </ul>
      {session?.kind !== 'screen' && isTouched && (
        <footer>
          <LinkButton href="#/">{t.leave}</LinkButton>
        </footer>
      )}
    </main>
  );
}
