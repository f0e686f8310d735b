import { useParams } from 'wouter';
import { placeName } from '../../catalogue/words/place-name.ts';
import { ApiFailure } from '../api/client.ts';
import { useSession } from '../api/session.tsx';
import { LinkButton } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, Failure, Skeleton } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { goTo, usePlaceQuery } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { CameraScene } from './camera-scene.tsx';
import { CheckView } from './check/check-view.tsx';
import { FloorView } from './floor/floor-view.tsx';
import { RecordedScene, recordedRange } from './recorded-scene.tsx';
import { SceneControl } from './scene-control.tsx';
import { SceneLead } from './scene-lead.tsx';
import { useSceneNow } from './use-scene-now.ts';

const TABS = ['live', 'floor', 'check'] as const;
type TabId = (typeof TABS)[number];
const DEFAULT_ASPECT = 16 / 9;

export default function SceneScreen() {
  const id = useParams()['*']?.split('/')[0] ?? '';
  return id === '' ? <NoScene /> : <SceneOf key={id} id={id} />;
}

function SceneOf({ id }: { readonly id: string }) {
  const t = useText('scene');
  const { scene: query, place, numbers, timezone, error } = useSceneNow(id);
  const wanted = new URLSearchParams(usePlaceQuery()).get('tab');
  const tab = TABS.find((each) => each === wanted) ?? 'live';
  const scene = query.data;
  if (!scene || !place || !numbers)
    return <WithoutScene error={error} onRetry={() => void query.refetch()} />;

  const isCamera = place.kind === 'camera';
  const title = isCamera ? placeName(place.device.name, scene.name) : scene.name;
  const source = isCamera ? place.device : place.recording;
  const aspect = source?.width && source.height ? source.width / source.height : null;
  const pictureUrl = source && `api/v1/${isCamera ? 'devices' : 'recordings'}/${source.id}/frame?width=640`;
  const select = (next: TabId) =>
    goTo(`/scenes/${id}${next === 'live' ? '' : `?tab=${next}`}`, { replace: true });
  return (
    <Page
      title={title}
      lead={<SceneLead name={title} place={place} />}
      backTo={isCamera ? '/' : '/recordings'}
      actions={isCamera && <SceneControl sceneId={id} deviceId={place.device.id} state={place.state} />}
    >
      {error && <Failure error={error} onRetry={() => void query.refetch()} />}
      <Tabs
        label={t.views}
        tabs={TABS.map((each) => ({
          id: each,
          label: each === 'live' && !isCamera ? t.numbersTab : t.tabs[each],
        }))}
        selected={tab}
        onSelect={select}
      >
        {tab === 'floor' ? (
          <FloorView
            sceneId={id}
            timezone={timezone}
            pictureUrl={pictureUrl}
            aspect={aspect ?? DEFAULT_ASPECT}
            {...(!isCamera && place.recording && { recorded: recordedRange(place.recording) })}
          />
        ) : tab === 'check' ? (
          <CheckView
            scene={scene}
            device={source ?? scene}
            isRecording={!isCamera}
            isLive={isCamera && place.state === 'live'}
            timezone={timezone}
          />
        ) : isCamera ? (
          <CameraScene scene={scene} place={place} numbers={numbers} timezone={timezone} aspect={aspect} />
        ) : (
          <RecordedScene scene={scene} recording={place.recording} pictureUrl={pictureUrl} />
        )}
      </Tabs>
    </Page>
  );
}

/** The place without a scene: scenes are made with a camera, and Now lists them. */
function NoScene() {
  const t = useText('scene');
  const session = useSession();
  return (
    <Page title={t.title} backTo="/">
      <Empty
        title={t.noneTitle}
        icon="cameras"
        action={
          session.may('device:write', 'scene:write') ? (
            <LinkButton kind="main" href="#/cameras/new" icon="plus">
              {t.addCamera}
            </LinkButton>
          ) : (
            <LinkButton href="#/">{t.back}</LinkButton>
          )
        }
      >
        {t.noneText}
      </Empty>
    </Page>
  );
}

/** While the scene is read, and where it cannot be. */
function WithoutScene({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }) {
  const t = useText('scene');
  const isAbsent = error instanceof ApiFailure && [400, 404].includes(error.status);
  return (
    <Page title={t.title} backTo="/">
      {isAbsent ? (
        <Empty title={t.notFoundTitle} icon="cameras" action={<LinkButton href="#/">{t.back}</LinkButton>}>
          {t.notFoundText}
        </Empty>
      ) : error ? (
        <Failure error={error} onRetry={onRetry} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Page>
  );
}
