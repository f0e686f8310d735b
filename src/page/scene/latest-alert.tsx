import { api } from '../api/client.ts';
import { useList } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { Age } from '../kit/age.tsx';
import { LinkButton } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { ImageView } from '../kit/image-view.tsx';
import { Section } from '../kit/page.tsx';
import { Empty, Failure, Skeleton } from '../kit/states.tsx';
import { Tile } from '../kit/tile.tsx';
import { useAlertSentence } from '../kit/words/alert-words.ts';
import { useText } from '../text/text.ts';
import styles from './scene.module.css';

/** The newest alert of a scene with its picture and what is written about it. */
export function LatestAlert({ sceneId }: { readonly sceneId: string }) {
  const t = useText('scene');
  const session = useSession();
  const say = useAlertSentence();
  const list = useList(
    ['insights', 'newest', sceneId],
    () => api.GET('/analysis/insights', { params: { query: { sceneId, limit: 1 } } }),
    { refetchInterval: 60_000 },
  );
  const [newest] = list.items;
  const actions = newest && <LinkButton href={`#/feed?sceneId=${sceneId}`}>{t.allAlerts}</LinkButton>;
  return (
    <Section title={t.latest} actions={actions}>
      {list.isPending && <Skeleton lines={1} />}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !newest && (
        <Empty
          title={t.noAlerts}
          icon="feed"
          action={
            session.may('alert:write') && (
              <LinkButton href={`#/rules?sceneId=${sceneId}`}>{t.makeRule}</LinkButton>
            )
          }
        >
          {t.noAlertsText}
        </Empty>
      )}
      {newest && (
        <Tile tone={newest.severity === 'critical' ? 'bad' : 'warn'} to={`/feed/${newest.alertId}`}>
          <div className="stack">
            {newest.thumbnailUrl !== null && <ImageView url={newest.thumbnailUrl} alt="" />}
            <div>
              <p className={`row note ${styles.alertHead}`}>
                <Chip tone={newest.severity === 'critical' ? 'bad' : 'warn'}>
                  {t.severities[newest.severity]}
                </Chip>
                <Age since={newest.triggeredAt} />
              </p>
              <p>
                <strong>{say(null, newest)}</strong>
              </p>
              <p className="note">
                {newest.vlmSummary ?? (newest.vlmStatus === 'pending' ? t.describing : null)}
              </p>
            </div>
          </div>
        </Tile>
      )}
    </Section>
  );
}
