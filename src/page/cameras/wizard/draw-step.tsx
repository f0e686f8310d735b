import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { MOST_TILLS } from '../../../catalogue/zones/tills.ts';
import { dataOf } from '../../../client/client.ts';
import { ApiFailure, api } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/form/select-field.tsx';
import { Async, FormFailure } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import { useFeet } from '../use-feet.ts';
import { useFrame } from '../use-frame.ts';
import { SCENE_KINDS, type Zones } from '../zones/shapes.ts';
import { fromBody, toBody, type ZonesBody } from '../zones/to-body.ts';
import { type ZoneChange, ZoneEditor } from '../zones/zone-editor.tsx';
import { forgetDraft, keepDraft, readDraft } from './draft.ts';
import styles from './wizard.module.css';

interface DrawStepProps {
  readonly deviceId: string;
  /** What the place is called: the scene gets the name of its camera. */
  readonly name: string;
  /** Null while the camera has no scene. */
  readonly sceneId: string | null;
  readonly onDone: () => void;
}

/** Zones over a still of the camera. What is drawn outlives a reload of the page. */
export function DrawStep(props: DrawStepProps) {
  // A scene that is made here does not begin the drawing anew.
  const [sceneId] = useState(props.sceneId);
  const scene = useCall(
    ['scene', sceneId],
    () => api.GET('/scenes/{id}', { params: { path: { id: sceneId! } } }),
    { enabled: sceneId !== null },
  );
  if (sceneId === null) return <Drawing {...props} sceneId={null} stored={{}} />;
  return <Async query={scene}>{({ config }) => <Drawing {...props} stored={config.zones} />}</Async>;
}

function Drawing({
  deviceId,
  name,
  sceneId,
  onDone,
  stored,
}: DrawStepProps & { readonly stored: ZonesBody }) {
  const t = useText('cameras');
  const client = useQueryClient();
  const frame = useFrame(deviceId);
  const hour = useFeet(sceneId);
  const [first] = useState(() => readDraft(deviceId) ?? fromBody(stored));
  const [change, setChange] = useState<ZoneChange | null>(null);
  const [isSaved, setSaved] = useState(false);
  const onChange = useCallback(
    (next: ZoneChange) => {
      setChange(next);
      keepDraft(deviceId, next.zones);
    },
    [deviceId],
  );
  const count = useMutation({
    mutationFn: async (zones: Zones) => {
      const id = sceneId ?? (await findScene(deviceId));
      const config = { zones: toBody(zones) };
      const scene =
        id === null
          ? await dataOf(
              api.POST('/scenes', {
                body: { deviceId, name, analysisType: 'queue_analysis', config },
              }),
            )
          : await dataOf(
              api.PATCH('/scenes/{id}', {
                params: { path: { id }, query: { restart: true } },
                body: { config },
              }),
            );
      forgetDraft(deviceId);
      setSaved(true);
      await start(deviceId, scene.id);
    },
    onSettled: () =>
      Promise.all(
        [['scenes', deviceId], ['scene'], ['cameras']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
    onSuccess: onDone,
  });
  /** A camera that hangs on its side, or upside down, is turned before its zones are drawn. */
  const turn = useMutation({
    mutationFn: async () => {
      const params = { path: { id: deviceId } };
      const { rotation } = await dataOf(api.GET('/devices/{id}', { params }));
      const next = ((rotation + 90) % 360) as typeof rotation;
      await dataOf(api.PATCH('/devices/{id}', { params, body: { rotation: next } }));
    },
    onSettled: () =>
      Promise.all(
        [['device', deviceId], ['cameras']].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
    onSuccess: () => void frame.refetch(),
  });
  const zones = change?.zones ?? first;
  const isDrawn = change !== null && (zones.queueZone ?? zones.checkoutZone ?? zones.tills) !== undefined;
  const [tills, setTills] = useState(first.tills?.length ?? 1);
  // One till needs no name: people are served in a zone.
  const kinds = SCENE_KINDS.filter(
    (kind) =>
      (kind !== 'checkoutZone' || tills === 1 || zones.checkoutZone) &&
      (kind !== 'till' || tills > 1 || zones.tills),
  );
  return (
    <div className={`stack ${styles.drawing}`}>
      <SelectField
        label={t.wizard.howManyTills}
        hint={tills > 1 ? t.wizard.severalTills : undefined}
        value={tills}
        onChange={(next) => setTills(Number(next))}
      >
        {Array.from({ length: MOST_TILLS }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: it is the number
          <option key={at}>{at + 1}</option>
        ))}
      </SelectField>
      {frame.url === null && frame.isFetching ? (
        <p role="status" className="wait">
          {t.wizard.opening}
        </p>
      ) : (
        <ZoneEditor
          picture={frame.url}
          zones={first}
          kinds={kinds}
          tills={tills}
          error={count.error}
          hour={hour}
          onChange={onChange}
        />
      )}
      {frame.error && (
        <>
          <p role="status">{t.wizard.drawWithout}</p>
          <Button isBusy={frame.isFetching} onClick={() => void frame.refetch()}>
            {t.newPicture}
          </Button>
        </>
      )}
      {isSaved && count.error && <p role="status">{t.wizard.zonesKept}</p>}
      <FormFailure error={count.error ?? turn.error} />
      <div className="buttons">
        <Button isBusy={turn.isPending || frame.isFetching} onClick={() => turn.mutate(undefined)}>
          {t.turnPicture}
        </Button>
        <Button
          kind="main"
          icon="play"
          isBusy={count.isPending}
          disabled={!isDrawn || !change.isSound}
          onClick={() => change && count.mutate(change.zones)}
        >
          {t.wizard.count}
        </Button>
      </div>
    </div>
  );
}

/** The scene that a call has made whose answer got lost. */
async function findScene(deviceId: string): Promise<string | null> {
  const [scene] = await dataOf(api.GET('/scenes', { params: { query: { deviceId, limit: 1 } } }));
  return scene?.id ?? null;
}

/** A second press, or a schedule, may have started it already. */
export async function start(deviceId: string, sceneId: string): Promise<void> {
  const { error, response } = await api.POST('/devices/{id}/analysis/start', {
    params: { path: { id: deviceId } },
    body: { sceneId },
  });
  if (!response.ok && error?.error.code !== 'ALREADY_RUNNING') throw new ApiFailure(response, error);
}
