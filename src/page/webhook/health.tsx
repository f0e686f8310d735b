import { useState } from 'react';
import { api } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useAction } from '../api/query.ts';
import { Can } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { FormFailure } from '../kit/states.tsx';
import { Tile } from '../kit/tile.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import { WEBHOOK_KEY, type Webhook } from './use-webhook.ts';
import styles from './webhook.module.css';
import { healthOf, recoverSince, type WebhookHealth } from './webhook-health.ts';

const TONES = { working: 'good', failing: 'warn', disabled: 'bad' } as const;

/** Whether events arrive, and what to do if they do not. */
export function Health({ webhook }: { readonly webhook: Webhook }) {
  const t = useText('webhook');
  const [open, setOpen] = useState<'test' | 'recover' | null>(null);
  const change = useAction(
    (status: Webhook['status']) => api.PATCH('/users/me/webhook', { body: { status } }),
    { changes: [[WEBHOOK_KEY]] },
  );
  const health = healthOf(webhook);
  const isOff = health.state === 'disabled';
  return (
    <Tile tone={TONES[health.state]}>
      <div className="row">
        <Chip tone={TONES[health.state]}>{t.health[health.state]}</Chip>
        <strong className={styles.address}>{webhook.name ?? new URL(webhook.url).host}</strong>
      </div>
      <code className={styles.address}>{webhook.url}</code>
      <HealthWords health={health} />
      <Can scope="webhook:write">
        <div className="buttons">
          {isOff && (
            <Button kind="main" isBusy={change.isPending} onClick={() => change.mutate('enabled')}>
              {t.switchOn}
            </Button>
          )}
          {!isOff && (
            <Button icon="play" onClick={() => setOpen('test')}>
              {t.test}
            </Button>
          )}
          {!isOff && <Button onClick={() => setOpen('recover')}>{t.recover}</Button>}
          {!isOff && (
            <Button kind="quiet" isBusy={change.isPending} onClick={() => change.mutate('disabled')}>
              {t.switchOff}
            </Button>
          )}
        </div>
        <FormFailure error={change.error} />
      </Can>
      {open === 'test' && <TestDialog onClose={() => setOpen(null)} />}
      {open === 'recover' && (
        <RecoverDialog since={recoverSince(health, new Date(serverNow()))} onClose={() => setOpen(null)} />
      )}
    </Tile>
  );
}

function HealthWords({ health }: { readonly health: WebhookHealth }) {
  const { health: t } = useText('webhook');
  const at = (time: string) => showTime(time, 'dateTime', { locale: localeNow(), timezone: browserZone() });
  if (health.state === 'working') return <p className="note">{t.workingHint}</p>;
  if (health.state === 'failing') return <p>{t.failingHint(at(health.since), at(health.endsAt))}</p>;
  return (
    <>
      {health.reason !== null && <p>{t.reasons[health.reason] ?? health.reason}</p>}
      {health.since !== null && <p>{t.disabledHint(at(health.since))}</p>}
    </>
  );
}
