import { useSearch } from 'wouter';
import { api } from '../api/client.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { useLive } from '../api/live-store.ts';
import { useCall } from '../api/query.ts';
import { Can, useSession } from '../api/session.tsx';
import { useNow } from '../kit/age.tsx';
import { LinkButton } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, Failure, Skeleton } from '../kit/states.tsx';
import { TileGrid } from '../kit/tile.tsx';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { BrokenTile } from './broken-tile.tsx';
import { LeadTile } from './lead-tile.tsx';
import styles from './now.module.css';
import { SceneTile } from './scene-tile.tsx';
import { isBroken, reasonOf } from './state.ts';
import { Stopped } from './stopped.tsx';
import { useOrder } from './use-order.ts';

/** Where somebody has to be sent: every scene as it is now, worst first. */
export default function NowScreen() {
  const t = useText('now');
  const { scenes, deviceCount, error } = useLive();
  return (
    <Page title={t.title}>
      {scenes === null ? (
        error ? (
          <Failure error={error} />
        ) : (
          <Skeleton lines={4} />
        )
      ) : scenes.size === 0 ? (
        <NoScenes hasDevices={deviceCount > 0} />
      ) : (
        <Scenes all={[...scenes.values()]} />
      )}
    </Page>
  );
}

function NoScenes({ hasDevices }: { readonly hasDevices: boolean }) {
  const t = useText('now');
  const action = (
    <Can scope="device:write">
      <LinkButton kind="main" icon="cameras" href={hasDevices ? '#/cameras' : '#/cameras/new'}>
        {hasDevices ? t.drawZones : t.addCamera}
      </LinkButton>
    </Can>
  );
  return (
    <Empty icon="cameras" title={hasDevices ? t.noZones : t.noCameras} action={action}>
      {hasDevices ? t.noZonesText : t.noCamerasText}
    </Empty>
  );
}

function Scenes({ all }: { readonly all: readonly LiveScene[] }) {
  const session = useSession();
  const now = useNow();
  const chosen = new URLSearchParams(useSearch()).get('site');
  const sites = useCall(['sites', 'first'], () => api.GET('/sites', { params: { query: { limit: 100 } } }), {
    enabled: session.may('device:read'),
  });
  const known = sites.data ?? [];
  const siteId = known.some(({ id }) => id === chosen) ? chosen : null;
  const shown = all.filter(({ device }) => siteId === null || device.siteIds.includes(siteId));
  const ordered = useOrder(shown, now);
  const nameOf = new Map(known.map(({ id, name }) => [id, name]));
  return (
    <>
      {known.length > 0 && <Sites sites={known} chosen={siteId} />}
      <LeadTile scenes={ordered} now={now} />
      <TileGrid>
        {ordered.map((scene) => {
          const reason = reasonOf(scene, now);
          if (reason === 'stopped') return null;
          if (isBroken(reason)) return <BrokenTile key={scene.id} scene={scene} reason={reason} />;
          const sites =
            siteId === null && known.length > 1
              ? scene.device.siteIds.flatMap((id) => nameOf.get(id) ?? [])
              : [];
          return <SceneTile key={scene.id} scene={scene} sites={sites} />;
        })}
      </TileGrid>
      <Stopped scenes={ordered.filter((scene) => reasonOf(scene, now) === 'stopped')} />
    </>
  );
}

interface SitesProps {
  readonly sites: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: string | null;
}

function Sites({ sites, chosen }: SitesProps) {
  const t = useText('now');
  const choose = (id: string | null) => goTo(id === null ? '/' : `/?site=${id}`, { replace: true });
  return (
    <fieldset>
      <legend className="only-for-readers">{t.site}</legend>
      <div className={styles.sites}>
        {[{ id: null, name: t.everySite }, ...sites].map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className={`pill one-line ${styles.site}`}
            aria-pressed={id === chosen}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
