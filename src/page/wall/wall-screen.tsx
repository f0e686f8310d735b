import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { placeName } from '../../catalogue/words/place-name.ts';
import { api } from '../api/client.ts';
import { connection } from '../api/connection.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { useLive } from '../api/live-store.ts';
import { useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useStore } from '../api/store.ts';
import { Age, useNow } from '../kit/age.tsx';
import { Button, LinkButton } from '../kit/button.tsx';
import { TONE_ICONS } from '../kit/chip.tsx';
import { Icon } from '../kit/icon.tsx';
import { count, duration } from '../kit/numbers.ts';
import { Empty, Failure, Skeleton } from '../kit/states.tsx';
import { isMeasured, LOOKS, reasonOf } from '../now/state.ts';
import { useOrder } from '../now/use-order.ts';
import { goTo } from '../shell/place.ts';
import { localeNow, useText } from '../text/text.ts';
import { columnsFor } from './night.ts';
import { useIsTouched, useReloads, useWakeLock, useWindowSize } from './use-wall.ts';
import styles from './wall.module.css';

/** So many tiles can be read from five metres. */
const MOST = 9;

/** The worst scenes on a screen at the wall: always dark, without navigation. */
export default function WallScreen() {
  const t = useText('wall');
  const { product } = useText('shell');
  const { scenes, error } = useLive();
  const siteId = new URLSearchParams(useSearch()).get('site');
  useWakeLock();
  useReloads();
  useEffect(() => {
    document.title = `${t.title} · ${product}`;
  }, [t, product]);
  const shown = [...(scenes?.values() ?? [])].filter(
    ({ device }) => siteId === null || device.siteIds.includes(siteId),
  );
  return (
    <main className={styles.wall}>
      <h1 className="only-for-readers">{t.title}</h1>
      {scenes === null ? (
        error ? (
          <Failure error={error} />
        ) : (
          <Skeleton lines={4} />
        )
      ) : shown.length === 0 ? (
        <Empty title={t.empty} action={<LinkButton href="#/">{t.leave}</LinkButton>} />
      ) : (
        <Tiles scenes={shown} />
      )}
      <Footer hidden={Math.max(0, shown.length - MOST)} siteId={siteId} />
    </main>
  );
}

function Tiles({ scenes }: { readonly scenes: readonly LiveScene[] }) {
  const now = useNow();
  const [width = 1, height = 1] = useWindowSize().split('x').map(Number);
  const ordered = useOrder(scenes, now).slice(0, MOST);
  const columns = columnsFor(ordered.length, width, height);
  return (
    <div className={styles.tiles} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {ordered.map((scene) => (
        <WallTile key={scene.id} scene={scene} now={now} />
      ))}
    </div>
  );
}

function WallTile({ scene, now }: { readonly scene: LiveScene; readonly now: number }) {
  const t = useText('wall');
  const { reasons } = useText('now');
  const locale = localeNow();
  const reason = reasonOf(scene, now);
  const { tone } = LOOKS[reason];
  const name = placeName(scene.device.name, scene.name);
  const isNow = isMeasured(reason);
  const since = reason === 'fault' ? (scene.fault?.since ?? null) : scene.updatedAt;
  return (
    <section className={`${styles.tile} ${styles[tone]}`} aria-label={name}>
      <header>
        <h2>{name}</h2>
        <Icon name={TONE_ICONS[tone]} label={reasons[reason]} size={40} />
      </header>
      <p className={styles.number}>{isNow ? count(scene.current?.inQueue, locale) : '–'}</p>
      <footer>
        {isNow ? (
          <span>{t.wait(duration(scene.current?.estimatedWaitSeconds, locale))}</span>
        ) : (
          <span>
            {reasons[reason]} {since !== null && <Age since={since} />}
          </span>
        )}
      </footer>
    </section>
  );
}

function Footer({ hidden, siteId }: { readonly hidden: number; readonly siteId: string | null }) {
  const t = useText('wall');
  const shell = useText('shell');
  const isTouched = useIsTouched();
  const session = useSession();
  const { isOnline } = useStore(connection);
  const sites = useCall(['sites', 'first'], () => api.GET('/sites', { params: { query: { limit: 100 } } }), {
    enabled: session.may('device:read'),
  });
  const canFullscreen = document.fullscreenEnabled && document.fullscreenElement === null;
  return (
    <div className={styles.foot}>
      <p role="status">{isOnline ? hidden > 0 && t.hidden(hidden) : shell.offline}</p>
      <div className={styles.controls} data-shown={isTouched || undefined}>
        {(sites.data?.length ?? 0) > 0 && (
          <select
            aria-label={t.site}
            value={siteId ?? ''}
            onChange={({ target }) =>
              goTo(target.value ? `/wall?site=${target.value}` : '/wall', { replace: true })
            }
          >
            <option value="">{t.everySite}</option>
            {sites.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        {canFullscreen && (
          <Button onClick={() => void document.documentElement.requestFullscreen()}>{t.fullscreen}</Button>
        )}
        {session.session?.kind !== 'screen' && <LinkButton href="#/">{t.leave}</LinkButton>}
      </div>
    </div>
  );
}
