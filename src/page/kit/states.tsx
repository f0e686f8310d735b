import type { ReactNode } from 'react';
import { ApiFailure } from '../api/client.ts';
import { errorText } from '../api/error-text.ts';
import { useText } from '../text/text.ts';
import { Button, LinkButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './states.module.css';
import { useCountdown } from './use-countdown.ts';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The next step: a button or link. */
  readonly action?: ReactNode;
  readonly icon?: IconName;
}

/** Where there is nothing yet: says why, and offers the next step. */
export function Empty({ title, children, action, icon = 'info' }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={36} />
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Instead of what the session may not see. */
export function Forbidden({ scope }: { readonly scope: string }) {
  const common = useText('common');
  return (
    <Empty title={common.forbiddenTitle} icon="keys">
      {common.forbiddenScope(scope)}
    </Empty>
  );
}

/** Grey blocks while something is read; they appear after 200 ms, so that quick answers do not flicker. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const common = useText('common');
  return (
    <div className={styles.skeleton} role="status" aria-label={common.loading}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are all the same
        <div key={at} />
      ))}
    </div>
  );
}

/** Why something could not be read, and what to do. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const common = useText('common');
  const failure = error instanceof ApiFailure ? error : null;
  const waitSeconds = useCountdown(failure?.retryAfterSeconds ?? null, failure);
  if (failure?.status === 403) {
    return <Forbidden scope={/the scope (.+)$/.exec(failure.message)?.[1] ?? ''} />;
  }
  return (
    <div className="notice" data-tone="bad" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{common.failedTitle}</strong>
        <p>{failure?.status === 401 ? common.signedOut : errorText(error)}</p>
      </div>
      {failure?.status === 402 && <LinkButton href="#/usage">{common.seeUsage}</LinkButton>}
      {waitSeconds > 0 && <p>{common.tryAgainIn(waitSeconds)}</p>}
      {onRetry && waitSeconds === 0 && <Button onClick={onRetry}>{common.retry}</Button>}
    </div>
  );
}

/** What a form could not do, in one line above its buttons. Faults of single fields stand at the fields. */
export function FormFailure({ error }: { readonly error: unknown }) {
  const common = useText('common');
  const failure = error instanceof ApiFailure ? error : null;
  const waitSeconds = useCountdown(failure?.retryAfterSeconds ?? null, failure);
  if (!error) return null;
  return (
    <div className="notice" data-tone="bad" role="alert">
      <Icon name="warning" />
      <p>
        {errorText(error)} {waitSeconds > 0 && common.tryAgainIn(waitSeconds)}
      </p>
      {failure?.status === 402 && <LinkButton href="#/usage">{common.seeUsage}</LinkButton>}
    </div>
  );
}

interface AsyncProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Shown while the first answer is awaited. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what `useCall` has read; old data stays when it cannot be read again, with a note. */
export function Async<Data>({ query, skeleton = <Skeleton />, children }: AsyncProps<Data>) {
  const { data, error, refetch } = query;
  if (data === undefined) {
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : skeleton;
  }
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {children(data)}
    </>
  );
}

interface MoreButtonProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Reads the next page of a `useList`. */
export function MoreButton({ list }: MoreButtonProps) {
  const common = useText('common');
  if (!list.hasNextPage) return null;
  return (
    <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {common.more}
    </Button>
  );
}
