import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { FormFailure } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { useText } from '../text/text.ts';
import { signIn } from './sign-in.ts';

type Way = 'password' | 'code' | 'key';

/** Signs in with a password, a one-time code or an API key. */
export function SignInForm({ onDone }: { readonly onDone?: () => void }) {
  const t = useText('enter');
  const [way, setWay] = useState<Way>('password');
  const enter = useMutation({ mutationFn: signIn, ...(onDone && { onSuccess: onDone }) });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? '').trim();
    if (way === 'password') enter.mutate({ email: text('email'), password: String(typed.get('password')) });
    else if (way === 'code') enter.mutate({ code: text('code') });
    else enter.mutate({ apiKey: text('apiKey') });
  };
  return (
    <Tabs
      label={t.title}
      selected={way}
      onSelect={(next) => {
        enter.reset();
        setWay(next);
      }}
      tabs={[
        { id: 'password', label: t.withPassword },
        { id: 'code', label: t.withCode },
        { id: 'key', label: t.withKey },
      ]}
    >
      <form className="stack" onSubmit={submit}>
        {way === 'password' && (
          <>
            <Field label={t.email}>
              {(a) => <input {...a} name="email" autoComplete="username" autoCapitalize="none" required />}
            </Field>
            <Field label={t.password}>
              {(a) => (
                <input {...a} name="password" type="password" autoComplete="current-password" required />
              )}
            </Field>
          </>
        )}
        {way === 'code' && (
          <Field label={t.code} hint={t.codeHint}>
            {(a) => <input {...a} name="code" autoComplete="one-time-code" autoCapitalize="none" required />}
          </Field>
        )}
        {way === 'key' && (
          <Field label={t.apiKey}>
            {(a) => <input {...a} name="apiKey" type="password" autoComplete="off" required />}
          </Field>
        )}
        <FormFailure error={enter.error} />
        <Button kind="main" type="submit" isBusy={enter.isPending}>
          {t.submit}
        </Button>
      </form>
    </Tabs>
  );
}
