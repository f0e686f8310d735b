import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { browserZone, showTime } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { isConfirmed } from './jobs.ts';
import type { Range } from './range.ts';

interface ConfirmErasureProps {
  readonly range: Range;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Says what will be gone, and asks for a word, because nothing brings it back. */
export function ConfirmErasure({ range, onClose, onDone }: ConfirmErasureProps) {
  const t = useText('privacy').erasure;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const erase = useAction(() => api.POST('/privacy/erasures', { body: range }), {
    changes: [['privacy', 'erasures']],
    onDone,
  });
  const shown = (at: string) => showTime(at, 'dateTime', { locale: localeNow(), timezone: browserZone() });
  const submit = () => {
    const isRight = isConfirmed(typed, t.word);
    setWrong(!isRight);
    if (isRight) erase.mutate();
  };
  return (
    <FormDialog
      title={t.confirmTitle}
      onClose={onClose}
      submit={t.confirm}
      action={erase}
      kind="danger"
      icon="trash"
      onSubmit={submit}
    >
      <p>
        <strong>{t.confirmText(shown(range.from), shown(range.to))}</strong>{' '}
        {t.confirmDevices(range.deviceIds?.length ?? 0)}
      </p>
      <p>{t.confirmPauses}</p>
      <TextField
        label={t.typeWord(t.word)}
        fault={isWrong ? t.wrongWord(t.word) : undefined}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  );
}
