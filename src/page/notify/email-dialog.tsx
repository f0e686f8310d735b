import { type FormEvent, useState } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { NameField, TextField } from '../kit/form/text-field.tsx';
import { FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './notify.module.css';
import { type Channel, NOTIFY_KEY } from './use-notify.ts';

/** An address first, then the code that was sent to it. */
export function EmailDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText('notify');
  const [address, setAddress] = useState('');
  const [name, setName] = useState('');
  const [made, setMade] = useState<Channel | null>(null);
  const create = useAction(
    () =>
      api.POST('/notifications/channels', {
        body: { kind: 'email', address: address.trim(), ...(name.trim() && { name: name.trim() }) },
      }),
    { changes: [[NOTIFY_KEY]], onDone: setMade },
  );
  const submit = () => {
    create.mutate(undefined);
  };
  if (made) {
    return (
      <Dialog title={t.addEmail} onClose={onClose}>
        <p role="status">{t.codeSent(made.address)}</p>
        <ConfirmForm channel={made} isNew onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t.addEmail}
      onClose={onClose}
      before={null}
      submit={t.sendCode}
      action={create}
      onSubmit={submit}
    >
      <TextField
        label={t.address}
        error={create.error}
        path="address"
        type="email"
        required
        autoComplete="email"
        value={address}
        onChange={setAddress}
      />
      <NameField
        label={t.name}
        hint={t.nameHint}
        isOptional
        error={create.error}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}

interface ConfirmFormProps {
  readonly channel: Channel;
  /** Alerts are told over a new address without further steps. */
  readonly isNew?: boolean;
  readonly onDone?: () => void;
}

export function ConfirmForm({ channel: { id }, isNew = false, onDone }: ConfirmFormProps) {
  const t = useText('notify');
  const [code, setCode] = useState('');
  const subscribe = useAction(() => api.POST('/notifications/subscriptions', { body: { channelId: id } }), {
    changes: [[NOTIFY_KEY]],
    ...(onDone && { onDone }),
  });
  const confirm = useAction(
    () => api.POST('/notifications/channels/{id}/confirm', { params: { path: { id } }, body: { code } }),
    {
      changes: [[NOTIFY_KEY]],
      onDone: () => (isNew ? subscribe.mutate(undefined) : onDone?.()),
    },
  );
  const { error } = confirm;
  const isWrong = error instanceof ApiFailure && error.code === 'VALIDATION_ERROR';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(undefined);
  };
  return (
    <form className={`stack ${styles.code}`} onSubmit={submit}>
      <TextField
        label={t.code}
        fault={isWrong ? t.wrongCode : undefined}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={50}
        value={code}
        onChange={setCode}
      />
      <Button kind="main" type="submit" isBusy={confirm.isPending || subscribe.isPending}>
        {t.confirm}
      </Button>
      <FormFailure error={isWrong ? null : (error ?? subscribe.error)} />
    </form>
  );
}
