import { Time } from '../../kit/age.tsx';
import { percent } from '../../kit/numbers.ts';
import { localeNow, useText } from '../../text/text.ts';
import styles from './check.module.css';
import { newestFirst, shareOf, useChecks } from './checks.ts';
import { Trend } from './trend.tsx';

/** Beside the numbers of a camera: when it was checked, and how right it was. */
export function LastCheck({ sceneId, timezone }: { readonly sceneId: string; readonly timezone: string }) {
  const t = useText('check');
  const checks = newestFirst(useChecks(sceneId).data ?? []);
  const last = checks.find((check) => shareOf(check) !== null);
  const right = last && shareOf(last);
  return (
    <>
      <p className={`note ${styles.last}`}>
        <a href={`#/scenes/${sceneId}?tab=check`}>
          {last && right ? (
            <>
              {t.checked} <Time at={last.finishedAt} style="date" timezone={timezone} />:{' '}
              {percent(right.value / 100, localeNow())} {t.outcomes[last.kind]}
              {last.outdated && ` (${t.old})`}
            </>
          ) : (
            t.title
          )}
        </a>
      </p>
      <Trend checks={checks} timezone={timezone} />
    </>
  );
}
