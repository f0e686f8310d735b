import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { count } from '../kit/numbers.ts';
import { FormFailure } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import { localInput } from './local-input.ts';
import { WEBHOOK_KEY } from './use-webhook.ts';

interface RecoverDialogProps {
  /** The moment that is proposed. */
  readonly since: Date;
  readonly onClose: () => void;
}

/** Delivers again what has failed finally since a moment. */
export function RecoverDialog({ since: proposed, onClose }: RecoverDialogProps) {
  const t = useText('webhook');
  const common = useText('common');
  const [since, setSince] = useState(() => localInput(proposed));
  const recover = useAction(
    () => api.POST('/users/me/webhook/recover', { body: { since: new Date(since).toISOString() } }),
    { changes: [[WEBHOOK_KEY]] },
  );
  const done = recover.data;
  const locale = localeNow();
  return (
    <Dialog
      title={t.recover}
      onClose={onClose}
      actions={
        done ? (
          <Button kind="main" onClick={onClose}>
            {common.close}
          </Button>
        ) : (
          <Button
            kind="main"
            isBusy={recover.isPending}
            disabled={since === ''}
            onClick={() => recover.mutate(undefined)}
          >
            {t.recoverButton}
          </Button>
        )
      }
    >
      <p>{t.recoverHint}</p>
      <TextField
        label={t.since}
        error={recover.error}
        path="since"
        type="datetime-local"
        required
        value={since}
        onChange={setSince}
      />
      {done && (
        <p role="status">
          {done.scheduledCount === 0
            ? t.nothingToRecover
            : t.recovered(count(done.scheduledCount, locale), done.scheduledCount === 1)}{' '}
          {done.remainingCount > 0 && t.remaining(count(done.remainingCount, locale))}
        </p>
      )}
      <FormFailure error={recover.error} />
    </Dialog>
  );
}
