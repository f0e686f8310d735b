import { useDeferredValue, useEffect, useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useCall, useList } from '../api/query.ts';
import { Can, useSession } from '../api/session.tsx';
import { LinkButton } from '../kit/button.tsx';
import { count } from '../kit/numbers.ts';
import { Page } from '../kit/page.tsx';
import { Empty, Failure, Skeleton } from '../kit/states.tsx';
import { Tile, TileGrid, TileLink } from '../kit/tile.tsx';
import { TilePicture } from '../now/tile-picture.tsx';
import { localeNow, useText } from '../text/text.ts';
import { type CameraState, cameraState, isIdle, isTrouble, TONES, worstFirst } from './camera-state.ts';
import styles from './cameras.module.css';
import { Reasons, StateChip } from './reasons.tsx';
import { SceneRow } from './scene-row.tsx';

type Camera = Resource<'OverviewDevice'>;

/** The API gives so many at once. */
const AT_ONCE = 100;
const EVERY_MS = 10_000;

/** Every camera with its state, the worst first. */
export function useCameras() {
  const list = useList<Camera>(
    ['cameras'],
    (page) => api.GET('/overview', { params: { query: { page, limit: AT_ONCE } } }),
    { refetchInterval: EVERY_MS },
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage, error } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !error) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, error]);
  return list;
}

const FILTERS = {
  all: () => true,
  trouble: isTrouble,
  idle: isIdle,
} satisfies Record<string, (state: CameraState) => boolean>;
type Filter = keyof typeof FILTERS;

export function CameraList() {
  const t = useText('cameras');
  const list = useCameras();
  const canAdd = useSession().may('device:write');
  const actions = (
    <Can scope="device:write">
      <LinkButton href="#/cameras/sites">{t.sites}</LinkButton>
      <LinkButton href="#/cameras/new" kind="main" icon="plus">
        {t.add}
      </LinkButton>
    </Can>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={actions}>
      {list.data === undefined && !list.error && <Skeleton lines={4} />}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && list.items.length === 0 && (
        <Empty
          icon="cameras"
          title={t.empty}
          action={
            canAdd && (
              <LinkButton href="#/cameras/new" kind="main" icon="plus">
                {t.add}
              </LinkButton>
            )
          }
        >
          {canAdd ? t.emptyText : t.emptyViewer}
        </Empty>
      )}
      {list.items.length > 0 && <Cameras cameras={list.items} />}
    </Page>
  );
}

function Cameras({ cameras }: { readonly cameras: readonly Camera[] }) {
  const t = useText('cameras');
  const [filter, setFilter] = useState<Filter>('all');
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  const sites = useCall(['sites', 'all'], () => api.GET('/sites', { params: { query: { limit: AT_ONCE } } }));
  const siteNames = new Map(sites.data?.map(({ id, name }) => [id, name]));
  const known = cameras
    .map((camera) => ({ camera, state: cameraState(camera) }))
    .sort((a, b) => worstFirst(a.state, b.state) || a.camera.name.localeCompare(b.camera.name));
  const namesOf = ({ siteIds }: Camera) => siteIds.flatMap((id) => siteNames.get(id) ?? []);
  const shown = known.filter(
    ({ camera, state }) =>
      FILTERS[filter](state) &&
      [camera.name, ...namesOf(camera)].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <div className={styles.filters}>
        <input
          type="search"
          className={`control-box ${styles.search}`}
          aria-label={t.search}
          placeholder={t.search}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <fieldset className="row">
          <legend className="only-for-readers">{t.title}</legend>
          {(Object.keys(FILTERS) as Filter[]).map((each) => (
            <button
              key={each}
              type="button"
              className="pill"
              aria-pressed={each === filter}
              onClick={() => setFilter(each)}
            >
              {t.filters[each]} <b>{known.filter(({ state }) => FILTERS[each](state)).length}</b>
            </button>
          ))}
        </fieldset>
      </div>
      {shown.length === 0 ? (
        <Empty title={t.nobodyFound} icon="search" />
      ) : (
        <TileGrid>
          {shown.map(({ camera, state }) => (
            <CameraTile key={camera.id} camera={camera} state={state} sites={namesOf(camera)} />
          ))}
        </TileGrid>
      )}
    </>
  );
}

interface CameraTileProps {
  readonly camera: Camera;
  readonly state: CameraState;
  readonly sites: readonly string[];
}

function CameraTile({ camera, state, sites }: CameraTileProps) {
  const t = useText('cameras');
  const session = useSession();
  const isCounting = state === 'counting' || state === 'warned';
  const waiting = camera.scenes
    .filter(({ analysisStatus }) => analysisStatus === 'running')
    .flatMap(({ current }) => current?.inQueue ?? []);
  const place =
    state === 'noZones' && session.may('scene:write')
      ? `/cameras/${camera.id}/setup`
      : `/cameras/${camera.id}`;
  return (
    <Tile tone={TONES[state]}>
      <TilePicture device={camera} isAnalysed={isCounting} isLarge />
      <div className="spread">
        <h2 className="short">
          <TileLink to={place}>{camera.name}</TileLink>
        </h2>
        {waiting.length > 0 && isCounting && (
          <span className={styles.waiting}>
            {t.waiting(
              count(
                waiting.reduce((sum, each) => sum + each, 0),
                localeNow(),
              ),
            )}
          </span>
        )}
      </div>
      <div className="row">
        <StateChip state={state} />
        {sites.length > 0 && <small className="note">{sites.join(', ')}</small>}
      </div>
      <Reasons of={camera} />
      {session.may('analysis:control') && camera.scenes.length > 0 && (
        <div className={styles.controls}>
          {camera.scenes.map((scene) => (
            <SceneRow key={scene.id} camera={camera} scene={scene} isQuiet />
          ))}
        </div>
      )}
    </Tile>
  );
}
