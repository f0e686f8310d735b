import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Can } from '../api/session.tsx';
import { Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { count } from '../kit/numbers.ts';
import { FormFailure } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import { readableBody } from './delivery-body.ts';
import { type Delivery, STATE_TONES, WEBHOOK_KEY } from './use-webhook.ts';
import styles from './webhook.module.css';

interface DeliveryDialogProps {
  readonly delivery: Delivery;
  /** Nothing can be delivered while the webhook is switched off. */
  readonly isOn: boolean;
  readonly onClose: () => void;
}

/** One attempt with both bodies. They are shown as text. */
export function DeliveryDialog({ delivery, isOn, onClose }: DeliveryDialogProps) {
  const t = useText('webhook');
  const locale = localeNow();
  const again = useAction(
    () => api.POST('/users/me/webhook/deliveries/{id}/redeliver', { params: { path: { id: delivery.id } } }),
    { changes: [[WEBHOOK_KEY]] },
  );
  const { status, notificationType: type, responseBody, nextAttemptAt } = delivery;
  return (
    <Dialog
      title={t.types[type] ?? type}
      isWide
      onClose={onClose}
      actions={
        <Can scope="webhook:write">
          <Button
            isBusy={again.isPending}
            disabled={!isOn || again.isSuccess || status === 'pending'}
            onClick={() => again.mutate(undefined)}
          >
            {t.redeliver}
          </Button>
        </Can>
      }
    >
      <p className="row">
        <Chip tone={STATE_TONES[status]}>{t.states[status]}</Chip>
        <span>{t.attemptOf(delivery.attemptNumber, delivery.maxAttempts)}</span>
      </p>
      {delivery.errorMessage !== null && <p className="fault">{delivery.errorMessage}</p>}
      {again.isSuccess && <p role="status">{t.redelivered}</p>}
      <FormFailure error={again.error} />
      <dl className="details">
        <dt>{t.when}</dt>
        <dd>
          <Time at={delivery.attemptedAt ?? delivery.createdAt} />
        </dd>
        <dt>{t.nextAt}</dt>
        <dd>{nextAttemptAt === null ? t.noNext : <Time at={nextAttemptAt} />}</dd>
        <dt>{t.status}</dt>
        <dd>
          {delivery.httpStatusCode === null ? '–' : `HTTP ${delivery.httpStatusCode}`}
          {delivery.responseTimeMs !== null && `, ${count(delivery.responseTimeMs, locale)} ms`}
        </dd>
        <dt>{t.sentTo}</dt>
        <dd className={styles.address}>{delivery.webhookUrl}</dd>
        <dt>{t.ids}</dt>
        <dd className={styles.address}>{delivery.id}</dd>
      </dl>
      <h3>{t.requestBody}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard */}
      <pre className={styles.body} tabIndex={0}>
        {readableBody(delivery.payload)}
      </pre>
      <h3>{t.responseBody}</h3>
      {responseBody ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
        <pre className={styles.body} tabIndex={0}>
          {readableBody(responseBody)}
        </pre>
      ) : (
        <p className="note">{responseBody === null ? t.noAnswer : t.emptyAnswer}</p>
      )}
    </Dialog>
  );
}
