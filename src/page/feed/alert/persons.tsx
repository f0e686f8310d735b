import { ApiFailure, api } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { Time } from '../../kit/age.tsx';
import { Chip } from '../../kit/chip.tsx';
import { count } from '../../kit/numbers.ts';
import { Async, Skeleton } from '../../kit/states.tsx';
import { localeNow, useText } from '../../text/text.ts';
import { FEED_KEY } from '../use-feed.ts';
import { useCameras } from '../use-places.ts';
import { nearestCapture, seenAttributes } from './attribute-groups.ts';

interface PersonsProps {
  readonly insightId: string;
  readonly deviceId: string;
  /** When the alert was. */
  readonly at: string;
  readonly timezone: string;
}

/** Who was in the picture, where the plan of the camera has attributes. */
export function Persons({ insightId: id, deviceId, at, timezone }: PersonsProps) {
  const t = useText('feed');
  const locale = localeNow();
  // A camera that is known not to describe people need not be asked.
  const isAsked = useCameras().find((camera) => camera.id === deviceId)?.plan !== 'LEVEL_01';
  const query = useCall(
    [FEED_KEY, 'attributes', id],
    () => api.GET('/analysis/insights/{id}/attributes', { params: { path: { id } } }),
    { enabled: isAsked },
  );
  if (!isAsked || (query.error instanceof ApiFailure && query.error.status === 403))
    return <p className="note">{t.noPlan}</p>;
  return (
    <Async query={query} skeleton={<Skeleton lines={1} />}>
      {(captures) => {
        const capture = nearestCapture(captures, at);
        if (capture === null) return <p className="note">{t.nobodySeen}</p>;
        const { totalPersons } = capture;
        return (
          <>
            <p className="note">
              {t.persons(count(totalPersons, locale), totalPersons === 1)}, {t.seenAt}{' '}
              <Time at={capture.capturedAt} style="seconds" timezone={timezone} />
            </p>
            <dl className="details">
              {seenAttributes(capture).map(({ group, seen }) => (
                <div key={group}>
                  <dt>{t.groups[group]}</dt>
                  <dd className="row">
                    {seen.map(({ key, count: number, known }) => (
                      <Chip key={key}>
                        {t.attributes[key]}: {t.ofKnown(count(number, locale), count(known, locale))}
                      </Chip>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </>
        );
      }}
    </Async>
  );
}
