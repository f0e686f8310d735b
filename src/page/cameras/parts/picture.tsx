import { useQueries } from '@tanstack/react-query';
import { dataOf } from '../../../client/client.ts';
import { api } from '../../api/client.ts';
import { Time } from '../../kit/age.tsx';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Polygon, PolygonLayer } from '../../kit/polygon.tsx';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';
import { useFrame } from '../use-frame.ts';
import { shapesOf } from '../zones/shapes.ts';
import { fromBody } from '../zones/to-body.ts';
import type { Device } from './device.ts';
import { useScenes } from './use-scenes.ts';

const EVERY_MS = 5000;

/** A still of the camera with its zones. While the camera counts it is read again and again; otherwise by a button. */
export function Picture({ device, isRunning }: { readonly device: Device; readonly isRunning: boolean }) {
  const t = useText('cameras');
  const frame = useFrame(device.id, isRunning && EVERY_MS);
  const listed = useScenes(device.id).data ?? [];
  const scenes = useQueries({
    queries: listed.slice(0, 8).map(({ id }) => ({
      queryKey: ['scene', id],
      queryFn: () => dataOf(api.GET('/scenes/{id}', { params: { path: { id } } })),
    })),
  }).flatMap(({ data }) => data ?? []);
  return (
    <figure className="stack">
      <div className={styles.picture}>
        {frame.url ? (
          <img src={frame.url} alt={t.picture(device.name)} />
        ) : (
          <div className="no-picture">
            <Icon name={frame.isFetching ? 'cameras' : 'camerasOff'} size={32} />
            <p>{frame.isFetching ? t.wizard.opening : t.noPicture}</p>
          </div>
        )}
        {frame.url && (
          <PolygonLayer label={t.scene}>
            {scenes.flatMap(({ id, config }) =>
              shapesOf({ zones: fromBody(config.zones), privacyMask: [] }).map(({ key, kind, points }) => (
                <Polygon key={`${id}-${key}`} kind={kind} points={points} />
              )),
            )}
          </PolygonLayer>
        )}
      </div>
      <figcaption className="note spread">
        <span>
          {frame.capturedAt && (
            <>
              {t.takenAt}{' '}
              <Time at={frame.capturedAt} style="seconds" timezone={device.timezone ?? undefined} />
            </>
          )}
        </span>
        {!isRunning && (
          <Button kind="quiet" isBusy={frame.isFetching} onClick={() => void frame.refetch()}>
            {t.newPicture}
          </Button>
        )}
      </figcaption>
    </figure>
  );
}
