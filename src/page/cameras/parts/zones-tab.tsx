import { useCallback, useState } from 'react';
import { placeName } from '../../../catalogue/words/place-name.ts';
import { api, type Resource } from '../../api/client.ts';
import { useAction, useCall } from '../../api/query.ts';
import { Can } from '../../api/session.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { NameField } from '../../kit/form/text-field.tsx';
import { Async, FormFailure } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import { isActive } from '../camera-state.ts';
import styles from '../cameras.module.css';
import { useFeet } from '../use-feet.ts';
import { useFrame } from '../use-frame.ts';
import { SCENE_KINDS } from '../zones/shapes.ts';
import { fromBody, toBody } from '../zones/to-body.ts';
import { type ZoneChange, ZoneEditor } from '../zones/zone-editor.tsx';
import type { Device } from './device.ts';
import { Parameters, type ParametersBody } from './parameters.tsx';
import { SceneTarget } from './scene-target.tsx';
import { usePeople } from './use-people.ts';
import { type ListedScene, useScenes } from './use-scenes.ts';

type Scene = Resource<'Scene'>;

/** What is counted on the camera: zones and parameters of its scenes. */
export function ZonesTab({ device }: { readonly device: Device }) {
  const scenes = useScenes(device.id);
  return <Async query={scenes}>{(list) => <Scenes device={device} list={list} />}</Async>;
}

const NEW = 'new';

function Scenes({ device, list }: { readonly device: Device; readonly list: readonly ListedScene[] }) {
  const t = useText('cameras');
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? list[0]?.id ?? NEW;
  return (
    <>
      {list.length > 0 && (
        <fieldset className="row">
          <legend className="only-for-readers">{t.scene}</legend>
          {list.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              className="pill"
              aria-pressed={id === shown}
              onClick={() => setChosen(id)}
            >
              {name}
            </button>
          ))}
          <button type="button" className="pill" aria-pressed={shown === NEW} onClick={() => setChosen(NEW)}>
            + {t.addScene}
          </button>
        </fieldset>
      )}
      {shown === NEW ? (
        <SceneForm key={NEW} device={device} scene={null} number={list.length + 1} onDone={setChosen} />
      ) : (
        <StoredScene key={shown} device={device} sceneId={shown} onDone={setChosen} />
      )}
    </>
  );
}

interface SceneProps {
  readonly device: Device;
  /** The scene to show next; null for the first. */
  readonly onDone: (sceneId: string | null) => void;
}

function StoredScene({ sceneId, ...props }: SceneProps & { readonly sceneId: string }) {
  const scene = useCall(
    ['scene', sceneId],
    () => api.GET('/scenes/{id}', { params: { path: { id: sceneId } } }),
    { refetchInterval: 5000 },
  );
  return <Async query={scene}>{(stored) => <SceneForm {...props} scene={stored} number={1} />}</Async>;
}

/** @param scene null for a new one @param number of the new scene, for its name */
function SceneForm({
  device,
  scene,
  number,
  onDone,
}: SceneProps & { readonly scene: Scene | null; readonly number: number }) {
  const t = useText('cameras');
  const common = useText('common');
  const frame = useFrame(device.id);
  const runs = scene !== null && isActive(scene.analysisStatus);
  const people = usePeople(device.id, scene?.analysisStatus === 'running' ? scene.id : null);
  const hour = useFeet(scene?.id ?? null);
  /** As it was when somebody began to change it, or saved it last. */
  const [opened, setOpened] = useState(scene);
  const [name, setName] = useState(
    scene ? placeOrName(device.name, scene.name) : number === 1 ? device.name : '',
  );
  const [parameters, setParameters] = useState<ParametersBody>({});
  const [change, setChange] = useState<ZoneChange | null>(null);
  const onChange = useCallback((next: ZoneChange) => setChange(next), []);
  const changes = [['scenes', device.id], ['scene'], ['cameras'], ['feet']];
  const save = useAction(
    ({ zones }: ZoneChange) => {
      const config = { zones: toBody(zones), parameters };
      const body = { name: name.trim(), config };
      return scene
        ? api.PATCH('/scenes/{id}', { params: { path: { id: scene.id }, query: { restart: true } }, body })
        : api.POST('/scenes', { body: { ...body, deviceId: device.id, analysisType: 'queue_analysis' } });
    },
    { changes },
  );
  const onSave = (drawn: ZoneChange) =>
    // Not after somebody went to another scene: they stay there. What was changed meanwhile stays too.
    save.mutate(drawn, {
      onSuccess: (saved) => {
        if (!saved) return;
        setOpened(saved);
        setParameters((now) => (now === parameters ? {} : now));
        onDone(saved.id);
      },
    });
  const isForeign =
    scene !== null &&
    opened !== null &&
    scene.updatedAt > opened.updatedAt &&
    // A target does not change what is drawn.
    JSON.stringify([scene.name, scene.config]) !== JSON.stringify([opened.name, opened.config]) &&
    !save.isPending;
  return (
    // Another form follows a new scene: what is changed while it is being saved would go with this one.
    <div className="stack" inert={scene === null && save.isPending}>
      <NameField
        label={number === 1 ? t.whatIsHere : t.whatIsCounted}
        hint={number === 1 ? undefined : t.whatIsCountedHint}
        error={save.error}
        value={name}
        onChange={setName}
      />
      {frame.url === null && frame.isFetching ? (
        <div className={styles.picture} role="status" aria-label={common.loading}>
          <p className="no-picture">{common.loading}</p>
        </div>
      ) : (
        <ZoneEditor
          picture={people.picture ?? frame.url}
          zones={opened ? fromBody(opened.config.zones) : {}}
          kinds={SCENE_KINDS}
          error={save.error}
          feet={people.feet}
          hour={hour}
          onChange={onChange}
        />
      )}
      <Parameters
        stored={scene?.config.parameters ?? null}
        changed={parameters}
        onChange={setParameters}
        error={save.error}
      />
      {scene?.config.zones.queueZone && <SceneTarget scene={scene} />}
      {isForeign && <p role="status">{t.otherSide}</p>}
      <FormFailure error={save.error} />
      <div className={`row ${styles.saving}`}>
        <Button
          kind="main"
          isBusy={save.isPending}
          disabled={!change?.isSound || name.trim() === ''}
          onClick={() => change && onSave(change)}
        >
          {t.saveZones}
        </Button>
        {scene && <DeleteScene scene={scene} onDone={() => onDone(null)} />}
        <p role="status">
          {save.isSuccess ? (runs ? t.savedRestarted : t.saved) : runs ? t.saveRestarts : ''}
        </p>
      </div>
    </div>
  );
}

/** A scene whose name says nothing is called like its camera, also where the name is changed. */
const placeOrName = (camera: string, scene: string): string =>
  placeName(camera, scene) === camera ? camera : scene;

/** Stops the scene if it counts, then deletes it, after a question. */
function DeleteScene({ scene, onDone }: { readonly scene: Scene; readonly onDone: () => void }) {
  const t = useText('cameras');
  const [asks, setAsks] = useState(false);
  const { id, deviceId } = scene;
  const remove = useAction(
    async () => {
      const stopped = { params: { path: { id: deviceId } }, body: { sceneId: id } };
      if (isActive(scene.analysisStatus)) await api.POST('/devices/{id}/analysis/stop', stopped);
      return api.DELETE('/scenes/{id}', { params: { path: { id } } });
    },
    { changes: [['scenes', deviceId], ['cameras']], onDone },
  );
  return (
    <Can scope="scene:write">
      <Button kind="danger" icon="trash" onClick={() => setAsks(true)}>
        {t.deleteScene}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t.deleteTitle(scene.name)}
          confirm={t.deleteScene}
          action={remove}
          onClose={() => setAsks(false)}
        >
          <p>{t.deleteSceneText}</p>
        </ConfirmDialog>
      )}
    </Can>
  );
}
