import { useState } from 'react';
import { api } from '../api/client.ts';
import { useList } from '../api/query.ts';
import { Time } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import { StateFilter } from '../kit/form/state-filter.tsx';
import { count } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Empty, Failure, MoreButton, Skeleton } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import styles from './notify.module.css';
import { type Delivery, NOTIFY_KEY } from './use-notify.ts';

const TONES = { success: 'good', failed: 'bad', pending: 'info' } as const;
const REFRESH_MS = 5_000;

/** The attempts to send messages, newest first. */
export function Sent() {
  const t = useText('notify');
  const [status, setStatus] = useState<Delivery['status'] | null>(null);
  const list = useList(
    [NOTIFY_KEY, 'deliveries', status],
    (page) =>
      api.GET('/notifications/deliveries', {
        params: { query: { page, limit: 20, ...(status && { status }) } },
      }),
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section
      title={t.deliveries}
      actions={
        <StateFilter
          label={t.state}
          all={t.allStates}
          names={t.deliveryStates}
          value={status}
          onChange={setStatus}
        />
      }
    >
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton />}
      {list.total === 0 && <Empty icon="notify" title={t.noDeliveries} />}
      {list.items.length > 0 && (
        <ul className="cards">
          {list.items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </Section>
  );
}

function Row({ delivery }: { readonly delivery: Delivery }) {
  const t = useText('notify');
  const locale = localeNow();
  const { status, kind, eventCount, errorMessage, alertEventId, nextAttemptAt } = delivery;
  const title = t.eventKinds[kind];
  return (
    <li className={`card ${styles.card}`}>
      <div className="row">
        <strong className={styles.grow}>
          {alertEventId === null ? title : <a href={`#/feed/${alertEventId}`}>{title}</a>}
        </strong>
        <Chip tone={TONES[status]}>{t.deliveryStates[status]}</Chip>
      </div>
      <p className="note">
        <Time at={delivery.attemptedAt ?? delivery.createdAt} style="dayTime" /> · → {delivery.address} ·{' '}
        {t.attemptOf(delivery.attemptNumber, delivery.maxAttempts)}
        {eventCount > 1 && ` · ${t.tells(count(eventCount, locale), false)}`}
      </p>
      {errorMessage !== null && <p className="fault">{errorMessage}</p>}
      {nextAttemptAt !== null && (
        <p className="note">
          {t.nextAttempt}: <Time at={nextAttemptAt} style="dayTime" />
        </p>
      )}
    </li>
  );
}
