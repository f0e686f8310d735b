import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { SESSION_KEY } from '../enter/sign-in.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { NameField, TextField } from '../kit/form/text-field.tsx';
import { TimezoneSelect } from '../kit/form/timezone-select.tsx';
import { Section } from '../kit/page.tsx';
import { FormFailure } from '../kit/states.tsx';
import { LANGUAGE_NAMES, type Language, useText } from '../text/text.ts';
import styles from './keys.module.css';

type Account = Resource<'Account'>;
const LEAST_LETTERS = 10;

/** The account that is signed in: its name, clock and language, and its password. */
export function Account() {
  const { user } = useSession();
  return (
    <>
      <Person user={user} />
      <Password user={user} />
    </>
  );
}

function Person({ user }: { readonly user: Account }) {
  const t = useText('keys');
  const common = useText('common');
  const client = useQueryClient();
  const [name, setName] = useState(user.name ?? '');
  const [timezone, setTimezone] = useState(user.timezone ?? '');
  const [locale, setLocale] = useState(user.locale ?? '');
  const save = useAction(
    () => {
      const body = { name: name.trim() || null, timezone: timezone || null, locale: locale || null };
      return api.PATCH('/users/me', { body });
    },
    { onDone: () => void client.invalidateQueries({ queryKey: SESSION_KEY }) },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const languages = Object.keys(LANGUAGE_NAMES) as Language[];
  return (
    <Section title={t.account}>
      <form className={`stack ${styles.form}`} onSubmit={submit}>
        <p>
          {t.email}: <strong>{user.email}</strong>
        </p>
        <NameField
          label={t.name}
          error={save.error}
          isOptional
          autoComplete="name"
          value={name}
          onChange={setName}
        />
        <Field label={t.timezone} error={save.error} path="timezone">
          {(attributes) => (
            <TimezoneSelect
              attributes={attributes}
              value={timezone}
              onChange={setTimezone}
              nothing={t.timezoneNone}
            />
          )}
        </Field>
        <SelectField label={t.language} error={save.error} path="locale" value={locale} onChange={setLocale}>
          <option value="">{t.languageNone}</option>
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {LANGUAGE_NAMES[language]}
            </option>
          ))}
          {locale !== '' && !languages.includes(locale as Language) && (
            <option value={locale}>{locale}</option>
          )}
        </SelectField>
        <FormFailure error={save.error} />
        <div className="buttons">
          <Button kind="main" type="submit" isBusy={save.isPending}>
            {common.save}
          </Button>
          <span role="status">{save.isSuccess && t.saved}</span>
        </div>
      </form>
    </Section>
  );
}

function Password({ user }: { readonly user: Account }) {
  const t = useText('keys');
  const client = useQueryClient();
  const [present, setPresent] = useState('');
  const [wanted, setWanted] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const isShort = [...wanted].length < LEAST_LETTERS;
  const change = useAction(
    () =>
      api.PATCH('/users/me', {
        body: { password: wanted, ...(present !== '' && { currentPassword: present }) },
      }),
    {
      changes: [['sessions']],
      onDone: () => {
        setPresent('');
        setWanted('');
        setIsChecked(false);
        void client.invalidateQueries({ queryKey: SESSION_KEY });
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!isShort) change.mutate(undefined);
  };
  return (
    <Section title={t.password}>
      <form className={`stack ${styles.form}`} onSubmit={submit} noValidate>
        <input type="text" hidden readOnly autoComplete="username" value={user.email} />
        {user.hasPassword && (
          <TextField
            label={t.currentPassword}
            error={change.error}
            path="currentPassword"
            type="password"
            autoComplete="current-password"
            value={present}
            onChange={setPresent}
          />
        )}
        <TextField
          label={t.newPassword}
          hint={t.newPasswordHint}
          error={change.error}
          path="password"
          fault={isChecked && isShort ? t.newPasswordFault : undefined}
          type="password"
          autoComplete="new-password"
          value={wanted}
          onChange={setWanted}
        />
        <p className="note">{t.passwordText}</p>
        <FormFailure error={change.error} />
        <div className="buttons">
          <Button kind="main" type="submit" isBusy={change.isPending}>
            {user.hasPassword ? t.changePassword : t.setPassword}
          </Button>
          <span role="status">{change.isSuccess && t.passwordChanged}</span>
        </div>
      </form>
    </Section>
  );
}
