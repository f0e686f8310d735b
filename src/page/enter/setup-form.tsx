import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { dataOf } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { FormFailure } from '../kit/states.tsx';
import { browserZone } from '../kit/time.ts';
import { useText } from '../text/text.ts';
import { enterAs } from './sign-in.ts';

interface SetupFormProps {
  /** The code of the link; typed where there is none. */
  readonly code: string | null;
  readonly onDone: () => void;
}

/** Creates the first administrator. */
export function SetupForm({ code, onDone }: SetupFormProps) {
  const t = useText('enter');
  const create = useMutation({
    mutationFn: (body: { code: string; email: string; password: string; name: string | null }) =>
      dataOf(api.POST('/setup', { body: { ...body, timezone: browserZone() } })),
    onSuccess: (signedIn) => {
      enterAs(signedIn);
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => String(typed.get(name) ?? '').trim();
    create.mutate({
      code: text('code'),
      email: text('email'),
      password: String(typed.get('password')),
      name: text('name') || null,
    });
  };
  const { error } = create;
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t.setupText}</p>
      <Field label={t.setupCode} error={error} path="code">
        {(a) => (
          <input
            {...a}
            name="code"
            defaultValue={code ?? ''}
            autoComplete="off"
            autoCapitalize="none"
            required
          />
        )}
      </Field>
      <Field label={t.name} error={error} path="name" isOptional>
        {(a) => <input {...a} name="name" autoComplete="name" maxLength={100} />}
      </Field>
      <Field label={t.email} error={error} path="email">
        {(a) => <input {...a} name="email" autoComplete="username" autoCapitalize="none" required />}
      </Field>
      <Field label={t.newPassword} hint={t.newPasswordHint} error={error} path="password">
        {(a) => (
          <input
            {...a}
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={10}
            maxLength={200}
            required
          />
        )}
      </Field>
      <FormFailure error={error} />
      <Button kind="main" type="submit" isBusy={create.isPending}>
        {t.create}
      </Button>
    </form>
  );
}
