import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { NameField, TextField } from '../kit/form/text-field.tsx';
import { useText } from '../text/text.ts';
import styles from './admin.module.css';

/** Creates a user and shows the first API key once. */
export function CreateUser({ onClose }: { readonly onClose: () => void }) {
  const t = useText('admin').users;
  const common = useText('common');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [created, setCreated] = useState<Resource<'CreatedUser'> | null>(null);
  const [key] = useState(() => `page-${Date.now()}-${Math.random().toString(36).slice(2)}`);
  const create = useAction(
    () =>
      api.POST('/admin/users', {
        params: { header: { 'Idempotency-Key': key } },
        body: { email: email.trim(), ...(name.trim() !== '' && { name: name.trim() }) },
      }),
    { changes: [['admin', 'users']], onDone: setCreated },
  );
  if (created) {
    return (
      <Dialog
        title={t.created(created.email)}
        isFixed
        onClose={onClose}
        actions={
          <Button kind="main" onClick={onClose}>
            {common.close}
          </Button>
        }
      >
        <p>{t.keyOnce}</p>
        <p className={`notice ${styles.secret}`}>{created.apiKey}</p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t.create}
      onClose={onClose}
      submit={t.create}
      action={create}
      onSubmit={() => create.mutate()}
    >
      <p className="note">{t.createText}</p>
      <TextField
        label={t.email}
        error={create.error}
        path="email"
        type="email"
        required
        maxLength={320}
        autoComplete="off"
        value={email}
        onChange={setEmail}
      />
      <NameField
        label={t.name}
        error={create.error}
        isOptional
        autoComplete="off"
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}
