import { Fragment, useEffect } from 'react';
import { useSearch } from 'wouter';
import { placeName } from '../../catalogue/words/place-name.ts';
import { api } from '../api/client.ts';
import { connection } from '../api/connection.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { useLive } from '../api/live-store.ts';
import { useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useStore } from '../api/store.ts';
import { useNow } from '../kit/age.tsx';
import { Button, LinkButton } from '../kit/button.tsx';
import { TONE_ICONS } from '../kit/chip.tsx';
import { Icon } from '../kit/icon.tsx';
import { count, duration, NOTHING } from '../kit/numbers.ts';
import { Empty, Failure, Skeleton } from '../kit/states.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { isMeasured, LOOKS, reasonOf } from '../now/state.ts';
import { TrendArrow } from '../now/trend-arrow.tsx';
import { waitWords } from '../now/wait-words.ts';
import { goTo } from '../shell/place.ts';
import { localeNow, useText } from '../text/text.ts';
import { columnsFor } from './night.ts';
import { useIsTouched, useReloads, useWakeLock, useWindowSize } from './use-wall.ts';
import styles from './wall.module.css';
import { inOrder, MOST, turnOf } from './wall-order.ts';

/** What is measured, on a screen at the wall: always dark, always in the same order, without navigation. */
export default function WallScreen() {
  const t = useText('wall');
  const { product } = useText('shell');
  const home = useSession().user.timezone ?? browserZone();
  const { scenes, error } = useLive();
  const siteId = new URLSearchParams(useSearch()).get('site');
  useWakeLock();
  useReloads();
  useEffect(() => {
    document.title = `${t.title} · ${product}`;
  }, [t, product]);
  const now = useNow();
  const shown = inOrder(
    [...(scenes?.values() ?? [])].filter(
      (scene) =>
        (siteId === null || scene.device.siteIds.includes(siteId)) && reasonOf(scene, now) !== 'stopped',
    ),
    ({ device, name }) => placeName(device.name, name),
  );
  const turn = turnOf(shown.length, now);
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
        <Tiles scenes={shown.slice(turn.from, turn.to)} now={now} />
      )}
      <Footer
        turn={shown.length > MOST ? t.turn(turn.from + 1, turn.to, shown.length) : ''}
        clock={showTime(now, 'time', { locale: localeNow(), timezone: shown[0]?.device.timezone ?? home })}
        siteId={siteId}
      />
    </main>
  );
}

function Tiles({ scenes, now }: { readonly scenes: readonly LiveScene[]; readonly now: number }) {
  const [width = 1, height = 1] = useWindowSize().split('x').map(Number);
  const columns = columnsFor(scenes.length, width, height);
  return (
    <div className={styles.tiles} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {scenes.map((scene) => (
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
  const wait = scene.current?.estimatedWaitSeconds;
  const target = scene.effectiveTarget;
  const since = reason === 'fault' ? (scene.fault?.since ?? null) : scene.updatedAt;
  return (
    <section className={`${styles.tile} ${styles[tone]}`} aria-label={name}>
      <header>
        <h2>{name}</h2>
        <Icon name={TONE_ICONS[tone]} label={reasons[reason]} size={40} />
      </header>
      {isNow ? (
        <dl className={styles.numbers}>
          <div>
            <dd>
              {count(scene.current?.inQueue, locale)}
              <TrendArrow scene={scene} />
            </dd>
            <dt>{t.waiting}</dt>
          </div>
          <div>
            <dd>{wait == null ? NOTHING : <Minutes shown={waitWords(scene.current)} />}</dd>
            <dt>{target ? t.waitWithTarget(t.minutes(target.waitSeconds)) : t.wait}</dt>
          </div>
        </dl>
      ) : (
        <p className={styles.state}>
          {reasons[reason]} {since !== null && t.since(duration((now - Date.parse(since)) / 1000, locale))}
        </p>
      )}
    </section>
  );
}

/** Words are small, so that the numbers are as large as that of the people. */
const Minutes = ({ shown }: { readonly shown: string }) =>
  shown.split(' ').map((word, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word has no state of its own
    <Fragment key={at}>
      {at > 0 && ' '}
      {/\d/.test(word) ? word : <small>{word}</small>}
    </Fragment>
  ));

interface FooterProps {
  /** Which tiles are shown now; empty where all are. */
  readonly turn: string;
  readonly clock: string;
  readonly siteId: string | null;
}

function Footer({ turn, clock, siteId }: FooterProps) {
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
    <div className={`spread ${styles.foot}`}>
      <p role="status">{isOnline ? '' : shell.offline}</p>
      <p>{turn}</p>
      <div className={`row ${styles.controls}`} data-shown={isTouched || undefined}>
        {(sites.data?.length ?? 0) > 0 && (
          <select
            className="control-box"
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
      <time className={styles.clock}>{clock}</time>
    </div>
  );
}
