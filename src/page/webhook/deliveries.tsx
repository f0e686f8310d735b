import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { StateFilter } from '../kit/form/state-filter.tsx';
import { count } from '../kit/numbers.ts';
import { Section } from '../kit/page.tsx';
import { Async, Empty } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { type Delivery, REFRESH_MS, STATE_TONES, WEBHOOK_KEY, type Webhook } from './use-webhook.ts';
import styles from './webhook.module.css';

const PAGE_SIZE = 20;

/** The attempts, newest first, a page at a time. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const t = useText('webhook');
  const common = useText('common');
  const locale = localeNow();
  const [status, setStatus] = useState<Delivery['status'] | null>(null);
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<Delivery | null>(null);
  const query = useQuery({
    queryKey: [WEBHOOK_KEY, 'deliveries', status, page],
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () =>
      answerOf(
        api.GET('/users/me/webhook/deliveries', {
          params: { query: { page, limit: PAGE_SIZE, ...(status && { status }) } },
        }),
      ),
  });
  return (
    <Section
      title={t.deliveries}
      actions={
        <StateFilter
          label={t.status}
          all={t.allStates}
          names={t.states}
          value={status}
          onChange={(state) => {
            setStatus(state);
            setPage(1);
          }}
        />
      }
    >
      <Async query={query}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty icon="webhook" title={t.noDeliveries}>
              {t.noDeliveriesHint}
            </Empty>
          ) : (
            <>
              <ul className="rows">
                {data.map((delivery) => (
                  <Row key={delivery.id} delivery={delivery} onOpen={() => setOpened(delivery)} />
                ))}
              </ul>
              {pagination.totalPages > 1 && (
                <div className={`row ${styles.pager}`}>
                  <Button
                    icon="back"
                    aria-label={common.back}
                    disabled={page === 1}
                    onClick={() => setPage(page - 1)}
                  />
                  <span>{t.pageOf(count(page, locale), count(pagination.totalPages, locale))}</span>
                  <Button
                    icon="forward"
                    aria-label={common.more}
                    disabled={page >= pagination.totalPages}
                    onClick={() => setPage(page + 1)}
                  />
                </div>
              )}
            </>
          )
        }
      </Async>
      {opened && (
        <DeliveryDialog
          delivery={query.data?.data.find(({ id }) => id === opened.id) ?? opened}
          isOn={webhook.status === 'enabled'}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

function Row({ delivery, onOpen }: { readonly delivery: Delivery; readonly onOpen: () => void }) {
  const t = useText('webhook');
  const locale = localeNow();
  const {
    status,
    notificationType: type,
    httpStatusCode,
    errorMessage,
    attemptNumber,
    maxAttempts,
  } = delivery;
  return (
    <li>
      <button type="button" className={`row-button stack ${styles.delivery}`} onClick={onOpen}>
        <Chip tone={STATE_TONES[status]}>{t.states[status]}</Chip>
        <span className={styles.deliveryWords}>
          <strong>{t.types[type] ?? type}</strong>
          <span className="note">
            <Time at={delivery.attemptedAt ?? delivery.createdAt} style="dayTime" /> ·{' '}
            {t.attemptOf(attemptNumber, maxAttempts)}
            {httpStatusCode !== null && ` · HTTP ${httpStatusCode}`}
            {delivery.responseTimeMs !== null && ` · ${count(delivery.responseTimeMs, locale)} ms`}
          </span>
          {errorMessage !== null && <span className="fault">{errorMessage}</span>}
        </span>
      </button>
    </li>
  );
}
