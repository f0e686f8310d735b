import { useState } from 'react';
import { Can } from '../../api/session.tsx';
import { Time } from '../../kit/age.tsx';
import { Button } from '../../kit/button.tsx';
import { percent, count as whole } from '../../kit/numbers.ts';
import { Section } from '../../kit/page.tsx';
import { Async } from '../../kit/states.tsx';
import { Tile } from '../../kit/tile.tsx';
import { localeNow, useText } from '../../text/text.ts';
import styles from './check.module.css';
import { CheckStory } from './check-story.tsx';
import { type Check, type CheckPlace, newestFirst, shareOf, useChecks } from './checks.ts';
import { StartCheck } from './start-check.tsx';
import { StartTimes } from './times/start-times.tsx';

/** Check this camera: starts a check, shows the one that goes on, and those of before. */
export function CheckView(place: CheckPlace) {
  const { scene, timezone } = place;
  const t = useText('check');
  const query = useChecks(scene.id);
  const [chosen, choose] = useState<string | null>(null);
  return (
    <Async query={query}>
      {(read) => {
        const checks = newestFirst(read);
        const going = checks.find(({ status }) => status !== 'finished');
        const shown = checks.find(({ id }) => id === chosen) ?? going ?? checks[0];
        const others = checks.filter(({ id }) => id !== shown?.id);
        return (
          <div className={`stack ${styles.view}`}>
            {!going && (
              <div className={styles.screenOnly}>
                <Section title={t.title}>
                  <p className={styles.text}>{place.isRecording ? t.introRecording : t.intro}</p>
                  <Can scope="analysis:control">
                    {!place.isLive && !place.isRecording && (
                      <p className={`note ${styles.text}`}>{t.notCounting}</p>
                    )}
                    <div className="row">
                      {!place.isRecording && <StartCheck sceneId={scene.id} onStarted={choose} />}
                      <StartTimes sceneId={scene.id} isRecording={place.isRecording} onStarted={choose} />
                    </div>
                  </Can>
                </Section>
              </div>
            )}
            {shown && <CheckStory key={shown.id} check={shown} {...place} />}
            {others.length > 0 && (
              <div className={styles.screenOnly}>
                <Section title={t.earlier}>
                  <ul className="stack">
                    {others.map((check) => (
                      <li key={check.id}>
                        <Tile>
                          <Summary check={check} timezone={timezone} onShow={() => choose(check.id)} />
                        </Tile>
                      </li>
                    ))}
                  </ul>
                </Section>
              </div>
            )}
          </div>
        );
      }}
    </Async>
  );
}

function Summary({
  check,
  timezone,
  onShow,
}: {
  readonly check: Check;
  readonly timezone: string;
  readonly onShow: () => void;
}) {
  const t = useText('check');
  const locale = localeNow();
  const right = shareOf(check);
  const share = (value: number) => percent(value / 100, locale);
  return (
    <div className="spread">
      <span>
        <Time at={check.finishedAt ?? check.startedAt} timezone={timezone} />
        {check.outdated && ` · ${t.old}`}
      </span>
      <span>
        {right
          ? `${t.range(share(right.value), {
              from: whole(right.from, locale),
              to: whole(right.to, locale),
            })} ${t.outcomes[check.kind]}`
          : t.noneCounted}
      </span>
      <Button onClick={onShow}>{t.show}</Button>
    </div>
  );
}
