import { useId, useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { NameField, TextField } from '../kit/form/text-field.tsx';
import { useText } from '../text/text.ts';
import { ALL_TYPES, EVENT_GROUPS, GROUP_NAMES } from './event-types.ts';
import { type EventType, WEBHOOK_KEY, type Webhook } from './use-webhook.ts';
import styles from './webhook.module.css';

interface WebhookFormProps {
  /** Undefined to create one. */
  readonly webhook: Webhook | undefined;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, onClose }: WebhookFormProps) {
  const t = useText('webhook');
  const common = useText('common');
  const formId = useId();
  const [url, setUrl] = useState(webhook?.url ?? 'https://');
  const [name, setName] = useState(webhook?.name ?? '');
  const [types, setTypes] = useState<readonly EventType[]>(webhook?.subscribedTypes ?? ALL_TYPES);
  const [isAll, setAll] = useState(types.length >= ALL_TYPES.length);
  const [seconds, setSeconds] = useState(String((webhook?.timeoutMs ?? 5000) / 1000));
  const [retries, setRetries] = useState(webhook?.maxRetries ?? 3);
  const [isRemoving, setRemoving] = useState(false);
  const save = useAction(
    () => {
      const chosen = isAll ? ALL_TYPES : types;
      const body = {
        url,
        timeoutMs: Math.round(Number(seconds) * 1000),
        maxRetries: retries,
        ...(!(isAll && !webhook) && { subscribedTypes: [...chosen] }),
      };
      return webhook
        ? api.PATCH('/users/me/webhook', { body: { ...body, name: name || null } })
        : api.POST('/users/me/webhook', { body: { ...body, ...(name && { name }) } });
    },
    { changes: [[WEBHOOK_KEY]], onDone: onClose },
  );
  const submit = () => {
    save.mutate(undefined);
  };
  if (isRemoving) return <RemoveDialog onClose={onClose} />;
  return (
    <FormDialog
      title={webhook ? t.changeTitle : t.setUp}
      onClose={onClose}
      before={
        webhook ? (
          <Button kind="danger" icon="trash" onClick={() => setRemoving(true)}>
            {t.remove}
          </Button>
        ) : null
      }
      submit={webhook ? common.save : t.create}
      action={save}
      isIncomplete={!isAll && types.length === 0}
      onSubmit={submit}
    >
      <TextField
        label={t.address}
        hint={t.addressHint}
        error={save.error}
        path="url"
        type="url"
        required
        maxLength={500}
        value={url}
        onChange={setUrl}
      />
      <NameField label={t.name} isOptional error={save.error} value={name} onChange={setName} />
      <fieldset className={styles.types}>
        <legend>{t.events}</legend>
        <label className="choice">
          <input type="radio" name={`${formId}-all`} checked={isAll} onChange={() => setAll(true)} />
          {t.allEvents}
        </label>
        <label className="choice">
          <input type="radio" name={`${formId}-all`} checked={!isAll} onChange={() => setAll(false)} />
          {t.chosenEvents}
        </label>
        {!isAll && <Types types={types} onChange={setTypes} />}
        {!isAll && types.length === 0 && <p className="fault">{t.chooseOne}</p>}
      </fieldset>
      <details className={styles.more}>
        <summary>{t.details}</summary>
        <TextField
          label={t.timeout}
          error={save.error}
          path="timeoutMs"
          type="number"
          min={1}
          max={30}
          step="any"
          required
          value={seconds}
          onChange={setSeconds}
        />
        <SelectField
          label={t.retries}
          hint={t.retriesHint}
          error={save.error}
          path="maxRetries"
          value={retries}
          onChange={(next) => setRetries(Number(next))}
        >
          {[0, 1, 2, 3, 4, 5].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      </details>
    </FormDialog>
  );
}

interface TypesProps {
  readonly types: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
}

function Types({ types, onChange }: TypesProps) {
  const t = useText('webhook');
  return GROUP_NAMES.map((group) => (
    <fieldset key={group} className={styles.group}>
      <legend>{t.groups[group]}</legend>
      {EVENT_GROUPS[group].map((type) => (
        <label key={type} className="choice">
          <input
            type="checkbox"
            checked={types.includes(type)}
            onChange={({ target }) =>
              onChange(target.checked ? [...types, type] : types.filter((each) => each !== type))
            }
          />
          {t.types[type] ?? type}
        </label>
      ))}
    </fieldset>
  ));
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText('webhook');
  const remove = useAction(() => api.DELETE('/users/me/webhook'), {
    changes: [[WEBHOOK_KEY]],
    onDone: onClose,
  });
  return (
    <ConfirmDialog title={t.removeTitle} confirm={t.remove} action={remove} onClose={onClose}>
      <p>{t.removeHint}</p>
    </ConfirmDialog>
  );
}
