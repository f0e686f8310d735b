import { useEffect } from 'react';
import { useParams } from 'wouter';
import { useLive } from '../api/live-store.ts';
import { useSession } from '../api/session.tsx';
import { useNow } from '../kit/age.tsx';
import { LinkButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { languageNow, localeNow, useText } from '../text/text.ts';
import { useIsTouched, useReloads, useWakeLock } from '../wall/use-wall.ts';
import styles from './display.module.css';
import { linesOf } from './lines.ts';

/** For the customers of a shop, at `/display` or `/display/SITE`: how long they will wait. Without pictures, people and controls. */
export default function DisplayScreen() {
  const t = useText('display');
  const { product } = useText('shell');
  const siteId = useParams()['*'] || null;
  const { session, user } = useSession();
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
  const timezone = shown[0]?.device.timezone ?? user.timezone ?? browserZone();
  return (
    <main className={styles.display}>
      <header>
        <h1>{lines.length > 0 && t.title}</h1>
        <time>{showTime(now, 'time', { locale, timezone })}</time>
      </header>
      <ul>
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
