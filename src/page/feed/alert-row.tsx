import { Can } from '../api/session.tsx';
import { Time } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { useAlertSentence } from '../kit/words/alert-words.ts';
import { useText } from '../text/text.ts';
import { Thumbnail } from './alert/picture.tsx';
import { CheckButton } from './check-button.tsx';
import styles from './feed.module.css';
import type { FeedItem } from './feed-item.ts';
import { SEVERITY_TONES } from './tones.ts';
import { useMarkSeen } from './use-feed.ts';
import { usePlaces } from './use-places.ts';

interface AlertRowProps {
  readonly item: FeedItem;
  /** Shows the day too, in lists that are not ordered by days. */
  readonly isDated?: boolean;
}

export function AlertRow({ item, isDated = false }: AlertRowProps) {
  const t = useText('feed');
  const say = useAlertSentence();
  const { zoneOf } = usePlaces();
  const { acknowledgedAt } = item;
  return (
    <li className={`card ${styles.row}`} data-seen={acknowledgedAt ? true : undefined}>
      <a className={styles.rowLink} href={`#/feed/${item.id}`}>
        <Thumbnail item={item} />
        <span className={`stack ${styles.rowWords}`}>
          <span className={styles.rowTitle}>{say(item.place, item.measured)}</span>
          <span className="note">
            <Time
              at={item.triggeredAt}
              style={isDated ? 'dayTime' : 'time'}
              timezone={zoneOf(item.deviceId)}
            />
          </span>
          {(item.summary ?? (item.isPending ? t.pending : null)) && (
            <span className={`short ${styles.rowSummary}`}>{item.summary ?? t.pending}</span>
          )}
          <span className="row">
            <Chip tone={SEVERITY_TONES[item.severity]}>{t.severity[item.severity]}</Chip>
          </span>
        </span>
      </a>
      {acknowledgedAt !== undefined && (
        <Can scope="alert:write" otherwise={acknowledgedAt !== null && <SeenMark />}>
          <SeenButton item={item} />
        </Can>
      )}
    </li>
  );
}

function SeenMark() {
  const t = useText('feed');
  return <span className={`note ${styles.seenMark}`}>{t.seen}</span>;
}

function SeenButton({ item }: { readonly item: FeedItem }) {
  const t = useText('feed');
  const say = useAlertSentence();
  const mark = useMarkSeen();
  const isSeen = item.acknowledgedAt !== null;
  return (
    <CheckButton
      isBusy={mark.isPending}
      isSeen={isSeen}
      label={t.markSeenOf(say(item.place, item.measured))}
      title={isSeen ? t.markUnseen : t.markSeen}
      onClick={() => mark.mutate({ id: item.id, acknowledged: !isSeen })}
    />
  );
}
