import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { FormFailure, Skeleton } from '../kit/states.tsx';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import styles from './enter.module.css';
import { signIn } from './sign-in.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Takes the code out of the address at once, so that it stays in no history. */
function useCodeOfLink(): string | null {
  const query = useSearch();
  const [place] = useLocation();
  const [code] = useState(() => new URLSearchParams(query).get('code'));
  useEffect(() => {
    if (code !== null) goTo(place, { replace: true });
  }, [code, place]);
  return code;
}

/** Shown while nobody is signed in. */
export function EnterScreen() {
  const t = useText('enter');
  const { product } = useText('shell');
  const code = useCodeOfLink();
  const [place] = useLocation();
  const { mutate, error, isIdle, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: () => place === '/enter' && goTo('/', { replace: true }),
  });
  useEffect(() => {
    if (code !== null && isIdle && place !== '/setup') mutate({ code });
  }, [code, isIdle, place, mutate]);
  return (
    <main className={styles.enter}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src="./icon.svg" alt="" width={48} height={48} />
          <span>{product}</span>
        </div>
        {isPending ? (
          <>
            <p role="status">{t.checkingCode}</p>
            <Skeleton lines={1} />
          </>
        ) : (
          <>
            <h1>{t.title}</h1>
            <FormFailure error={error} />
            <SignInForm />
          </>
        )}
      </div>
    </main>
  );
}
