import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import { EVENT_GROUPS, GROUP_NAMES } from './event-types.ts';
import { type EventType, WEBHOOK_KEY } from './use-webhook.ts';

/** Sends an event with example data. */
export function TestDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText('webhook');
  const common = useText('common');
  const [type, setType] = useState<EventType>('alert_triggered');
  const send = useAction(() => api.POST('/users/me/webhook/test', { body: { type } }), {
    changes: [[WEBHOOK_KEY]],
  });
  return (
    <Dialog
      title={t.testTitle}
      onClose={onClose}
      actions={
        send.isSuccess ? (
          <Button kind="main" onClick={onClose}>
            {common.close}
          </Button>
        ) : (
          <Button kind="main" isBusy={send.isPending} onClick={() => send.mutate(undefined)}>
            {t.send}
          </Button>
        )
      }
    >
      <p>{t.testHint}</p>
      <SelectField label={t.testType} value={type} onChange={(next) => setType(next as EventType)}>
        {GROUP_NAMES.map((group) => (
          <optgroup key={group} label={t.groups[group]}>
            {EVENT_GROUPS[group].map((each) => (
              <option key={each} value={each}>
                {t.types[each] ?? each}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {send.isSuccess && <p role="status">{t.testSent}</p>}
      <FormFailure error={send.error} />
    </Dialog>
  );
}
