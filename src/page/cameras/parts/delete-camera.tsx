import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { goTo } from '../../shell/place.ts';
import { useText } from '../../text/text.ts';
import type { Device } from './device.ts';

/** Deletes a camera after a question; what counts on it is stopped first. */
export function DeleteCamera({ device }: { readonly device: Device }) {
  const t = useText('cameras');
  const [asks, setAsks] = useState(false);
  const params = { path: { id: device.id } };
  const remove = useAction(
    async () => {
      // A camera on which nothing counts is answered with NOT_RUNNING, which is as good.
      await api.POST('/devices/{id}/analysis/stop', { params, body: {} });
      return api.DELETE('/devices/{id}', { params });
    },
    { changes: [['cameras'], ['sites']], onDone: () => goTo('/cameras', { replace: true }) },
  );
  return (
    <div>
      <Button kind="danger" icon="trash" onClick={() => setAsks(true)}>
        {t.delete}
      </Button>
      {asks && (
        <ConfirmDialog
          title={t.deleteTitle(device.name)}
          confirm={t.delete}
          action={remove}
          onClose={() => setAsks(false)}
        >
          <p>{t.deleteText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
