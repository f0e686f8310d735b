import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { OR_NOTHING, readOrNull } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { FormFailure, Skeleton } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './enter.module.css';
import { SetupForm } from './setup-form.tsx';
import { signIn } from './sign-in.ts';
import { SignInForm } from './sign-in-form.tsx';

interface EnterScreenProps {
  /** One-time code of the link that was opened. */
  readonly code: string | null;
  /** The code signs in and nothing else was asked yet: most services have no set-up, and its 404 would be a fault in the console. */
  readonly signsIn: boolean;
  /** Somebody is signed in already: the link may be left aside. */
  readonly isSignedIn: boolean;
  readonly onDone: () => void;
  /** The code does not sign in. */
  readonly onFail: () => void;
}

/** Shown while nobody is signed in, and by links that sign in. */
export function EnterScreen({ code, signsIn, isSignedIn, onDone, onFail }: EnterScreenProps) {
  const t = useText('enter');
  const { product } = useText('shell');
  const { mutate, error, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: onDone,
    onError: onFail,
  });
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: () => readOrNull(api.GET('/setup', OR_NOTHING)),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isSignedIn && !signsIn,
  });
  const isSetup = Boolean(setup.data);
  const tried = useRef<string | null>(null);
  const isKnown = isSignedIn || signsIn || !setup.isPending;
  useEffect(() => {
    // A code works once. That of a setup is sent together with the form.
    if (!code || !isKnown || isSetup || tried.current === code) return;
    tried.current = code;
    mutate({ code });
  }, [code, isKnown, isSetup, mutate]);
  useEffect(() => {
    document.title = `${isSetup ? t.setupTitle : t.title} · ${product}`;
  }, [isSetup, t, product]);
  return (
    <main className={styles.enter}>
      <div className={`card ${styles.card}`}>
        <div className={`row ${styles.brand}`}>
          <img src="./icon.svg" alt="" width={48} height={48} />
          <span>{product}</span>
        </div>
        {isPending || !isKnown ? (
          <>
            <h1>{code ? t.checkingCode : t.title}</h1>
            <Skeleton lines={1} />
          </>
        ) : (
          <>
            <h1>{isSetup ? t.setupTitle : t.title}</h1>
            <FormFailure error={error} />
            {isSignedIn && <Button onClick={onDone}>{t.goOn}</Button>}
            {isSetup ? <SetupForm code={code} onDone={onDone} /> : <SignInForm onDone={onDone} />}
          </>
        )}
      </div>
    </main>
  );
}
