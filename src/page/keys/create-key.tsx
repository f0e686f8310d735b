import { useState } from 'react';
import { api } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useAction } from '../api/query.ts';
import { type Scope, useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { CopyText } from '../kit/copy-text.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { NameField } from '../kit/form/text-field.tsx';
import { useText } from '../text/text.ts';
import styles from './keys.module.css';
import { grantable, SCOPES_OF } from './roles.ts';

const DAY_MS = 86_400_000;
const LIFETIMES_DAYS = { never: null, month: 30, quarter: 90, year: 365 } as const;
type Lifetime = keyof typeof LIFETIMES_DAYS;

/** Creates an API key and shows it once. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const t = useText('keys');
  const { scopes } = useSession();
  const roles = grantable(scopes);
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('never');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(SCOPES_OF.viewer.filter((each) => scopes.has(each))),
  );
  const [isChecked, setIsChecked] = useState(false);
  const make = useAction(
    () => {
      const days = LIFETIMES_DAYS[lifetime];
      const expiresAt = days === null ? null : new Date(serverNow() + days * DAY_MS).toISOString();
      const body = { name: name.trim(), scopes: [...chosen] as Scope[], ...(expiresAt && { expiresAt }) };
      return api.POST('/api-keys', { body });
    },
    { changes: [['api-keys']] },
  );
  const submit = () => {
    setIsChecked(true);
    if (name.trim() !== '' && chosen.size > 0) make.mutate(undefined);
  };
  const toggle = (scope: string) => {
    const next = new Set(chosen);
    if (!next.delete(scope)) next.add(scope);
    setChosen(next);
  };
  if (make.data) {
    return (
      <Dialog
        isFixed
        title={t.keyMade}
        onClose={onClose}
        actions={
          <Button kind="main" onClick={onClose}>
            {t.done}
          </Button>
        }
      >
        <p className="notice" data-tone="warn">
          {t.keyOnce}
        </p>
        <CopyText text={make.data.key} label={t.key} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t.makeKey}
      onClose={onClose}
      submit={t.makeKey}
      action={make}
      noValidate
      onSubmit={submit}
    >
      <NameField
        label={t.keyName}
        hint={t.keyNameHint}
        error={make.error}
        fault={isChecked && name.trim() === '' ? t.keyNameFault : undefined}
        value={name}
        onChange={setName}
      />
      <SelectField
        label={t.expires}
        error={make.error}
        path="expiresAt"
        value={lifetime}
        onChange={(next) => setLifetime(next as Lifetime)}
      >
        {(Object.keys(LIFETIMES_DAYS) as Lifetime[]).map((each) => (
          <option key={each} value={each}>
            {t.expiry[each]}
          </option>
        ))}
      </SelectField>
      <fieldset className={styles.permissions}>
        <legend>{t.permissions}</legend>
        <p className="row">
          {t.choose}
          {roles.map((role) => (
            <Button key={role} kind="quiet" onClick={() => setChosen(new Set(SCOPES_OF[role]))}>
              {t.roles[role]}
            </Button>
          ))}
        </p>
        {Object.keys(t.scopes)
          .filter((scope) => scopes.has(scope) && scope !== 'admin')
          .map((scope) => (
            <label key={scope} className="choice">
              <input type="checkbox" checked={chosen.has(scope)} onChange={() => toggle(scope)} />
              <span>{t.scopes[scope]}</span>
            </label>
          ))}
        {isChecked && chosen.size === 0 && (
          <p role="alert" className="fault">
            {t.permissionsFault}
          </p>
        )}
      </fieldset>
    </FormDialog>
  );
}
