import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { Empty, FormFailure } from '../kit/states.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { ConfirmForm, EmailDialog } from './email-dialog.tsx';
import styles from './notify.module.css';
import { type Channel, channelName, NOTIFY_KEY } from './use-notify.ts';

const TONES = { unconfirmed: 'info', enabled: 'good', disabled: 'bad' } as const;

/** E-mail addresses and browsers. */
export function Channels({ channels }: { readonly channels: readonly Channel[] }) {
  const t = useText('notify');
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={t.channels}
      actions={
        <Button icon="plus" onClick={() => setAdding(true)}>
          {t.addEmail}
        </Button>
      }
    >
      {channels.length === 0 ? (
        <Empty icon="notify" title={t.noChannels}>
          {t.noChannelsHint}
        </Empty>
      ) : (
        <ul className="cards">
          {channels.map((channel) => (
            <ChannelCard key={channel.id} channel={channel} />
          ))}
        </ul>
      )}
      {isAdding && <EmailDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

function ChannelCard({ channel }: { readonly channel: Channel }) {
  const t = useText('notify');
  const [isRemoving, setRemoving] = useState(false);
  const path = { id: channel.id };
  const test = useAction(() => api.POST('/notifications/channels/{id}/test', { params: { path } }), {
    changes: [[NOTIFY_KEY, 'deliveries']],
  });
  const newCode = useAction(() => api.POST('/notifications/channels/{id}/code', { params: { path } }), {
    changes: [[NOTIFY_KEY, 'channels']],
  });
  const { status, kind, failingSince, disabledReason, codeExpiresAt } = channel;
  const at = (time: string) => showTime(time, 'dateTime', { locale: localeNow(), timezone: browserZone() });
  const awaitsCode = codeExpiresAt !== null && status !== 'enabled';
  return (
    <li className={`card ${styles.card}`}>
      <div className="row">
        <strong className={styles.grow}>{channelName(channel)}</strong>
        <Chip tone={TONES[status]}>{t.states[status]}</Chip>
      </div>
      <p className="note">
        {t.kinds[kind]}
        {channel.name !== null && ` · ${channel.address}`}
      </p>
      {status === 'enabled' && failingSince !== null && (
        <p className="fault">{t.failing(at(failingSince))}</p>
      )}
      {status === 'disabled' && (
        <p>
          {disabledReason} {kind === 'email' ? t.disabledEmail : t.disabledPush}
        </p>
      )}
      {awaitsCode && <ConfirmForm channel={channel} />}
      {test.isSuccess && <p role="status">{t.testSent}</p>}
      <FormFailure error={test.error ?? newCode.error} />
      <div className="row">
        {status === 'enabled' && (
          <Button isBusy={test.isPending} onClick={() => test.mutate(undefined)}>
            {t.test}
          </Button>
        )}
        {status !== 'enabled' && kind === 'email' && (
          <Button isBusy={newCode.isPending} onClick={() => newCode.mutate(undefined)}>
            {t.newCode}
          </Button>
        )}
        <Button kind="quiet" icon="trash" onClick={() => setRemoving(true)}>
          {t.remove}
        </Button>
      </div>
      {isRemoving && <RemoveDialog channel={channel} onClose={() => setRemoving(false)} />}
    </li>
  );
}

function RemoveDialog({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }) {
  const t = useText('notify');
  const remove = useAction(
    () => api.DELETE('/notifications/channels/{id}', { params: { path: { id: channel.id } } }),
    { changes: [[NOTIFY_KEY]], onDone: onClose },
  );
  return (
    <ConfirmDialog
      title={t.removeTitle(channelName(channel))}
      confirm={t.remove}
      action={remove}
      onClose={onClose}
    >
      <p>{t.removeHint}</p>
    </ConfirmDialog>
  );
}
