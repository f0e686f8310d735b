import { Time } from '../../kit/age.tsx';
import { ImageView } from '../../kit/image-view.tsx';
import { count as whole } from '../../kit/numbers.ts';
import { Section } from '../../kit/page.tsx';
import { localeNow, useText } from '../../text/text.ts';
import { SceneZones } from '../scene-zones.tsx';
import styles from './check.module.css';
import { modesOf, type Opened, type Still } from './checks.ts';
import { MODES, type Mode, type Point } from './counting.ts';

const POINTS = { waiting: 'waitingPoints', served: 'servedPoints' } as const;
const ZONE_OF: Readonly<Record<'queue' | 'checkout', Mode>> = { queue: 'waiting', checkout: 'served' };

/** The stills on which somebody has counted something else than we, with both answers over the picture. */
export function WrongStills({ check, timezone }: { readonly check: Opened; readonly timezone: string }) {
  const t = useText('check');
  const has = modesOf(check.zones);
  const modes = MODES.filter((mode) => has[mode]);
  const wrong = check.stills.filter(({ ours, answers }) =>
    answers.some((answer) => !answer.isSkipped && modes.some((mode) => answer[mode] !== ours?.[mode])),
  );
  return (
    <Section title={t.wrong}>
      {wrong.length === 0 ? (
        <p className={`note ${styles.text}`}>{t.wrongNone}</p>
      ) : (
        <>
          {wrong.some(({ hasPicture }) => hasPicture) ? (
            <p className={`note ${styles.text} ${styles.legend}`}>{t.legend}</p>
          ) : (
            <p className={`note ${styles.text}`}>{t.gone}</p>
          )}
          <ul className={styles.wrong}>
            {wrong.map((still) => (
              <li key={still.id}>
                <WrongStill still={still} check={check} modes={modes} timezone={timezone} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

interface WrongStillProps {
  readonly still: Still;
  readonly check: Opened;
  readonly modes: readonly Mode[];
  readonly timezone: string;
}

function WrongStill({ still, check, modes, timezone }: WrongStillProps) {
  const t = useText('check');
  const locale = localeNow();
  const answers = still.answers.filter(({ isSkipped }) => !isSkipped);
  return (
    <figure className={`stack ${styles.figure}`}>
      {still.hasPicture && (
        <div className={styles.picture}>
          <ImageView url={`api/v1/check-stills/${still.id}/picture`} alt="" gone={t.gone} />
          <SceneZones zones={check.zones} />
          {still.ours?.people.map(({ zone, left, top, right, bottom }) => (
            <span
              key={`${zone} ${left} ${top} ${right} ${bottom}`}
              className={`${styles.box} ${styles[ZONE_OF[zone]]}`}
              style={{
                left: `${left * 100}%`,
                top: `${top * 100}%`,
                width: `${(right - left) * 100}%`,
                height: `${(bottom - top) * 100}%`,
              }}
            />
          ))}
          {answers.flatMap((answer) =>
            modes.flatMap((mode) =>
              ((answer[POINTS[mode]] ?? []) as Point[]).map(([x, y]) => (
                <span
                  key={`${mode} ${x} ${y}`}
                  className={`${styles.dot} ${styles[mode]}`}
                  style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
                />
              )),
            ),
          )}
        </div>
      )}
      <figcaption>
        <Time at={still.capturedAt} timezone={timezone} />
        {modes.map((mode) => (
          <span key={mode}>
            {' · '}
            {t.both(
              t.modes[mode],
              whole(still.ours?.[mode], locale),
              answers.map((answer) => whole(answer[mode], locale)).join(' / '),
            )}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
