import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction, useCall } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { Section } from '../kit/page.tsx';
import { FormFailure } from '../kit/states.tsx';
import { Tile } from '../kit/tile.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { SecretValue } from './secret-value.tsx';
import { WEBHOOK_KEY, type Webhook } from './use-webhook.ts';

/** The secret is read when somebody wants to see it, and forgotten when it is hidden. */
export function Secret({ webhook }: { readonly webhook: Webhook }) {
  const t = useText('webhook');
  const [isShown, setShown] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const query = useCall([WEBHOOK_KEY, 'secret'], () => api.GET('/users/me/webhook/secret'), {
    enabled: isShown,
    gcTime: 0,
  });
  const secret = isShown ? query.data : undefined;
  const until = secret?.previousSecretValidUntil ?? null;
  return (
    <Section title={t.secret}>
      <Tile>
        <p className="note">{t.secretHint}</p>
        {secret ? <SecretValue secret={secret.secret} /> : <p>{t.endsWith(webhook.secretLast4)}</p>}
        {until !== null && (
          <p>{t.oldUntil(showTime(until, 'dateTime', { locale: localeNow(), timezone: browserZone() }))}</p>
        )}
        <FormFailure error={isShown ? query.error : null} />
        <div className="buttons">
          <Button isBusy={isShown && query.isFetching} onClick={() => setShown(!isShown)}>
            {secret ? t.hide : t.reveal}
          </Button>
          <Button kind="quiet" onClick={() => setAsked(true)}>
            {t.newSecret}
          </Button>
        </div>
        {isAsked && <NewSecretDialog onClose={() => setAsked(false)} onDone={() => setShown(true)} />}
      </Tile>
    </Section>
  );
}

function NewSecretDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const t = useText('webhook');
  const make = useAction(() => api.POST('/users/me/webhook/secret/regenerate'), {
    changes: [[WEBHOOK_KEY]],
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ConfirmDialog title={t.newSecretTitle} confirm={t.newSecret} action={make} onClose={onClose}>
      <p>{t.newSecretHint}</p>
    </ConfirmDialog>
  );
}
